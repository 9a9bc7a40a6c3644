"""Every public name is importable and documented, and the values are immutable."""

import dataclasses
import inspect

import pytest

import lnnet


@pytest.mark.parametrize("name", lnnet.__all__)
def test_every_name_is_importable_and_documented(name):
    value = getattr(lnnet, name)
    assert name in dir(lnnet)
    if inspect.isclass(value) or inspect.isroutine(value):
        assert len(inspect.getdoc(value) or "") > 20


@pytest.mark.parametrize("name", [n for n in lnnet.__all__ if dataclasses.is_dataclass(getattr(lnnet, n))])
def test_values_are_frozen(name):
    assert getattr(lnnet, name).__dataclass_params__.frozen


def test_what_the_readme_promises():
    for name in ("build", "certify", "recheck", "load", "save", "LabeledPoints", "LNNet", "Certificate"):
        assert name in lnnet.__all__


def test_unknown_names():
    with pytest.raises(AttributeError, match="no attribute 'magic'"):
        _ = lnnet.magic
