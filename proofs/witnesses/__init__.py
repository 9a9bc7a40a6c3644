"""Witnesses of shattered point sets, as data; `proofs.shattered_set` reads and certifies them."""
