"""The hot loops on arrays and sparse matrices, one folder or file for each problem.

A folder shows its public names and tells its story; its other files are its own, and its compiled `loops` are
loaded when they are first called.
"""
