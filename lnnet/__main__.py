"""``python -m lnnet``."""

from lnnet.cli import main

raise SystemExit(main())
