"""What a driver wrote, made safe to show: a leaf that whatever shows it may use."""


def visible(text: str) -> str:
    r"""Write what cannot be seen as escapes (`\x1b`): it may move the cursor, or hide text, or turn it round."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)


def visible_lines(text: str) -> str:
    """Do the same line by line; a line end stays one."""
    return "\n".join(visible(line.expandtabs(4)) for line in text.splitlines())
