"""A plugin of pytest, `-p tests.probes`, that measures which lines and branches of the site the tests run.

SlipCover puts probes into the code of a module when it is imported. Each worker of pytest-xdist writes what its probes
have seen into the folder COVERAGE_DIR, and `tests.run` adds it up (docs/decisions/0027).
"""

import ast
import json
import os
import sys
from importlib.machinery import PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType

from slipcover import branch
from slipcover.config import read_config
from slipcover.slipcover import Slipcover

CONFIG = read_config()
COMPILED = {"kernel", "inner"}  # decorators of ratings.engine.compiled
# The process that hands tests to the workers of pytest-xdist runs none itself.
RUNS_TESTS = "PYTEST_XDIST_WORKER" in os.environ
# SlipCover can take a probe out once it has been passed that often, but looking for it costs more than leaving it in.
NEVER = 10**9


class Probes(Slipcover):
    """Probes in all code but that of kernels, whose bytecode numba reads."""

    def __init__(self):
        super().__init__(
            branch=True,
            d_miss_threshold=NEVER,
            source=CONFIG["source"],
            omit=CONFIG["omit"],
            exclude_also=CONFIG["exclude-also"],
        )
        self.kernels = set()

    def put_into(self, code, kernels):
        """Put probes into the code of a module, and its kernels, by their first lines, in the place of those with marks."""
        self.kernels |= set(kernels.values())
        parts = (kernels.get(getattr(part, "co_firstlineno", None), part) for part in code.co_consts)
        return self.instrument(code.replace(co_consts=tuple(parts)))

    def instrument(self, co, parent=None):
        return co if co in self.kernels else super().instrument(co, parent)


class Loader(SourceFileLoader):
    """Load a module of the site with probes."""

    def get_code(self, fullname):
        source = self.get_data(self.path)
        code = compile(branch.preinstrument(ast.parse(source)), self.path, "exec")
        return probes.put_into(code, kernels_of(source, self.path))


class Finder:
    """Find the modules of the site that are measured."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] not in CONFIG["source"] or ".migrations" in name:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec and isinstance(spec.loader, SourceFileLoader):
            spec.loader = Loader(spec.loader.name, spec.loader.path)
        return spec


def kernels_of(source, path):
    """Compile a module as it is, and choose its kernels, by their first lines."""
    lines = {
        node.decorator_list[0].lineno
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(mark, ast.Name) and mark.id in COMPILED for mark in node.decorator_list)
    }
    parts = compile(source, path, "exec").co_consts if lines else ()
    functions = {part.co_firstlineno: part for part in parts if isinstance(part, CodeType)}
    return {line: functions[line] for line in lines}


def pytest_sessionfinish():
    """Write what the probes of this process have seen."""
    if not RUNS_TESTS:
        return
    path = Path(os.environ["COVERAGE_DIR"]) / f"{os.getpid()}.json"
    path.write_text(json.dumps(probes.get_coverage()), encoding="utf-8")


# What pytest imports before this plugin is not the site.
probes = Probes()
if RUNS_TESTS:
    sys.meta_path.insert(0, Finder)
