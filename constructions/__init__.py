"""Explicit LN-Nets: points, folds, algorithms, networks."""
