"""The style sheet: contrast in light and dark, the same dark by system and by choice, nothing foreign."""

import re

import pytest

TEXT = {
    "ground": "ink faint accent bad",
    "paper": "ink faint accent bad good open busy",
    "raised": "ink faint accent",
    "accent": "accent-ink",
    "accent-soft": "ink faint accent",
    "good-soft": "ink accent good",
    "bad-soft": "ink accent bad",
    "busy-soft": "ink faint accent busy",
    "open-soft": "ink open",
}
SHAPES = {"ground": "edge focus", "paper": "edge focus accent bad"}


@pytest.fixture(scope="module")
def sheet(root):
    return (root / "src" / "kakurenbo" / "web" / "static" / "site.css").read_text(encoding="utf-8")


def colours(block):
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))


def modes(sheet):
    light = re.search(r"^:root \{(.*?)^\}", sheet, flags=re.DOTALL | re.MULTILINE)[1]
    dark = re.search(r':root\[data-theme="dark"\] \{(.*?)^\}', sheet, flags=re.DOTALL | re.MULTILINE)[1]
    return {"light": colours(light), "dark": colours(dark)}


def luminance(colour):
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_and_shapes_stand_out(sheet, mode):
    found = modes(sheet)[mode]
    for pairs, least in ((TEXT, 4.5), (SHAPES, 3)):
        weak = [
            (front, back)
            for back, fronts in pairs.items()
            for front in fronts.split()
            if contrast(found[front], found[back]) < least
        ]
        assert weak == []


def test_dark_is_the_same_by_the_system_and_by_choice(sheet):
    by_system = re.search(r':root:not\(\[data-theme="light"\]\) \{(.*?)\n  \}', sheet, flags=re.DOTALL)[1]
    assert colours(by_system) == modes(sheet)["dark"]
    assert set(modes(sheet)["dark"]) == set(modes(sheet)["light"])


def test_every_colour_that_is_used_is_there(sheet):
    used = set(re.findall(r"var\(--([\w-]+)\)", sheet))
    assert used <= set(modes(sheet)["light"]) | {"shadow"}


def test_nothing_is_fetched_and_nothing_forced(sheet):
    assert "@import" not in sheet
    assert "url(" not in sheet
    assert "!important" not in sheet


@pytest.mark.parametrize(
    "wish", ["prefers-reduced-motion", "prefers-color-scheme", "prefers-contrast", "@media print"]
)
def test_wishes_are_respected(sheet, wish):
    assert wish in sheet
