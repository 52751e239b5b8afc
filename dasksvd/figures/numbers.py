"""Numbers as they are read."""


def signed(value: float, digits: int = 2) -> str:
    """A number with its sign, "+0.25"; what rounds to zero has none.

    Examples
    --------
    >>> signed(0.254), signed(-0.254), signed(-0.001)
    ('+0.25', '-0.25', '0.00')
    """
    text = f"{value:+.{digits}f}"
    return text if float(text) else text[1:]
