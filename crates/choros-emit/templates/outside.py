"""How messages look outside: names, methods, paths and places of fields are those of the binding."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from enum import Enum
from fractions import Fraction
from typing import Any, get_args, get_origin
from urllib.parse import parse_qsl, quote, unquote

from . import messages
from .network import Failure


@dataclass(frozen=True)
class Place:
    """Where a field is, and what is computed from what is found there."""

    # "body", "path", "query" or "header".
    part: str
    labels: tuple[str, ...]
    steps: tuple[tuple[str, Fraction], ...] = ()


@dataclass(frozen=True)
class Outside:
    """How a message looks."""

    # What events and logs call it.
    name: str
    topic: str | None
    # Method and path of a request; None if it is a response.
    request: tuple[str, str] | None
    # A response has one of these statuses, such as "201" or "4xx"; any of success if there are none.
    statuses: tuple[str, ...]
    # The status that a response is sent with.
    status: int
    # What is always there.
    constants: tuple[tuple[Place, Any], ...]
    # Where each field is.
    fields: tuple[Place, ...]


@dataclass(frozen=True)
class Envelope:
    """A message as it travels: a request with a method and a target, or a response with a status."""

    method: str | None = None
    # The path and the query.
    target: str | None = None
    status: int | None = None
    headers: dict[str, str] = field(default_factory=dict)
    # JSON, or None if there is no body; numbers with a fraction are read exactly as `Fraction`.
    body: Any = None
    # The parameters of the path; of a response, those of the request that it answers.
    parameters: dict[str, str] = field(default_factory=dict)
    name: str | None = None
    topic: str | None = None

    def text(self) -> str:
        """The body as JSON."""
        return "" if self.body is None else json.dumps(self.body, default=_number)

    def __str__(self) -> str:
        line = str(self.status) if self.method is None else f"{self.method} {self.target}"
        return f"{line} {self.text()}".rstrip()


def read_body(text: str) -> Any:
    """The body that a text is; numbers are exact."""
    return json.loads(text, parse_float=Fraction) if text.strip() else None


def encode(payload: messages.Payload) -> Envelope:
    """A message as it is sent."""
    outside = OUTSIDE.get(type(payload))
    if outside is None:
        raise Failure(f"network: {payload} has no form outside")
    parts: dict[str, dict[str, str]] = {"path": {}, "query": {}, "header": {}}
    body: Any = {}
    values = [(place, _outward(value)) for place, value in outside.constants]
    for place, known in zip(outside.fields, fields(payload)):
        values.append((place, _outward(_undone(place, getattr(payload, known.name)))))
    for place, value in values:
        if place.part == "body":
            body = _put(body, place.labels, value)
        else:
            parts[place.part][place.labels[0]] = value if isinstance(value, str) else json.dumps(value)
    method, path = outside.request or (None, None)
    if body == {} and method in ("GET", "HEAD", "DELETE", "OPTIONS"):
        body = None
    return Envelope(
        method=method,
        target=None if path is None else _target(path, parts["path"], parts["query"]),
        status=outside.status if path is None else None,
        headers=parts["header"],
        body=body,
        parameters=parts["path"],
        name=outside.name,
        topic=outside.topic,
    )


def decode(envelope: Envelope, kinds: Sequence[type]) -> messages.Payload:
    """The message that came, which is one of these kinds; the one that says most about it."""
    best: list[Any] = []
    most: tuple[int, ...] = ()
    reasons = []
    for kind in kinds:
        outside = OUTSIDE[kind]
        try:
            payload = _read(kind, outside, envelope)
        except (LookupError, TypeError, ValueError, ZeroDivisionError) as reason:
            reasons.append(f"{kind.__name__}: {reason}")
            continue
        path = outside.request[1] if outside.request else ""
        fixed = sum(not part.startswith("{") for part in path.split("/"))
        said = len(outside.constants) + bool(outside.statuses)
        rank = (fixed, said, len(outside.fields))
        if rank > most:
            best, most = [payload], rank
        elif rank == most:
            best.append(payload)
    if len(best) == 1:
        return best[0]
    why = f"it may be {best[0]} or {best[1]}" if best else "; ".join(reasons)
    raise Failure(f"network: {envelope} is not a message that is expected: {why}")


def _read(kind: type, outside: Outside, envelope: Envelope) -> Any:
    parts = {"path": envelope.parameters, "query": {}, "header": {}}
    parts["header"] = {name.lower(): text for name, text in envelope.headers.items()}
    if envelope.status is None:
        if outside.request is None or envelope.target is None:
            raise ValueError("it is a response")
        method, template = outside.request
        path, _, query = envelope.target.partition("?")
        if envelope.method != method:
            raise ValueError(f"its method is {method}")
        parts["path"] = _matched(template.partition("?")[0], path)
        parts["query"] = dict(parse_qsl(query, keep_blank_values=True))
    elif outside.request is not None:
        raise ValueError("it is a request")
    elif not _has_status(outside, envelope.status):
        raise ValueError(f"its status is not {envelope.status}")

    def found(place: Place) -> Any:
        if place.part != "body":
            return parts[place.part][place.labels[0]]
        at = envelope.body
        for label in place.labels:
            at = at[int(label)] if isinstance(at, list) else at[label]
        return at

    for place, value in outside.constants:
        there, expected = found(place), _outward(value)
        if place.part != "body" and not isinstance(expected, str):
            expected = json.dumps(expected)
        if isinstance(there, bool) != isinstance(expected, bool) or there != expected:
            raise ValueError(f"{'.'.join(place.labels)} is not {expected!r}")
    values = []
    for place, known in zip(outside.fields, fields(kind)):
        there = found(place)
        if place.steps:
            there = _computed(place, _inward(Fraction, there))
        values.append(_inward(known.type, there))
    return kind(*values)


def _has_status(outside: Outside, status: int) -> bool:
    forms = (str(status), f"{status // 100}xx", "*")
    return any(form in outside.statuses for form in forms) if outside.statuses else 200 <= status < 300


def _target(path: str, parameters: dict[str, str], query: dict[str, str]) -> str:
    parts = []
    for part in path.split("/"):
        is_open = part.startswith("{") and part.endswith("}")
        parts.append(quote(parameters.get(part[1:-1], ""), safe="") if is_open else part)
    target = "/".join(parts)
    for name, text in query.items():
        target += f"{'&' if '?' in target else '?'}{quote(name, safe='')}={quote(text, safe='')}"
    return target


def _matched(template: str, path: str) -> dict[str, str]:
    """The parameters of a path."""
    open_parts, parts = template.split("/"), path.split("/")
    parameters = {}
    if len(open_parts) != len(parts):
        raise ValueError(f"its path is {template}")
    for known, part in zip(open_parts, parts):
        if known.startswith("{"):
            parameters[known[1:-1]] = unquote(part)
        elif unquote(known) != unquote(part):
            raise ValueError(f"its path is {template}")
    return parameters


def _put(tree: Any, labels: Sequence[str], value: Any, is_inside: bool = False) -> Any:
    """Puts a value at a place of a body; numbers among the labels make lists."""
    if not labels:
        return value
    label, rest = labels[0], labels[1:]
    if is_inside and tree == {} and label.isdecimal() and int(label) < 1000:
        tree = []
    if isinstance(tree, list):
        number = int(label)
        tree.extend({} for _ in range(number + 1 - len(tree)))
        tree[number] = _put(tree[number], rest, value, True)
    else:
        tree[label] = _put(tree.get(label, {}), rest, value, True)
    return tree


def _computed(place: Place, value: Fraction) -> Fraction:
    for sign, number in place.steps:
        value = _step(sign, value, number)
    return value


def _undone(place: Place, value: Any) -> Any:
    inverse = {"+": "-", "-": "+", "*": "/", "/": "*"}
    for sign, number in reversed(place.steps):
        value = _step(inverse[sign], Fraction(value), number)
    return value


def _step(sign: str, value: Fraction, number: Fraction) -> Fraction:
    match sign:
        case "+":
            return value + number
        case "-":
            return value - number
        case "*":
            return value * number
    return value / number


def _number(value: int | Fraction) -> Any:
    """A number of JSON, or a text where usual readers of JSON would round it."""
    if value.denominator == 1:
        whole = int(value)
        return whole if abs(whole) < 2**63 else str(whole)
    if abs(value) < 2**63 and Fraction(repr(float(value))) == value:
        return float(value)
    return str(value)


def _outward(value: Any) -> Any:
    """A value as JSON."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, (int, Fraction)):
        return _number(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_outward(item) for item in value]
    labels = LABELS.get(type(value))
    if labels is None:
        return value.value
    return {label: _outward(getattr(value, it.name)) for label, it in zip(labels, fields(value))}


def _inward(kind: Any, found: Any) -> Any:
    """A value of a kind, from JSON or from the text of a path, a query or a header."""
    if kind is bool:
        if found in ("true", "false"):
            return found == "true"
        if isinstance(found, bool):
            return found
    elif kind in (int, Fraction):
        if not isinstance(found, bool) and isinstance(found, (int, str, float, Fraction)):
            number = Fraction(repr(found) if isinstance(found, float) else found)
            if kind is Fraction:
                return number
            if number.denominator == 1:
                return int(number)
    elif get_origin(kind) is tuple:
        if isinstance(found, list):
            return tuple(_inward(get_args(kind)[0], item) for item in found)
    elif kind in LABELS:
        pairs = zip(LABELS[kind], fields(kind))
        return kind(*[_inward(it.type, found[label]) for label, it in pairs])
    elif isinstance(found, str):
        return kind(found)
    raise ValueError(f"expected {getattr(kind, '__name__', kind)}, found {found!r}")
