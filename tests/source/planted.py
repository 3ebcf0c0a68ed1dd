"""Trees that the tests plant, and the questions that they ask."""

from pathlib import Path

from specassay.source import Form, Tree


def plant(root: Path, files: dict[str, str]) -> Path:
    """Write files below `root`."""
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


def forms_into(tree: Tree, file: str, directory: str) -> set[Form]:
    """Give the forms in which a file imports from a directory."""
    return {
        one.form
        for one in tree.read(file).imports
        for target in tree.targets(file, one)
        if target.startswith(f"{directory}/")
    }
