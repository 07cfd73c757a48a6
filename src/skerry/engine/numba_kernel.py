"""``Kernel``: a function that numba compiles, linked by symbols to the kernels it calls, and cached on disk.

numba compiles a function together with copies of everything it calls, so that a rule is compiled again in every loop
that uses it, and adds a wrapper for calls from Python to every function. Here

- the machine code of a kernel exists once, and other kernels refer to its symbol. LLVM still sees the body of what a
  kernel calls and may inline it;
- only kernels that Python calls get a wrapper, in a library of its own;
- integers are passed to kernels as int64, so that no kernel is compiled for several widths;
- a symbol contains the kernel's digest (``kernel_digest``). Files of the cache can therefore be linked in any process,
  and an edit recompiles the kernels it changes and no others;
- each kernel is saved as soon as it is compiled, so that another process can load it while this one compiles the next;
- kernels that are compiled or loaded together are placed together in memory (``_Batch``). Each placed alone would begin
  at the start of a page, where all of them compete for the same few lines of the processor's cache.
"""

from __future__ import annotations

import contextlib
import hashlib
import pickle
import re
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, NamedTuple

import llvmlite.binding as llvm
import numba
from numba.core import sigutils, types, typing
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompileResult, Flags, compile_extra, compile_result
from numba.core.compiler_lock import global_compiler_lock
from numba.core.dispatcher import _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.funcdesc import default_mangler, qualifying_prefix
from numba.core.registry import CPUDispatcher, cpu_target
from numba.core.runtime import rtsys
from numba.core.serialize import dumps
from numba.extending import typeof_impl

from skerry.engine import kernel_cache, kernel_progress
from skerry.engine.kernel_digest import kernel_digest
from skerry.engine.struct import StructView, dtype_of


@typeof_impl.register(StructView)  # type: ignore[untyped-decorator]
def _typeof(view: StructView, context: Any) -> Any:
    """The numba type of a struct. It is stored on the view's class, where numba looks first from then on."""
    view_class: Any = type(view)
    view_class._numba_type_ = numba.from_dtype(dtype_of(view_class.struct_class))
    return view_class._numba_type_


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A compiled function: numba's dispatcher, which caches and links as the module's docstring describes.

    ``overloads`` has the compiled kernel for each tuple of argument types that other kernels or Python call it with.
    """

    def __init__(self, function: FunctionType, **options: Any) -> None:
        super().__init__(function, targetoptions={"nopython": True, **options})
        pipeline = self._compiler.pipeline_class  # type: ignore[has-type]
        self._compiler = _KernelCompiler(function, self.targetdescr, self.targetoptions, self.locals, pipeline)
        self._wrappers: dict[
            tuple[Any, ...], Any
        ] = {}  # the functions that Python calls, by the types of its arguments

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """The signature of a call from another kernel, for numba's type inference."""
        parameters, folded = self._compiler.fold_argument_types(args, kws)
        with self._lock_and_count():
            compiled = self._link(tuple(folded))
            _provide_body(self._key(tuple(folded)), compiled.library)
        name = self.py_func.__name__
        template = typing.make_concrete_template(f"CallTemplate({name})", key=name, signatures=[compiled.signature])
        return template, parameters, folded, {}

    def compile(self, sig: Any) -> Any:
        """The function that Python calls for arguments of some types."""
        args, _ = sigutils.normalize_signature(sig)
        with global_compiler_lock:
            if args not in self._wrappers:
                widened = tuple(map(_widened, args))
                with self._lock_and_count():
                    compiled = self._link(widened)
                    library = _wrapper_library(self._key(widened), compiled)
                wrapper = cpu_target.target_context.get_executable(library, compiled.fndesc, compiled.environment)
                self._wrappers[args] = wrapper
                self._insert([arg._code for arg in args], wrapper, False)  # numba finds it there for the next call
            return self._wrappers[args]

    def prepare(self, *arguments: Any) -> None:
        """Compile or load the kernel for arguments of these types, without calling it."""
        with self._lock_and_count():
            self._link(_types_of(arguments))

    def is_kept(self, *arguments: Any) -> bool:
        """Whether the kernel for arguments of these types is in the cache."""
        return kernel_cache.has(f"{self._key(_types_of(arguments))}.kernel")

    @contextlib.contextmanager
    def _lock_and_count(self) -> Iterator[None]:
        with global_compiler_lock, self._compiling_counter, _batch.collect():
            yield

    def _link(self, args: tuple[Any, ...]) -> CompileResult:
        """The compiled kernel for some argument types: from this process, from the cache, or compiled now."""
        compiled = self.overloads.get(args)
        if compiled is None:
            key = self._key(args)
            compiled = _load_kernel(key)
            (self._cache_misses if compiled is None else self._cache_hits)[args] += 1
            compiled = self.overloads[args] = compiled or self._compile(key, args)
        return compiled

    def _compile(self, key: str, args: tuple[Any, ...]) -> CompileResult:
        kernel_progress.report(self.py_func)
        compiled = self._compiler.compile_as(_digest(key), args)
        _remember(key, compiled)
        compiled.library._shared_module = _body(compiled.library)
        _save_kernel(key, compiled)
        return compiled

    def _key(self, args: tuple[Any, ...]) -> str:
        """Identifies the machine code of the kernel for some argument types; the name of its file in the cache."""
        content = kernel_digest(self.py_func), str(args), _codegen().magic_tuple()
        name = re.sub(r"[^\w.]+", "_", self.py_func.__qualname__)
        return f"{self.py_func.__module__}/{name}-{_digest(repr(content))}"


