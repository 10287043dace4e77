"""Speed, measured against a peer in the same run. These are programs, not tests: a machine's mood is no verdict."""
