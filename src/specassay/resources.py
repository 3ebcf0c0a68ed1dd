"""Where the content of the product lies, in a checkout and in a wheel alike."""

from importlib.resources import files
from pathlib import Path

_ROOT = Path(str(files("specassay")))

FEATURES = _ROOT / "features"
STEPS = _ROOT / "steps"
REFERENCE = _ROOT / "reference"
FIXTURES = _ROOT / "fixtures"
SCHEMAS = FIXTURES / "schemas"
KITS = _ROOT / "drivers" / "kits"
