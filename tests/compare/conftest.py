"""Compare what other packages compute with ours. `make setup-compare` installs them."""

from tests.servers import NEEDS

# Without them the modules cannot be imported. The runner of the tests says so (tests/run.py).
collect_ignore_glob = [] if NEEDS["compare"].is_there() else ["test_*.py"]
