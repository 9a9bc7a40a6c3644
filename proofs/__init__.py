"""Verdicts on networks and on the paper's claims."""
