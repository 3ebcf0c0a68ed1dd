"""A small library: what the example's specification is about."""


class Library:
    """Lends books, and reminds of them."""

    def __init__(self) -> None:
        self.lent: dict[str, str] = {}
        self.reminded: list[str] = []

    def lend(self, book: str, reader: str) -> None:
        """Lend a book, unless somebody has it."""
        self.lent.setdefault(book, reader)

    def wait(self, days: int) -> None:
        """Let days pass."""
        if days >= 30:
            self.reminded += [one for one in self.lent.values() if one not in self.reminded]
