"""The paper's numbers and the scripts that measure ours."""
