"""Every labelling of a point set: one network each, found along a trie and certified in batches."""
