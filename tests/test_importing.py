"""Importing us changes nothing for anybody else in the process."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
import pkgutil, sys, warnings
from importlib import import_module

import numpy
try:
    import numba
except ImportError:
    numba = None

def settings():
    hooks = (sys.excepthook, sys.unraisablehook, warnings.showwarning)
    found = {"warnings": list(warnings.filters), "hooks": hooks}
    found |= {"numpy": (numpy.geterr(), numpy.get_printoptions())}
    if numba is not None:
        found |= {name: value for name, value in vars(numba.config).items() if name.isupper()}
    return found

before = settings()
import ferrovia
for module in pkgutil.iter_modules(ferrovia.__path__, "ferrovia."):
    if module.ispkg and module.name != "ferrovia.learn":  # which needs PyTorch
        package = import_module(module.name)
        for name in getattr(package, "__all__", ()):
            getattr(package, name)
ferrovia.Game("usa", 2, seed=7).legal_actions(0)
after = settings()
print(*(name for name in after if after[name] != before.get(name)))
"""


@pytest.mark.parametrize("kernel", ["", "python"])
def test_importing_every_package_changes_no_setting_of_others(kernel: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**os.environ, "FERROVIA_KERNEL": kernel},
        capture_output=True,
        text=True,
        check=True,
    )
    assert (done.stdout.split(), done.stderr) == ([], "")
