"""How Numba compiles the kernel without what the kernel does not need.

Numba runs 27 passes over every function, most of them for what the kernel does not have (closures,
`with`, loops over mixed tuples, array expressions), finds the rules for `a + b` anew wherever two
numbers are added, colours the messages of attempts that fail, and times every call of LLVM.
Without that, and without collecting garbage meanwhile, compiling takes a quarter less time. What
comes out is the same.

A function with a function inside is compiled as Numba does it, and so is every function with a
version of Numba whose parts are not as expected.
"""

import gc
import operator
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import CodeType
from typing import Any

import llvmlite.binding as llvm
import numba
from numba.core import (
    compiler,
    compiler_machinery,
    errors,
    targetconfig,
    typed_passes,
    untyped_passes,
)

_compiler: Any = compiler
_types: Any = numba.types
_llvm: Any = llvm
_typed: Any = typed_passes
_untyped: Any = untyped_passes
_errors: Any = errors

_NEEDED = (
    (_untyped, "TranslateByteCode"),
    (_untyped, "FixupArgs"),
    (_untyped, "IRProcessing"),
    (_untyped, "RewriteSemanticConstants"),
    (_untyped, "DeadBranchPrune"),
    (_untyped, "GenericRewrites"),
    (_untyped, "RewriteDynamicRaises"),
    (_untyped, "ReconstructSSA"),
    (_typed, "NopythonTypeInference"),
    (_typed, "PreLowerStripPhis"),
    (_typed, "IRLegalization"),
    (_typed, "NativeLowering"),
    (_typed, "NoPythonBackend"),
)
_manager: Any = compiler_machinery.PassManager
_function: Any = getattr(_types, "BaseFunction", None)
_flags: Any = getattr(targetconfig, "TargetConfig", None)
_lock: Any = getattr(_llvm.ffi.lib, "_lock", None)

AVAILABLE = all(hasattr(module, name) for module, name in _NEEDED) and all(
    hasattr(owner, name)
    for owner, name in (
        (_manager, "_runPass"),
        (_function, "get_call_type"),
        (_flags, "values"),
        (_lock, "_cblist"),
        (_errors, "termcolor"),
    )
)


class _Passes(_manager):  # type: ignore[misc]
    """A list of passes that are run without being timed."""

    def _runPass(self, index: int, step: Any, state: Any) -> None:
        step.analysis = self._analysis
        step.run_initialization(state)
        step.run_pass(state)
        step.run_finalizer(state)


class Pipeline(_compiler.CompilerBase):  # type: ignore[misc]
    """How a function of the kernel is compiled."""

    def define_pipelines(self) -> list[Any]:
        """Return the passes that the function needs."""
        inside = self.state.func_id.code.co_consts
        if not AVAILABLE or any(isinstance(it, CodeType) for it in inside):
            return [_compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)]
        passes = _Passes("kernel")
        for module, name in _NEEDED:
            passes.add_pass(getattr(module, name), name)
        passes.finalize()
        return [passes]


class _Plain:
    """Messages without colours."""

    def __getattr__(self, name: str) -> Callable[[object], str]:
        return str


_depth = [0]  # of functions that are being compiled for each other


@contextmanager
def undisturbed() -> Iterator[None]:
    """Compile in this block with what is known already, and without collecting garbage: there is
    little, and it is looked for among all that Numba has built so far.

    Whoever compiles holds Numba's lock, so that nobody else meets what is exchanged here.
    """
    if _depth[0] or not AVAILABLE:
        yield
        return
    with ExitStack() as after:
        if gc.isenabled():
            gc.disable()
            after.callback(gc.enable)
        for owner, name, value in (
            (_lock, "_cblist", []),
            (_flags, "values", _values),
            (_errors, "termcolor", _Plain),
            (_function, "get_call_type", _call_type_of(_function.get_call_type)),
        ):
            after.callback(setattr, owner, name, getattr(owner, name))
            setattr(owner, name, value)
        _depth[0] += 1
        try:
            yield
        finally:
            _depth[0] -= 1


_defaults: dict[type, dict[str, Any]] = {}


def _values(self: Any) -> dict[str, Any]:
    """Return the options of a compilation."""
    kind = type(self)
    if kind not in _defaults:
        _defaults[kind] = {name: option.default for name, option in self.options.items()}
    return {**_defaults[kind], **self._values}


_OPERATORS = {bool, int, len, max, min, range, *(getattr(operator, it) for it in operator.__all__)}
_known: dict[int, tuple[Any, dict[Any, Any]]] = {}


def _call_type_of(find: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that finds once only what an operator does with arguments of some types."""

    def call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws or self.typing_key not in _OPERATORS:
            return find(self, context, args, kws)
        _, known = _known.setdefault(id(self), (self, {}))
        key = context, tuple(args)
        if key not in known:
            known[key] = find(self, context, args, kws)
        return known[key]

    return call_type
