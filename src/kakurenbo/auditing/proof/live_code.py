"""The digest of live code: the same for the same program, another where anything that it refers to changed.

What was validated is the program that ran, so a validation may be remembered for that very program only.
Source files do not tell: a method may be exchanged while the program runs, and then the file is not what is
run. So the digest is made of the objects themselves. It starts at a function or a class and goes on to all
that these refer to: bytecode and constants, defaults and what closures hold, the globals that are named,
modules that are imported inside a function, base classes with all their methods, and the Python source
behind compiled kernels. Nothing in it depends on addresses, on the order of sets, or on what was loaded.

A walk takes a while and an audit asks often, so all that one read is kept (`_Seen`). As long as every bit of
that is still the same object, or says the same of itself, another walk would come to the same digest.

Libraries are not walked into; whoever remembers something adds their versions. A number that a library's own
object holds, or a library function that is exchanged, is therefore not seen.
"""

from __future__ import annotations

import datetime as dt
import enum
import functools
import hashlib
import importlib
import importlib.util
import inspect
import re
import site
import sys
import sysconfig
from collections import deque
from itertools import repeat
from operator import is_
from pathlib import Path, PurePath
from types import CodeType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import polars as pl

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

Given = TypeVar("Given")
Made = TypeVar("Made")
_OURS = "kakurenbo"
_PLAIN = (type(None), bool, int, float, complex, str, bytes, type(...), type(NotImplemented))
_TIMES = (dt.date, dt.time, dt.timedelta, dt.tzinfo)
_SPOKEN = (*_TIMES, re.Pattern, PurePath, range, slice, np.generic, np.dtype)
_WRAPPERS = {
    staticmethod: ("__func__",),
    classmethod: ("__func__",),
    property: ("fget", "fset", "fdel"),
    functools.partial: ("func", "args", "keywords"),
    functools.partialmethod: ("func", "args", "keywords"),
    functools.cached_property: ("func",),
    MethodType: ("__func__", "__self__"),
    type(functools.cache(len)): ("__wrapped__",),
}
_FIELDS = "__pydantic_fields__"
_MODULE = re.compile(rf"{_OURS}(\.\w+)+")
_FLAGS = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS  # numba changes others while a profiler is on
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_MISSING = object()

_walks: dict[Hashable, tuple[_Seen, tuple[str, dict[type, str]]]] = {}


def digests(
    things: Sequence[Any], classes: Sequence[type], by_name: Callable[[type], bool]
) -> tuple[str, dict[type, str]]:
    """Return the digest of some things, and each class's with all that it refers to beyond them, as they are.

    Args:
        things: functions, classes or any values that can be hashed.
        classes: have digests of their own.
        by_name: tells which classes are named and not walked into, as they have digests of their own.
    """
    asked = (*things, *classes, by_name)
    if asked not in _walks or not _walks[asked][0].is_unchanged():
        seen = _Seen()
        common = LiveCode(by_name, seen)
        digest = common.digest(*things)
        _walks[asked] = seen, (digest, {one: common.beyond().digest(one) for one in classes})
    return _walks[asked][1]


class _Seen:
    """What a walk read of live code, so that it can tell whether all of it is as it was.

    Whatever was read is held, so that no other object comes to stand at its address; of what was read several
    times, the first reading counts.
    """

    def __init__(self) -> None:
        self._named: dict[int, tuple[Mapping[str, Any], dict[str, Any]]] = {}
        self._whole: dict[tuple[int, str], tuple[Any, tuple[Any, ...]]] = {}
        self._parts: dict[tuple[int, str], tuple[Any, str, Any]] = {}
        self._said: dict[Hashable, tuple[Callable[[Any], Any], Any, Any]] = {}

    def name(self, mapping: Mapping[str, Any], name: str) -> Any:  # noqa: ANN401 - any value
        """Return what stands under a name, if anything does."""
        value = mapping.get(name, _MISSING)
        self._named.setdefault(id(mapping), (mapping, {}))[1].setdefault(name, value)
        return value

    def whole(self, container: Any) -> Any:  # noqa: ANN401 - a mapping or a sequence
        """Return a container, all of which is read."""
        self._whole.setdefault((id(container), "members"), (container, tuple(container)))
        if isinstance(container, dict | MappingProxyType):
            values = container.values()
            self._whole.setdefault((id(container), "values"), (values, tuple(values)))
        return container

    def cell(self, cell: Any) -> Any:  # noqa: ANN401 - a cell of a closure, and whatever it holds
        """Return what a cell of a closure holds."""
        try:
            return self.part(cell, "cell_contents")
        except ValueError:  # not filled yet
            self.said(_is_empty, cell)
            return None

    def part(self, thing: Any, name: str) -> Any:  # noqa: ANN401 - any value
        """Return an attribute, if there is one."""
        value = getattr(thing, name, _MISSING)
        self._parts.setdefault((id(thing), name), (thing, name, value))
        return value

    def said(self, say: Callable[[Given], Made], thing: Given) -> Made:
        """Return what is said of something that may change within."""
        key = say, thing if isinstance(thing, str) else id(thing)
        value = say(thing)
        self._said.setdefault(key, (say, thing, value))
        return value

    def is_unchanged(self) -> bool:
        """Tell whether all is as it was."""
        for mapping, there in self._named.values():
            if not all(map(is_, map(mapping.get, there, repeat(_MISSING)), there.values())):
                return False
        for container, members in self._whole.values():
            if len(container) != len(members) or not all(map(is_, container, members)):
                return False
        for thing, name, value in self._parts.values():
            try:
                now = getattr(thing, name, _MISSING)
            except ValueError:  # a cell that holds nothing any more
                return False
            if now is not value and (type(value) is not str or type(now) is not str or now != value):
                return False
        return all(say(thing) == value for say, thing, value in self._said.values())


