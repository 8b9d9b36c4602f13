# What the service asked partners otherwise than it should.
WRONG = []


class OtherBranch(Exception):
    """The service took another branch, which the model allows too."""


def either(test):
    """A test in which the service has a choice: it says which branch was seen, and what follows is not tested."""

    @functools.wraps(test)
    def run():
        try:
            test()
        except OtherBranch as seen:
            print(f"{test.__name__}: the service took another branch that the model allows: {seen}")

    return run


def ask(method, path, headers, body, copies, ticks):
    """Sends a request; the status of its response, its values by their places, and both in words."""
    for place, value in copies.items():
        body = put(body, place, value)
    response = requests.request(
        method,
        TARGET + path,
        data=body.encode(),
        headers={**HEADERS, **headers},
        timeout=TIMEOUT + ticks * TICK,
    )
    said = f"{method} {path} was answered with {response.status_code}: {response.text[:500]}"
    return response.status_code, leaves(response.content), "; ".join([said, *WRONG])


def fits(found, status):
    """Whether a status is the one that is due."""
    return 200 <= found < 300 if status is None else found == status


def call(method, path, headers, body, copies, status, ticks=0):
    """Sends a request and gives the values of its response, by their places; it may take some units of time."""
    found, answer, said = ask(method, path, headers, body, copies, ticks)
    assert fits(found, status), said
    return answer


def call_either(method, path, headers, body, copies, status, check, others, ticks=0):
    """The same where the model allows other answers: each has a name, a status and what must stand in it."""
    found, answer, said = ask(method, path, headers, body, copies, ticks)
    why = [said]
    for name, due, is_so in [(None, status, check), *others]:
        if fits(found, due):
            try:
                is_so(answer)
            except AssertionError as error:
                why.append(str(error))
                continue
            if name is not None:
                raise OtherBranch(name)
            return answer
    raise AssertionError("; ".join(why))


def expect(answer, place, expected):
    """A response has this value at this place."""
    assert place in answer, f"nothing stands at {place}; there are {sorted(answer)}"
    found = answer[place]
    assert same(found, expected), f"{place} is {found!r} and should be {expected!r}"


def expect_number(answer, place, expected):
    """A response has this number at this place."""
    assert place in answer, f"nothing stands at {place}; there are {sorted(answer)}"
    found = answer[place]
    same_number = number(found) is not None and number(found) == number(expected)
    assert same_number, f"{place} is {found!s} and should be {expected!s}"


def expect_count(answer, place, expected):
    """A response has a list of this many elements at this place."""
    found = count(answer, place)
    assert found == expected, f"{place} has {found} elements and should have {expected}"
