"""The hot loops on arrays and sparse matrices: nearest by similarity, clustering, assignment."""