class LiveCode:
    """A walk through live code. What was walked through before is only named when it is met again.

    Args:
        by_name: tells which classes are named and not walked into, as they have digests of their own.
        seen: where to keep what is read.
    """

    def __init__(self, by_name: Callable[[type], bool] = lambda _: False, seen: _Seen | None = None) -> None:
        self._by_name, self._seen = by_name, seen or _Seen()
        self._numbers: dict[int, int] = {}
        self._held: list[Any] = []  # an address stays a name as long as its object lives
        self._only_named: dict[type, bool] = {}
        self._waiting: deque[Any] = deque()
        self._hash = hashlib.sha256()
        self._packages = {_OURS}

    def digest(self, *things: Any) -> str:  # noqa: ANN401 - functions, classes or any values
        """Return the digest of these things, and of all that was walked through before."""
        for thing in things:
            home = getattr(thing, "__module__", None) or ""
            self._seen.part(thing, "__module__")
            self._packages.add(home.partition(".")[0])
            self._put("root", self._refer(thing))
        while self._waiting:
            self._walk(self._waiting.popleft())
        return self._hash.hexdigest()

    def beyond(self) -> LiveCode:
        """Return a walk that goes on from here, and into classes too that were only named so far."""
        made = LiveCode(seen=self._seen)
        made._numbers, made._held = dict(self._numbers), list(self._held)
        made._hash, made._packages = self._hash.copy(), set(self._packages)
        return made

    def _put(self, *parts: object) -> None:
        self._hash.update(repr(parts).encode("utf-8", "surrogatepass"))

    def _refer(self, thing: Any) -> object:  # noqa: ANN401 - any value
        """Return what stands for a thing: itself, its name, or its number in the walk."""
        kind = type(thing)
        if kind in _PLAIN:
            return kind.__name__, repr(thing)
        if isinstance(thing, _SPOKEN):
            return kind.__qualname__, self._seen.said(repr, thing)
        if isinstance(thing, ModuleType):
            return "module", self._seen.part(thing, "__name__")
        if isinstance(thing, type) and self._is_only_named(thing):
            return "class", _home(thing), thing.__qualname__
        return self._number(thing)

    def _number(self, thing: Any) -> int:  # noqa: ANN401 - any value
        number = self._numbers.get(id(thing))
        if number is None:
            number = self._numbers[id(thing)] = len(self._numbers)
            self._held.append(thing)
            self._waiting.append(thing)
        return number

    def _is_only_named(self, made: type) -> bool:
        if made not in self._only_named:
            outside = not self._is_walked(self._seen.part(made, "__module__"))
            self._seen.part(made, "__qualname__")
            self._only_named[made] = outside or self._seen.said(self._by_name, made)
        return self._only_named[made]

    def _is_walked(self, module: str) -> bool:
        """Tell whether code of a module is walked into: ours, a plug-in's and whatever is no library's."""
        package = module.partition(".")[0]
        return package in self._packages or not _is_library(package)

    def _walk(self, thing: Any) -> None:  # noqa: ANN401, PLR0911 - any value; one way for each kind
        """Put the content of one thing."""
        kind, seen = type(thing), self._seen
        if isinstance(thing, FunctionType):
            return self._function(thing)
        if isinstance(thing, type):
            return self._class(thing)
        if kind in _WRAPPERS:
            parts = [self._refer(seen.part(thing, name)) for name in _WRAPPERS[kind]]
            return self._put("wrapper", kind.__qualname__, *parts)
        if hasattr(thing, "py_func") and hasattr(thing, "targetoptions"):
            options = seen.said(_options, thing)
            return self._put("kernel", self._refer(seen.part(thing, "py_func")), *options)
        if isinstance(thing, dict | MappingProxyType):
            return self._put("mapping", kind.__qualname__, *self._items(seen.whole(thing)))
        if isinstance(thing, tuple | list):
            return self._put("sequence", kind.__qualname__, *map(self._refer, seen.whole(thing)))
        if isinstance(thing, set | frozenset):
            return self._put("set", kind.__qualname__, *seen.said(_members, thing))
        if isinstance(thing, enum.Enum):
            return self._put("member", self._refer(kind), thing.name)
        return self._value(thing)

    def _value(self, thing: Any) -> None:  # noqa: ANN401 - any value
        """Put what an object holds; of a library's object what it says of itself."""
        kind, seen = type(thing), self._seen
        if isinstance(thing, np.ndarray) and thing.dtype != object:
            self._put("array", *seen.said(_array, thing))
        elif isinstance(thing, pl.Expr):
            self._put("expression", seen.said(_expression, thing))
        elif isinstance(thing, pl.Series):
            self._put("series", *seen.said(_series, thing))
        elif self._is_walked(seen.part(thing, "__class__").__module__):
            slots = {name: seen.part(thing, name) for name in _slots(kind)}
            named = {name: value for name, value in slots.items() if value is not _MISSING}
            state = {**seen.whole(getattr(thing, "__dict__", {})), **named}
            self._put("object", self._number(kind), *self._items(state))
        else:
            said = seen.said(repr, thing)
            self._put("library's", kind.__module__, kind.__qualname__, "" if _ADDRESS.search(said) else said)

    def _items(self, mapping: Mapping[Any, Any]) -> Iterator[tuple[object, object]]:
        keys = sorted(mapping) if all(isinstance(key, str) for key in mapping) else list(mapping)
        return ((self._refer(key), self._refer(mapping[key])) for key in keys)

    def _function(self, function: FunctionType) -> None:
        seen, home = self._seen, function.__globals__
        cells = [self._refer(seen.cell(cell)) for cell in function.__closure__ or ()]
        for name in ("__module__", "__qualname__"):
            seen.part(function, name)
        seen.name(home, "__name__")
        if not self._is_walked(str(home.get("__name__", ""))):  # it may be wrapped around ours
            self._put("library's function", function.__module__, function.__qualname__, *cells)
            return
        own = {name: value for name, value in seen.whole(vars(function)).items() if name != "__wrapped__"}
        self._put(
            "function", function.__qualname__, _read(seen.part(function, "__code__"))[0],
            *(self._refer(seen.part(function, name)) for name in ("__defaults__", "__kwdefaults__")), *cells,
            *self._items(own), *self._named(function),
        )  # fmt: skip

    def _named(self, function: FunctionType) -> Iterator[tuple[str, object]]:
        """Yield what the names in a function stand for outside it."""
        _, names, called = _read(function.__code__)
        modules = dict(self._imported(names))
        for name in names:
            value = self._seen.name(function.__globals__, name)
            if value is not _MISSING:
                yield name, self._refer(value)
                if isinstance(value, ModuleType) and self._is_entered(value.__name__):
                    modules[name] = value
        for place, module in modules.items():
            yield from self._parts(place, module, names)
        for place in called:
            module = self._module(place)
            yield from self._parts(place, module, sorted(self._seen.whole(vars(module))))

    def _imported(self, names: Iterable[str]) -> Iterator[tuple[str, ModuleType]]:
        """Yield the modules that are imported where a function runs, loaded or not."""
        for name in names:
            if "." in name and self._is_entered(name):
                module = self._module(name)
                yield name, module
                for part in names if hasattr(module, "__path__") else ():
                    if part.isidentifier() and self._seen.said(_is_there, f"{name}.{part}"):
                        yield f"{name}.{part}", self._module(f"{name}.{part}")

    def _module(self, name: str) -> ModuleType:
        module = importlib.import_module(name)
        self._seen.name(sys.modules, name)
        return module

    def _parts(self, place: str, module: ModuleType, names: Iterable[str]) -> Iterator[tuple[str, object]]:
        parts = vars(module)
        for name in names:
            value = _MISSING if name.startswith("__") else self._seen.name(parts, name)
            if value is not _MISSING and not isinstance(value, ModuleType):
                yield f"{place}.{name}", self._refer(value)

    def _is_entered(self, module: str) -> bool:
        """Tell whether the content of a module is looked at; our window loads what it shows when asked."""
        return module != _OURS and self._is_walked(module)

    def _class(self, made: type) -> None:
        kept = {name: value for name, value in self._seen.whole(vars(made)).items() if _is_told(name, value)}
        fields = self._seen.whole(kept.pop(_FIELDS, {})).items()
        for name in ("__module__", "__qualname__"):
            self._seen.part(made, name)
        self._put(
            "class", _home(made), made.__qualname__,
            *map(self._refer, self._seen.part(made, "__mro__")[1:]), *self._items(kept),
            *((name, self._seen.said(_spoken, field)) for name, field in fields),
        )  # fmt: skip


