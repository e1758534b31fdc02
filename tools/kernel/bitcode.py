"""The code of all entries as one module of LLVM, for no machine yet.

Numba compiles each function of the kernel once, into a module of its own that nothing is optimised
in; the modules are linked, and every entry gets an export that takes its arguments as words (see
ferrovia.kernel.signature). What comes out depends on the sources and the versions of the tools.
"""

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core import cgutils, codegen, cpu
from numba.core.compiler_lock import global_compiler_lock
from numba.core.descriptors import TargetDescriptor
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target

from ferrovia.kernel.declarations import EntryPoint, entries
from ferrovia.kernel.signature import FLOAT, Array, Bundle, Grid, Kind, Number, One, Scratch
from ferrovia.kernel.translation import Translation, numba_type

from .table import NOTHING, REAL, SEVERAL, TRUTH, WHOLE, plain, table

MODULES = (
    "ferrovia.rules.calls",
    "ferrovia.bots.kernel.arena",
    "ferrovia.bots.kernel.scripts",
    "ferrovia.bots.net.inference",
    "ferrovia.bots.search.lookahead",
    "ferrovia.bots.search.nodes",
    "ferrovia.analysis.outcomes",
    "ferrovia.env.loops",
)
"""The modules that declare entries."""

EXPORT = "entry_"  # before the name of an entry

# What Numba would tell of an error: nobody reads it, and it has paths of the machine that builds,
# also in its names, which are digests.
_ERROR = re.compile(r"^(@\.const\.picklebuf\.\S+ = .* constant (?:\{.*?\})) \{.*\}", re.MULTILINE)
_NAME_OF_ERROR = re.compile(r"@\.const\.picklebuf\.[\w.]+")

_WORD = ir.IntType(64)
_BYTE = ir.IntType(8)
_STATUS = ir.IntType(32)


class _Library(codegen.AOTCodeLibrary):
    """Code that is optimised later, when it is known for which machine."""

    def _optimize_functions(self, ll_module: Any) -> None:
        pass

    def finalize(self) -> None:
        """Leave the functions that these call where they are: all are linked once, at the end."""
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        return 0

    def parts(self, known: "set[Any]") -> Iterator[Any]:
        """Yield the modules of this library and of all that it calls, each once."""
        if self in known:
            return
        known.add(self)
        yield self._final_module
        for library in self._linking_libraries:
            if isinstance(library, _Library):
                yield from library.parts(known)
            elif library not in known:  # of Numba's own functions
                known.add(library)
                yield library._get_module_for_linking()


class _Codegen(codegen.AOTCPUCodegen):
    """Functions that are never called in this process."""

    _library_class = _Library

    def set_env(self, env_name: str, env: Any) -> None:
        pass


class _Target(TargetDescriptor):
    options = cpu.CPUTargetOptions
    typing_context = cpu_target.typing_context
    target_context = cpu_target.target_context.subtarget(_internal_codegen=_Codegen("kernel"))


class _Function(Dispatcher):
    """A function of the kernel.

    Calls share one version of it whatever width their numbers have: it would be compiled again for
    every mixture of int8, int16 and constants, for nothing.
    """

    targetdescr = _Target("cpu")

    def get_call_template(self, args: Any, kws: Any) -> Any:
        wide = {name: _widened(kind) for name, kind in kws.items()}
        return super().get_call_template([_widened(kind) for kind in args], wide)


def _widened(kind: Any) -> Any:
    """Return int64 for every narrower whole number, and for a literal its type."""
    kind = types.unliteral(kind)
    narrow = isinstance(kind, types.Integer) and (kind.signed or kind.bitwidth < 32)
    return types.int64 if narrow else kind


def declared() -> list[EntryPoint]:
    """Return all entries, by name."""
    for module in MODULES:
        import_module(module)
    return [entries[name] for name in sorted(entries)]


class Built(NamedTuple):
    """The code of all entries, what `call.c` has to know of them, and the modules it is made of."""

    bitcode: bytes
    table: str
    entries: dict[str, Any]
    modules: list[str]


def build(checked: bool = False, say: Callable[[str], object] = print) -> Built:
    """Return the code of all entries, with bounds checked or not; `say` is told their names."""
    options = {
        "nopython": True,
        "error_model": "numpy",
        "boundscheck": checked,
        "no_cpython_wrapper": True,
        "no_cfunc_wrapper": True,
        "_nrt": False,  # nothing is allocated, so nothing is counted
    }
    translation = Translation(lambda function: _Function(function, targetoptions=dict(options)))
    cpu_target.target_context.refresh()  # Numba's own runtime lives there
    libraries, texts, returns = [], [], {}
    wanted = declared()
    for entry in wanted:
        function = translation.function(entry.function)
        function.compile(tuple(map(numba_type, entry.kinds)))
        (result,) = function.overloads.values()
        libraries.append(result.library)
        texts.append(str(_Export(entry, result).module))
        returns[entry.name] = _returned(result.signature.return_type)
        say(entry.name)
    module = llvm.parse_assembly("")
    module.name = "ferrovia"
    for text in texts:
        module.link_in(llvm.parse_assembly(cgutils.normalize_ir_text(text)))
    described = {
        it.name: {"takes": [plain(kind) for kind in it.kinds], "returns": returns[it.name]}
        for it in wanted
    }
    known: set[Any] = set()
    with global_compiler_lock:
        for library in libraries:
            for part in library.parts(known):
                module.link_in(part, preserve=True)
    module = llvm.parse_assembly(_without_errors(str(module)))
    return Built(
        module.as_bitcode(), table(wanted, returns), described, sorted(translation.modules)
    )


