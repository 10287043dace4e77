"""`arena season`: seasons simulated offline, as tables and as data."""
