"""Messages as JSON and back, by the annotations of their fields."""

from __future__ import annotations

import dataclasses
import enum
import types
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from choros_sessions.errors import UndecodableMessage
from choros_sessions.messages import Message

MAX_DEPTH = 64
"""Data that is nested more deeply than this is refused: no one's types are."""


class Codec:
    """Knows the messages of a protocol by name."""

    def __init__(self, messages: Iterable[type[Message]]) -> None:
        self._classes: dict[str, type[Message]] = {it.choros_name: it for it in messages}

    def data(self, message: Message) -> dict[str, Any]:
        """The payload of a message."""
        return {name: to_json(getattr(message, name)) for name in payload_fields(type(message))}

    def message(self, name: object, data: object) -> Message:
        """The message with this name and payload."""
        class_ = self._classes.get(name) if isinstance(name, str) else None
        if class_ is None:
            known = ", ".join(sorted(self._classes))
            raise UndecodableMessage(f"there is no message {name!r}; there are {known}")
        if not isinstance(data, dict):
            raise UndecodableMessage(f"the payload of {name} must be an object, not {data!r}")
        return cast("Message", from_json(class_, data, str(name), 0))


def payload_fields(class_: type) -> dict[str, Any]:
    """The fields of a message and their annotations."""
    if not dataclasses.is_dataclass(class_):
        return {}
    hints = get_type_hints(class_, include_extras=True)
    return {field.name: hints[field.name] for field in dataclasses.fields(class_) if field.init}


def to_json(value: Any) -> Any:
    """A value as JSON can hold it."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {name: to_json(getattr(value, name)) for name in payload_fields(type(value))}
    if isinstance(value, enum.Enum):
        return value.name
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): to_json(it) for key, it in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [to_json(it) for it in cast("Iterable[Any]", value)]
    return value


def from_json(annotation: Any, value: Any, where: str, depth: int = 0) -> Any:
    """The value of this annotated type that the JSON stands for."""
    if depth > MAX_DEPTH:
        raise UndecodableMessage(f"{where} is nested too deeply")
    origin, arguments = get_origin(annotation), get_args(annotation)
    if annotation is Any or annotation is object:
        return value
    if origin is Annotated:
        return from_json(arguments[0], value, where, depth)
    if origin in (Union, types.UnionType):
        return _first_that_fits(arguments, value, where, depth)
    if origin is Literal:
        if value in arguments:
            return value
    elif annotation is None or annotation is type(None):
        if value is None:
            return None
    elif dataclasses.is_dataclass(annotation):
        return _record(cast("type", annotation), value, where, depth)
    elif isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        if isinstance(value, str) and value in annotation.__members__:
            return annotation[value]
    elif annotation is Decimal:
        if isinstance(value, str):
            try:
                return Decimal(value)
            except ArithmeticError:
                pass
    elif origin in (list, set, frozenset, tuple) and isinstance(value, list):
        return _elements(origin, arguments, cast("list[Any]", value), where, depth)
    elif origin is dict and isinstance(value, dict):
        entries = cast("dict[str, Any]", value).items()
        return {key: from_json(arguments[1], it, f"{where}.{key}", depth + 1) for key, it in entries}
    elif annotation is float:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return float(value)
    elif annotation is int:
        if isinstance(value, int) and not isinstance(value, bool):
            return value
    elif isinstance(annotation, type) and isinstance(value, annotation):
        return value
    raise UndecodableMessage(f"{where} must be of type {type_name(annotation)}, not {value!r}")


def type_name(annotation: Any) -> str:
    return str(getattr(annotation, "__name__", annotation))


def _first_that_fits(arguments: tuple[Any, ...], value: Any, where: str, depth: int) -> Any:
    for argument in arguments:
        try:
            return from_json(argument, value, where, depth + 1)
        except UndecodableMessage:
            continue
    names = " or ".join(type_name(it) for it in arguments)
    raise UndecodableMessage(f"{where} must be of type {names}, not {value!r}")


def _record(class_: type, value: Any, where: str, depth: int) -> Any:
    if not isinstance(value, dict):
        raise UndecodableMessage(f"{where} must be an object, not {value!r}")
    given = cast("dict[str, Any]", value)
    wanted = payload_fields(class_)
    if unknown := sorted(set(given) - set(wanted)):
        raise UndecodableMessage(f"{where} has no field {', '.join(unknown)}")
    fields = {
        name: from_json(annotation, given[name], f"{where}.{name}", depth + 1)
        for name, annotation in wanted.items()
        if name in given
    }
    try:
        return class_(**fields)
    except TypeError as error:
        raise UndecodableMessage(f"{where}: {error}") from error


def _elements(
    origin: Any, arguments: tuple[Any, ...], value: list[Any], where: str, depth: int
) -> Any:
    if origin is tuple and arguments[-1] is not Ellipsis:
        if len(arguments) != len(value):
            raise UndecodableMessage(f"{where} must have {len(arguments)} elements, not {len(value)}")
        kinds = list(arguments)
    else:
        kinds = [arguments[0]] * len(value)
    make = cast("Any", origin)
    return make(
        from_json(kind, it, f"{where}[{index}]", depth + 1)
        for index, (kind, it) in enumerate(zip(kinds, value, strict=True))
    )
