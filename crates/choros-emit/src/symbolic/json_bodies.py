import functools
import json
import os
import time

import requests


def leaves(body):
    """The values in a body, by their places: `order/lines/0/price`."""
    try:
        document = json.loads(body) if body else {}
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
    document = json.loads(body)
    if not place:
        return json.dumps(value)
    *way, last = place.split("/")
    part = document
    for key in way:
        part = part[int(key)] if isinstance(part, list) else part[key]
    part[int(last) if isinstance(part, list) else last] = value
    return json.dumps(document)


def same(found, expected):
    """Whether two values are one; `true` is not 1."""
    return found == expected and isinstance(found, bool) == isinstance(expected, bool)


def count(values, place):
    """How many elements a list has."""
    start = f"{place}/" if place else ""
    return len({at[len(start) :].split("/")[0] for at in values if at.startswith(start)})


def title(method, path, body):
    """What tells a request from others."""
    return f"{method} {path}"
