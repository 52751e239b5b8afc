"""The paper's method, one module for each of its steps."""