class _KernelCompiler(_FunctionCompiler):  # type: ignore[misc]
    """Compiles a kernel without wrappers, under a symbol that contains a given digest."""

    def fold_argument_types(self, args: Any, kws: Any) -> Any:
        parameters, folded = super().fold_argument_types(args, kws)
        return parameters, tuple(map(_widened, folded))

    def compile_as(self, digest: str, args: tuple[Any, ...]) -> CompileResult:
        flags = Flags()
        self.targetdescr.options.parse_as_flags(flags, self.targetoptions)
        flags.no_cpython_wrapper = True
        flags.no_cfunc_wrapper = True
        context = self.targetdescr.target_context.subtarget(mangler=_mangler(self.py_func, digest))
        typing_context = self.targetdescr.typing_context
        library = _KernelLibrary(context.codegen(), self.py_func.__qualname__)
        return compile_extra(typing_context, context, self.py_func, args, None, flags, self.locals, library)


class _KernelLibrary(JITCodeLibrary):  # type: ignore[misc]
    """A library that is compiled to machine code at once; numba would do that when it is placed in memory."""

    def _finalize_final_module(self) -> None:
        self.enable_object_caching()
        # LLVM changes the module on the way to machine code: callers should inline it as it is.
        self._set_compiled_object(self._codegen._tm.emit_object(self._final_module.clone()))
        super()._finalize_final_module()


def _types_of(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(_widened(numba.typeof(argument)) for argument in arguments)


def _widened(numba_type: Any) -> Any:
    wide = types.unliteral(numba_type)  # type: ignore[attr-defined]
    return types.int64 if isinstance(wide, types.Integer) and wide.bitwidth < 64 else wide  # type: ignore[attr-defined]


def _mangler(function: FunctionType, digest: str) -> Callable[..., str]:
    """Names the symbols of one compilation so that they mean the same in every process.

    numba numbers the functions and the struct types of each process from one.
    """
    own_name = qualifying_prefix(function.__module__, function.__qualname__)

    def mangle(name: str, types: Any, *, abi_tags: Any = (), uid: Any = None) -> str:
        if name.endswith(own_name):  # the kernel, or its environment
            return default_mangler(name, (), uid=digest)
        return default_mangler(name, types, abi_tags=abi_tags, uid=f"{uid}_{_digest(str(types))}")

    return mangle


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]


# Linking

_compiled: dict[str, CompileResult] = {}  # the kernels in this process, by key
_keys: dict[str, str] = {}  # their keys, by symbol


def _remember(key: str, compiled: CompileResult) -> None:
    _compiled[key] = compiled
    _keys[compiled.fndesc.mangled_name] = key


def _codegen() -> Any:
    return cpu_target.target_context.codegen()


def _called_keys(library: JITCodeLibrary) -> tuple[str, ...]:
    """The keys of the kernels whose symbols a library refers to."""
    functions = library._final_module.functions
    return tuple(_keys[function.name] for function in functions if function.is_declaration and function.name in _keys)


def _body(library: JITCodeLibrary) -> llvm.ModuleRef:
    """What LLVM sees of a kernel where another one calls it: it may inline the code, but does not emit it again."""
    module = library._final_module.clone()
    for function in module.functions:
        if function.name in _keys and not function.is_declaration:
            function.linkage = "available_externally"
    return module


def _provide_body(key: str, library: JITCodeLibrary) -> None:
    """Give a library that was loaded from the cache its body, before a kernel that calls it is compiled."""
    if library._shared_module is None:
        body = kernel_cache.read(f"{key}.bc")
        library._shared_module = llvm.parse_bitcode(body) if body else _empty_module(key)


