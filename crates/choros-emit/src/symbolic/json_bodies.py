import functools
import json
import os
import re
import time
from decimal import Decimal
from fractions import Fraction

import requests


# How numbers are written.
NUMBER = r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?"


def read(body):
    """A document whose numbers are as exact as they were written."""
    return json.loads(body, parse_float=Decimal, parse_int=Decimal)


def write(part):
    """A document as text, with exact numbers."""
    if isinstance(part, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {write(value)}" for key, value in part.items()) + "}"
    if isinstance(part, list):
        return "[" + ", ".join(map(write, part)) + "]"
    return str(part) if isinstance(part, Decimal) else json.dumps(part)


def leaves(body):
    """The values in a body, by their places: `order/lines/0/price`."""
    try:
        document = read(body) if body else {}
    except ValueError:
        return {}
    found = {}
    open_parts = [("", document)]
    while open_parts:
        place, part = open_parts.pop()
        if isinstance(part, dict):
            inner = part.items()
        elif isinstance(part, list):
            inner = enumerate(part)
        else:
            found[place] = part
            continue
        open_parts.extend((f"{place}/{key}" if place else str(key), value) for key, value in inner)
    return found


def put(body, place, value):
    """The body with another value at a place."""
    document = read(body)
    if not place:
        return write(value)
    *way, last = place.split("/")
    part = document
    for key in way:
        part = part[int(key)] if isinstance(part, list) else part[key]
    part[int(last) if isinstance(part, list) else last] = value
    return write(document)


def same(found, expected):
    """Whether two values are one; `true` is not 1."""
    return found == expected and type(found) is type(expected)


def count(values, place):
    """How many elements a list has."""
    start = f"{place}/" if place else ""
    return len({at[len(start) :].split("/")[0] for at in values if at.startswith(start)})


def title(method, path, body):
    """What tells a request from others."""
    return f"{method} {path}"
