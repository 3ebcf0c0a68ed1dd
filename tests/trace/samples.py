"""The specifications that the tests read, written in the forms that real ones have."""

from pathlib import Path

FOLDER = Path(__file__).parent / "specifications"
NAMES = sorted(file.stem for file in FOLDER.glob("*.md"))


def path(name: str) -> Path:
    return FOLDER / f"{name}.md"


def text(name: str) -> str:
    return path(name).read_text("utf-8")
