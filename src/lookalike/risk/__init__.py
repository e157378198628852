"""Who could be found: the risk of one table, and what other tables tell of its rows."""
