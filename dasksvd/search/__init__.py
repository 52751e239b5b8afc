"""Which parameters are best?  Lattices, plans, scores."""
