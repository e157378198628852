"""The machinery of methods that decide cell by cell."""
