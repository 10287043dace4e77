"""What a challenge is, what it may cost to solve it, and how an answer to it is judged."""
