"""Benchmarks: each prints ratios and figures of one run. `make bench` runs them all."""
