"""The memory of past releases, and what may be released after them."""
