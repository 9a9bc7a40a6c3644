"""Equations 203 to 207 with constants, against simulation, and the command that prints them."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from constructions.errors import InputError
from constructions.network_file import save_network
from constructions.xor import figure1_network
from lnnet.cli import main
from proofs.relu_comparison import expected_norm_of_layer_norm, expected_norm_of_relu, relu_ratio


def simulated_norm(c, samples=200_000):
    """Σ_i E‖∇²x̂_i‖_F on R^c, from the Hessian's formula (181)."""
    x = np.random.default_rng(0).normal(size=(samples, c))
    x -= x.mean(axis=1, keepdims=True)
    variance = (x**2).mean(axis=1, keepdims=True)
    hat = x / np.sqrt(variance)
    return (np.sqrt(c * (hat**2 + 2) - (4 * hat**2 + 2)) / (c * variance)).sum(axis=1).mean()


@pytest.mark.parametrize("c", [6, 9, 16])
def test_the_bounds_contain_the_simulated_expectation(c):
    norm = expected_norm_of_layer_norm(c)
    assert float(norm.low) <= simulated_norm(c) * 1.02
    assert simulated_norm(c) <= float(norm.high) * 1.02


def test_groups_of_four_three_and_two():
    four = expected_norm_of_layer_norm(256, 64)
    assert four.exact
    assert float(four.low) == pytest.approx(math.sqrt(6) * 256)
    assert expected_norm_of_layer_norm(9, 3).low == float("inf")
    assert expected_norm_of_layer_norm(8, 4).high == 0
    assert float(expected_norm_of_relu(8)) == pytest.approx(8 / math.sqrt(2 * math.pi))
    low, high = relu_ratio(256, 64)
    assert low <= math.sqrt(12 * math.pi) <= high
    assert high - low < 1e-12


@given(st.integers(1, 12), st.integers(4, 12))
def test_lower_bounds_lie_below_upper_bounds_and_scale_with_the_groups(groups, c):
    whole, one = expected_norm_of_layer_norm(groups * c, groups), expected_norm_of_layer_norm(c)
    assert whole.low <= whole.high or whole.exact
    assert float(whole.high) == pytest.approx(groups * float(one.high))


def test_errors():
    for d, groups in ((4, 3), (4, 4), (4, 0)):
        with pytest.raises(InputError):
            expected_norm_of_layer_norm(d, groups)
    with pytest.raises(InputError):
        expected_norm_of_relu(0)


def test_the_command_prints_the_table(capsys):
    assert main(["nonlinearity", "--dimensions", "6", "16", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [(r["d"], r["g"]) for r in rows] == [(6, 1), (6, 2), (6, 3), (16, 1), (16, 2), (16, 4), (16, 8)]
    assert rows[1]["least_ratio_to_ReLU"] == "infinite"
    assert rows[5]["smallest_ratio_to_LN"] == "16/7"  # 4·(16 − 8)/14


def test_the_command_at_a_point(capsys, tmp_path):
    assert main(["nonlinearity", "--at", "0", "1", "2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["H"] == "9/4"  # (3 − 6/3)/(2/3)²
    path = str(tmp_path / "net.json")
    save_network(figure1_network(), path)
    assert main(["nonlinearity", path, "--at", "0", "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["H"].startswith("[16.0")  # f'' = −4 at the apex of Figure 1's fold


@pytest.mark.parametrize(
    "arguments", [["--at", "1", "1"], ["--at", "x"], ["--at", "1", "2", "--dimensions", "6"], ["--dimensions", "2"]]
)
def test_bad_input(arguments, capsys):
    assert main(["nonlinearity", *arguments]) == 2
    assert capsys.readouterr().err
