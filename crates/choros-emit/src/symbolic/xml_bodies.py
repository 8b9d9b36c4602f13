import functools
import os
import re
import time
import xml.etree.ElementTree as ElementTree
from decimal import Decimal
from fractions import Fraction

import requests


# How numbers are written.
NUMBER = r"\s*[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\s*"


def elements(root):
    """The elements without children, by their places: `Envelope/Body/order/line[1]/price`."""
    open_parts = [(local(root), root)]
    while open_parts:
        place, element = open_parts.pop()
        if len(element) == 0:
            yield place, element
        seen = {}
        for child in element:
            name = local(child)
            count = seen[name] = seen.get(name, -1) + 1
            open_parts.append((f"{place}/{name}[{count}]" if count else f"{place}/{name}", child))


def local(element):
    """A name without its namespace."""
    return element.tag.rpartition("}")[2]


def leaves(body):
    """The texts in a body, by their places."""
    try:
        root = ElementTree.fromstring(body)
    except ElementTree.ParseError:
        return {}
    return {place: element.text or "" for place, element in elements(root)}


def put(body, place, value):
    """The body with another text at a place."""
    root = ElementTree.fromstring(body)
    dict(elements(root))[place].text = value
    return ElementTree.tostring(root, encoding="unicode")


def same(found, expected):
    """Whether two texts are one value: `1` is `true`."""
    if expected in ("true", "false"):
        return {"1": "true", "0": "false"}.get(found.strip(), found.strip()) == expected
    return found == expected


def count(values, place):
    """How many elements a list has."""
    element = re.compile(re.escape(place) + r"(\[\d+\])?(?=/|$)")
    return len({found.group(0) for at in values if (found := element.match(at))})


def title(method, path, body):
    """What tells a request from others: the element in its envelope."""
    try:
        root = ElementTree.fromstring(body)
    except ElementTree.ParseError:
        return f"{method} {path}"
    inner = [local(one) for part in root if local(part) == "Body" for one in part]
    return inner[0] if inner else ""
