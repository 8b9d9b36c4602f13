def number(value):
    """A value as an exact number, which may stand in a text: `12`, `-1.5`, `2e3`, `61/5`; None if it is not a number."""
    if isinstance(value, Decimal):
        return value
    if not isinstance(value, str):
        return None
    above, slash, below = value.partition("/")
    if not re.fullmatch(NUMBER, above, re.ASCII) or slash and not re.fullmatch(NUMBER, below, re.ASCII):
        return None
    if not slash:
        return Decimal(above)
    above, below = Fraction(above), Fraction(below)
    return above / below if below and above.denominator == below.denominator == 1 else None
