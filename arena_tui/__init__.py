"""Arena: watch races of AI agents in a terminal."""

__version__ = "0.1.0"
