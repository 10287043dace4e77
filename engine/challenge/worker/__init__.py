"""What runs inside a disposable worker process: it imports nothing but the cheapest of the standard library."""
