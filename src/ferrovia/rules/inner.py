"""Inner functions of the kernel as bitcode, which halves the time to compile.

Numba makes every function a library of its own: its callees are linked in, all of it is optimised
and turned into machine code, with a wrapper for Python and one for C. Functions that only compiled
code calls need nothing of that: here they stay bitcode, which is linked into the functions that
Python calls, and is optimised there, once. Games come out the same to the byte.

There is no public way to ask for this, so a class of Numba's code generator is replaced by a
subclass, which treats every other function as before. With a version of Numba whose parts are not
as expected nothing is replaced, and compiling takes longer.
"""

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import llvmlite.binding as llvm
from numba.core import codegen

_codegen: Any = codegen
_llvm: Any = llvm

_KIND = "ferrovia inner"  # of a library in the cache

# Whether what is being compiled is an inner function; the last is what counts.
_inner: list[bool] = [False]


@contextmanager
def compiling(inner: bool) -> Iterator[None]:
    """Make libraries that are created in this block inner ones, or not."""
    _inner.append(inner)
    try:
        yield
    finally:
        _inner.pop()


def _replace() -> bool:
    """Let Numba's code generator know inner libraries; return whether it could be done."""
    generator = getattr(_codegen, "JITCPUCodegen", None)
    base = getattr(_codegen, "JITCodeLibrary", None)
    parts = (
        "_optimize_final_module",
        "_finalize_final_module",
        "_finalize_dynamic_globals",
        "_get_module_for_linking",
        "_unserialize",
        "get_pointer_to_function",
        "serialize_using_object_code",
    )
    if generator is None or getattr(generator, "_library_class", None) is not base:
        return False
    if not all(hasattr(base, part) for part in parts) or not hasattr(generator, "set_env"):
        return False

    class Library(base):  # type: ignore[misc, valid-type]
        """A library that stays bitcode when it is an inner one."""

        def __init__(self, codegen: Any, name: str) -> None:
            super().__init__(codegen, name)
            self._inner = _inner[-1]

        def _optimize_functions(self, module: Any) -> None:
            """Run the passes over single functions where there is one: not for declarations."""
            module.data_layout = self._codegen._data_layout
            for function in module.functions:
                if not function.is_declaration:
                    passes, builder = self._codegen._function_pass_manager()
                    passes.run(function, builder)

        def _get_module_for_linking(self) -> Any:
            if not self._inner:
                return super()._get_module_for_linking()
            self._ensure_finalized()
            return self._shared_module

        def _optimize_final_module(self) -> None:
            if not self._inner:
                super()._optimize_final_module()

        def _finalize_final_module(self) -> None:
            if not self._inner:
                super()._finalize_final_module()
                return
            self._finalize_dynamic_globals()
            for function in self._final_module.functions:
                if not function.is_declaration and function.linkage == _llvm.Linkage.external:
                    function.linkage = _llvm.Linkage.linkonce_odr
            self._shared_module = self._final_module
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            return 0 if self._inner else int(super().get_pointer_to_function(name))

        def serialize_using_object_code(self) -> Any:
            if not self._inner:
                return super().serialize_using_object_code()
            self._ensure_finalized()
            return self.name, _KIND, self._get_module_for_linking().as_bitcode()

        @classmethod
        def _unserialize(cls, codegen: Any, state: Any) -> Any:
            name, kind, data = state
            if kind != _KIND:
                with compiling(inner=False):
                    return super()._unserialize(codegen, state)
            with compiling(inner=True):
                library = codegen.create_library(name)
            library._final_module = library._shared_module = _llvm.parse_bitcode(data)
            library._finalized = True
            return library

    def set_env(self: Any, env_name: str, env: Any) -> None:
        """Set the environment of a function, where it has machine code."""
        address = self._engine.get_global_value_address(env_name)
        if address:
            (ctypes.c_void_p * 1).from_address(address)[0] = ctypes.c_void_p(id(env))

    generator._library_class = Library
    generator.set_env = set_env
    return True


AVAILABLE = _replace()