def _empty_module(name: str) -> llvm.ModuleRef:
    return llvm.parse_assembly(str(_codegen()._create_empty_module(name)))


def _wrapper_library(key: str, compiled: CompileResult) -> JITCodeLibrary:
    """The code that converts Python's arguments and calls a kernel: from the cache, or compiled now."""
    key = f"{key}.python"
    symbol = compiled.fndesc.llvm_cpython_wrapper_name
    stored = _load(key)
    if stored is not None:
        compiled.environment.consts[:] = stored.description
        return _library_of_object(key, symbol, stored.code)
    context = compiled.target_context
    context.refresh()  # numba's own functions, if only loaded kernels have been used so far
    library = _KernelLibrary(_codegen(), key)
    descriptor, environment = compiled.fndesc, compiled.environment
    with context.push_code_library(library):
        context.create_cpython_wrapper(library, descriptor, environment, call_helper=None, release_gil=True)
    library.add_linking_library(rtsys.library)
    library.finalize()
    _save(key, library, list(environment.consts))
    return library


class _Batch:
    """Kernels that are compiled or loaded together. They are placed in memory when the outermost ``collect`` ends.

    numba would place each kernel when it is compiled, and again where it asks for the address of its environment.
    """

    def __init__(self) -> None:
        self._depth = 0
        self._environments: list[tuple[str, Any]] = []

    @contextlib.contextmanager
    def collect(self) -> Iterator[None]:
        codegen = _codegen()
        if self._depth == 0:
            codegen._engine.finalize_object = lambda: None
            codegen.set_env = lambda name, environment: self._environments.append((name, environment))
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1
            if self._depth == 0:
                del codegen._engine.finalize_object, codegen.set_env
        if self._depth == 0:
            self._place()

    def _place(self) -> None:
        codegen = _codegen()
        codegen._engine.finalize_object()
        environments, self._environments = self._environments, []
        for name, environment in environments:
            codegen.set_env(name, environment)


_batch = _Batch()


# Caching


class _Stored(NamedTuple):
    """The content of a file of the cache."""

    called: tuple[str, ...]  # keys of the kernels whose symbols the code refers to
    code: bytes  # an object file
    description: Any  # of a kernel: ``_Description``; of a wrapper: the constants it adds to the kernel's environment


class _Description(NamedTuple):
    """What a compiled kernel has beside its machine code."""

    descriptor: Any
    environment: Any
    signature: Any


def _save_kernel(key: str, compiled: CompileResult) -> None:
    descriptor = compiled.fndesc
    descriptor.typemap = descriptor.calltypes = None  # for type inference only; they cannot always be pickled
    kernel_cache.write(f"{key}.bc", compiled.library._shared_module.as_bitcode())
    _save(key, compiled.library, _Description(descriptor, compiled.environment, compiled.signature))


def _save(key: str, library: JITCodeLibrary, description: Any) -> None:
    stored = _Stored(_called_keys(library), library._get_compiled_object(), description)
    kernel_cache.write(f"{key}.kernel", dumps(stored))


def _load(key: str) -> _Stored | None:
    """A file of the cache, once all kernels that its code refers to are loaded; None if anything is missing."""
    content = kernel_cache.read(f"{key}.kernel")
    try:
        stored: _Stored | None = None if content is None else pickle.loads(content)
    except Exception:  # a damaged file can raise anything
        return None
    if stored is None or any(_load_kernel(called) is None for called in stored.called):
        return None
    return stored


def _load_kernel(key: str) -> CompileResult | None:
    """A kernel from this process or from the cache; None if it has to be compiled."""
    if key in _compiled:
        return _compiled[key]
    stored = _load(key)
    if stored is None:
        return None
    descriptor, environment, signature = stored.description
    library = _library_of_object(key, descriptor.mangled_name, stored.code)
    context = cpu_target.target_context
    entry_point = context.get_executable(library, descriptor, environment)
    context.insert_user_function(entry_point, descriptor, [library])
    compiled = compile_result(
        typing_context=cpu_target.typing_context,
        target_context=context,
        entry_point=entry_point,
        signature=signature,
        objectmode=False,
        library=library,
        fndesc=descriptor,
        environment=environment,
    )
    _remember(key, compiled)
    return compiled


def _library_of_object(name: str, symbol: str, code: bytes) -> JITCodeLibrary:
    """A library of an object file that defines a symbol."""
    library = _codegen().create_library(name)
    library.enable_object_caching()
    library._set_compiled_object(code)
    library._finalize_final_module()
    _codegen()._engine._defined_symbols.add(symbol)
    return library
