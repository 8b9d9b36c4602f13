# What the service asked partners otherwise than it should.
WRONG = []


def call(method, path, headers, body, copies, status):
    """Sends a request and gives the values of its response, by their places."""
    for place, value in copies.items():
        body = put(body, place, value)
    response = requests.request(
        method, TARGET + path, data=body.encode(), headers=headers, timeout=TIMEOUT
    )
    said = f"{method} {path} was answered with {response.status_code}: {response.text[:500]}"
    said = "; ".join([said, *WRONG])
    if status is None:
        assert 200 <= response.status_code < 300, said
    else:
        assert response.status_code == status, said
    return leaves(response.content)


def expect(answer, place, expected):
    """A response has this value at this place."""
    assert place in answer, f"nothing stands at {place}; there are {sorted(answer)}"
    found = answer[place]
    assert same(found, expected), f"{place} is {found!r} and should be {expected!r}"


def expect_count(answer, place, expected):
    """A response has a list of so many elements at this place."""
    found = count(answer, place)
    assert found == expected, f"{place} has {found} elements and should have {expected}"
