"""`python -m arena_tui` is `arena`."""

import sys

from arena_tui.cli import main

if __name__ == "__main__":
    sys.exit(main())