def _home(made: type) -> str:
    """Return where a class is written; one that fills in a generic one is made wherever that comes first."""
    generic = getattr(made, "__pydantic_generic_metadata__", {}).get("origin")
    return (made if generic is None else generic).__module__


def _is_told(name: str, value: object) -> bool:
    """Tell whether somebody wrote this into a class, and not Python or the library of parameters."""
    if name in {_FIELDS, "__slots__"}:
        return True
    added = name.startswith("__pydantic") or name in {"__signature__", "_abc_impl"}
    added = added or type(value).__module__.partition(".")[0] in {"pydantic", "pydantic_core", "_abc"}
    by_python = name.startswith("__") and name.endswith("__") and not callable(value)
    return not added and (not by_python or type(value) in _WRAPPERS)


@functools.cache
def _read(code: CodeType) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Return the digest of what is run, wherever it stands in its file, all names in it, and our modules.

    These are modules that are called by their names, which stand there as text.
    """
    said = (
        code.co_name, code.co_code, code.co_exceptiontable, code.co_names, code.co_varnames,
        code.co_freevars, code.co_cellvars, code.co_argcount, code.co_posonlyargcount,
        code.co_kwonlyargcount, code.co_flags & _FLAGS, *map(_constant, code.co_consts),
    )  # fmt: skip
    inside = [_read(part) for part in code.co_consts if isinstance(part, CodeType)]
    texts = [part for part in code.co_consts if isinstance(part, str) and _MODULE.fullmatch(part)]
    called = filter(_is_module, texts)
    names = dict.fromkeys((*code.co_names, *(name for part in inside for name in part[1])))
    places = dict.fromkeys((*called, *(place for part in inside for place in part[2])))
    digest = hashlib.sha256(repr(said).encode("utf-8", "surrogatepass")).hexdigest()
    return digest, tuple(names), tuple(places)


def _is_there(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def _array(array: NDArray[Any]) -> tuple[object, ...]:
    return str(array.dtype), array.shape, hashlib.sha256(array.tobytes()).digest()


def _series(series: pl.Series) -> tuple[object, ...]:
    return series.name, str(series.dtype), series.to_list()


def _expression(expression: pl.Expr) -> bytes:
    return expression.meta.serialize()


def _options(kernel: Any) -> list[str]:  # noqa: ANN401 - numba does not say what it is
    return sorted(map(repr, kernel.targetoptions.items()))


def _members(things: Iterable[object]) -> list[str]:
    return sorted(map(_spoken, things))


def _is_module(name: str) -> bool:
    try:
        return _is_there(name)
    except ModuleNotFoundError:  # what stands before the last dot is no package
        return False


def _constant(value: object) -> object:
    if isinstance(value, CodeType):
        return _read(value)[0]
    if isinstance(value, frozenset):
        return _members(value)
    return tuple(map(_constant, value)) if isinstance(value, tuple) else _spoken(value)


def _is_empty(cell: Any) -> bool:  # noqa: ANN401 - a cell of a closure
    try:
        return cell.cell_contents is _MISSING
    except ValueError:
        return True


def _slots(kind: type) -> Iterable[str]:
    named = (vars(base).get("__slots__", ()) for base in kind.__mro__)
    return (name for slots in named for name in ([slots] if isinstance(slots, str) else slots))


def _spoken(thing: object) -> str:
    return f"{type(thing).__qualname__} {_ADDRESS.sub('', repr(thing))}"


@functools.cache
def _is_library(package: str) -> bool:
    """Tell whether a package is Python's own or was installed, so that its version stands for it."""
    if not package or package in sys.stdlib_module_names:
        return bool(package)
    loaded = sys.modules.get(package)
    spec = importlib.util.find_spec(package) if loaded is None else loaded.__spec__
    if spec is None:
        return False
    places = spec.submodule_search_locations or ([] if spec.origin is None else [spec.origin])
    return any(Path(place).is_relative_to(home) for place in places for home in _homes_of_libraries())


@functools.cache
def _homes_of_libraries() -> frozenset[str]:
    paths = sysconfig.get_paths()
    named = (paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    return frozenset([*named, *site.getsitepackages(), site.getusersitepackages()])