def _without_errors(text: str) -> str:
    """Return a module without what Numba would tell of errors, which are numbered instead."""
    numbers: dict[str, int] = {}

    def numbered(name: re.Match[str]) -> str:
        return f"@.error.{numbers.setdefault(name[0], len(numbers))}"

    return _NAME_OF_ERROR.sub(numbered, _ERROR.sub(r"\1 zeroinitializer", text))


def _returned(kind: Any) -> tuple[str, int]:
    """Return what an entry returns, and of how many parts."""
    if kind in (types.none, types.void):
        return NOTHING, 0
    if isinstance(kind, types.BaseTuple):
        return SEVERAL, len(kind)
    if isinstance(kind, types.Boolean):
        return TRUTH, 1
    return (REAL if isinstance(kind, types.Float) else WHOLE), 1


class _Export:
    """The export of an entry: it takes the address of its words, and leaves its result there.

    It returns 0, or 1 where compiled code has stopped with an error.
    """

    def __init__(self, entry: EntryPoint, result: Any) -> None:
        self.module = ir.Module(f"export_{entry.name}")
        self._context = context = result.target_context
        words = ir.PointerType(_WORD)
        export = ir.Function(self.module, ir.FunctionType(_STATUS, [words]), EXPORT + entry.name)
        self._builder = builder = ir.IRBuilder(export.append_basic_block("entry"))
        self._words, self._at = export.args[0], 0
        signature = result.signature
        values = [self._value(*pair) for pair in zip(entry.kinds, signature.args, strict=True)]
        returned = signature.return_type
        callee = ir.Function(
            self.module,
            context.call_conv.get_function_type(returned, signature.args),
            result.fndesc.llvm_func_name,
        )
        status, value = context.call_conv.call_function(
            builder, callee, returned, signature.args, values
        )
        with builder.if_then(status.is_error, likely=False):
            builder.ret(ir.Constant(_STATUS, 1))
        self._leave(returned, value)
        builder.ret(ir.Constant(_STATUS, 0))

    def _word(self) -> Any:
        """Return the next of the words."""
        place = self._builder.gep(self._words, [ir.Constant(_WORD, self._at)])
        self._at += 1
        return self._builder.load(place)

    def _pointer(self) -> Any:
        return self._builder.inttoptr(self._word(), ir.PointerType(_BYTE))

    def _value(self, kind: Kind, numba: Any) -> Any:
        """Return Numba's value of an argument."""
        builder, context = self._builder, self._context
        if isinstance(kind, Number):
            word = self._word()
            return builder.bitcast(word, ir.DoubleType()) if kind is FLOAT else word
        if isinstance(kind, Bundle):
            parts = [self._value(*pair) for pair in zip(kind.kinds, numba.types, strict=True)]
            return context.make_tuple(builder, numba, parts)
        data = self._pointer()
        if isinstance(kind, One) or (isinstance(kind, Scratch) and kind.count is None):
            return builder.bitcast(data, context.get_value_type(numba))
        shape, strides = self._extent(kind)
        array = context.make_array(numba)(context, builder)
        item = ir.Constant(_WORD, _bytes_of(numba.dtype, context))
        if strides is None:
            strides, step = [], item
            for extent in reversed(shape):
                strides.insert(0, step)
                step = builder.mul(step, extent)
        context.populate_array(
            array,
            data=builder.bitcast(data, array.data.type),
            shape=shape,
            strides=strides,
            itemsize=item,
            meminfo=None,
        )
        return array._getvalue()

    def _extent(self, kind: Array | Grid | Scratch) -> tuple[list[Any], list[Any] | None]:
        """Return the shape of an array and, where it may have gaps, its strides."""
        if isinstance(kind, Grid):
            shape = [self._word() for _ in range(kind.dimensions)]
            return shape, [self._word() for _ in shape] if kind.strided else None
        count = ir.Constant(_WORD, kind.count) if isinstance(kind, Scratch) else self._word()
        return [count, *(ir.Constant(_WORD, length) for length in kind.row)], None

    def _leave(self, returned: Any, value: Any) -> None:
        """Write the result over the first words."""
        if returned in (types.none, types.void):
            return
        parts = (
            [self._builder.extract_value(value, i) for i in range(len(returned))]
            if isinstance(returned, types.BaseTuple)
            else [value]
        )
        for place, part in enumerate(parts):
            there = self._builder.gep(self._words, [ir.Constant(_WORD, place)])
            self._builder.store(self._as_word(part), there)

    def _as_word(self, value: Any) -> Any:
        if isinstance(value.type, ir.DoubleType):
            return self._builder.bitcast(value, _WORD)
        if value.type.width < 8:  # a bool
            return self._builder.zext(value, _WORD)
        return value if value.type.width == 64 else self._builder.sext(value, _WORD)


def _bytes_of(item: Any, context: Any) -> int:
    if isinstance(item, types.Record):
        return int(item.size)
    return int(context.get_abi_sizeof(context.get_data_type(item)))
