"""What the catalogue makes of features that another project wrote."""

from pathlib import Path

import pytest

from specassay import catalogue
from specassay.errors import UsageError

ODD = """\
@shop
Feature: Basket

  Scenario: Without a rule
    Given a

  @basket.3
  Rule: 购物车 MUST 保存

    Scenario: 清空
      Then b

    @robustness
    Scenario: !!!
      Then b

    Scenario: ???
      Then b

  @should
  Rule: A rule without a number

    Scenario Outline: Twice the same row
      Then <x> and <y>

      Examples:
        | x | y |
        | 1 | 2 |
        | 1 | 2 |

    Scenario Outline: No row
      Then <x>

      Examples:
        | x |

  Rule: A rule without a number

    Scenario: In the other one
      Then c
"""


def written(folder: Path, text: str, name: str = "basket.feature") -> Path:
    (folder / "shop").mkdir(exist_ok=True)
    (folder / "shop" / name).write_text(text, "utf-8")
    return folder


def test_every_scenario_has_an_id_of_its_own_and_nothing_is_lost(tmp_path: Path) -> None:
    suite = catalogue.load(written(tmp_path, ODD))
    assert [(one.id, one.level) for one in suite.statements()] == [
        ("shop/basket/scenarios", "must"),
        ("shop/basket.3", "must"),
        ("shop/basket/a-rule-without-a-number", "should"),
        ("shop/basket/a-rule-without-a-number-2", "must"),
    ]
    assert [(one.id, one.heading, one.line) for one in suite.scenarios()] == [
        ("shop/basket/scenarios/without-a-rule", 4, 4),
        ("shop/basket.3/清空", 10, 10),
        ("shop/basket.3/scenario", 14, 14),
        ("shop/basket.3/scenario-2", 17, 17),
        ("shop/basket/a-rule-without-a-number/twice-the-same-row[1-2]", 23, 28),
        ("shop/basket/a-rule-without-a-number/twice-the-same-row[1-2]-2", 23, 29),
        ("shop/basket/a-rule-without-a-number/no-row", 31, 31),
        ("shop/basket/a-rule-without-a-number-2/in-the-other-one", 39, 39),
    ]


def test_a_scenario_without_a_kind_is_derived_and_counts(tmp_path: Path) -> None:
    kinds = {one.id: (one.kind, one.advice) for one in catalogue.load(written(tmp_path, ODD)).scenarios()}
    assert kinds["shop/basket.3/清空"] == ("derived", False)
    assert kinds["shop/basket.3/scenario"] == ("robustness", True)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Feature: A\n  Scenario: B\n    Given c\n    Nonsense\n", ":4: this is no Gherkin: expected: #EOF"),
        ("# nothing\n", ": holds no Feature"),
        (
            "Feature: A\n\n  @basket.1\n  Rule: B\n\n  @basket.1\n  Rule: C\n",
            ":7: the Rule on line 4 has the number @basket.1, too",
        ),
    ],
    ids=["no Gherkin", "empty", "a number twice"],
)
def test_a_broken_file_is_named_with_the_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        catalogue.load(written(tmp_path, text))
    assert str(raised.value).startswith(f"{tmp_path / 'shop' / 'basket.feature'}{message}")
