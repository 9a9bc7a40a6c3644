"""PyTorch: an LN-Net as ``nn.Sequential`` of ``Linear`` and ``LayerNorm``, and back."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from constructions.errors import InputError, UnreadableFileError
from constructions.network import LNNet
from constructions.points import Label
from lnnet.interop.stages import Diagonal, Linear, Norm, Stage, assemble, float_layers


def to_torch(net: LNNet, dtype: str | None = None) -> Any:
    """The network as a torch module with exactly its weights.

    Args:
        net: a network with float weights.
        dtype: ``"float32"`` or ``"float64"``; by default what the network's weights are.

    Returns:
        ``nn.Sequential(Linear, LayerNorm(n, elementwise_affine=False, eps=…), Linear, …)``, in evaluation mode. Its
        output is one column for a threshold, one logit a class otherwise.

    Raises:
        UnrepresentableError: the weights are not values of the format.
        InputError: PyTorch is not installed.
    """
    torch = _torch()
    name, layers, epsilon = float_layers(net, dtype)
    kind = getattr(torch, name)
    modules: list[Any] = []
    for number, (weight, bias) in enumerate(layers):
        linear = torch.nn.Linear(weight.shape[1], weight.shape[0], dtype=kind)
        with torch.no_grad():
            linear.weight.copy_(torch.from_numpy(weight))
            linear.bias.copy_(torch.from_numpy(bias))
        modules.append(linear)
        if number < net.depth:
            modules.append(torch.nn.LayerNorm(weight.shape[0], eps=epsilon, elementwise_affine=False))
    return torch.nn.Sequential(*modules).eval()


def from_torch(module: Any, classes: Sequence[Label] | None = None) -> LNNet:
    """The LN-Net that a torch module is, over the reals and exactly.

    Parameters of LayerNorm are multiplied into the next Linear, which makes the weights dyadic; without them they stay
    the module's floats.

    Args:
        module: an ``nn.Sequential`` (possibly nested) of Linear, LayerNorm over the last axis, Identity and Dropout.
        classes: labels of the outputs; by default 0, 1, … (0 and 1 for a single output, read by its sign).

    Raises:
        InputError: any other module, mixed types, or PyTorch is not installed.
        ShapeError: layers that do not fit together.
    """
    torch = _torch()
    leaves = list(_leaves(module, torch.nn, "the model"))
    kinds = {str(p.dtype).removeprefix("torch.") for p in module.parameters()}
    if len(kinds) != 1:
        raise InputError(f"Expected parameters of one floating-point type, not {sorted(kinds) or 'none'}.")
    stages: list[Stage] = []
    for leaf in leaves:
        if isinstance(leaf, torch.nn.Linear):
            bias = 0.0 if leaf.bias is None else _array(leaf.bias)
            stages.append(Linear(_array(leaf.weight), bias))
        else:
            stages.append(Norm(leaf.eps, int(leaf.normalized_shape[0])))
            if leaf.weight is not None:
                stages.append(Diagonal(_array(leaf.weight), 0.0 if leaf.bias is None else _array(leaf.bias)))
    return assemble(stages, kinds.pop(), classes)


def save_torch(net: LNNet, path: str | os.PathLike[str], dtype: str | None = None) -> None:
    """Write `to_torch` of a network with ``torch.save``."""
    module = to_torch(net, dtype)
    try:
        _torch().save(module, path)
    except (OSError, RuntimeError) as error:
        raise UnreadableFileError(f"Cannot write {os.fspath(path)}: {error}.") from None


def load_torch(path: str | os.PathLike[str], classes: Sequence[Label] | None = None) -> LNNet:
    """Import a module that ``torch.save`` wrote.

    Only the classes that an LN-Net consists of are unpickled, so that a file cannot run code.

    Raises:
        UnreadableFileError: missing, no torch file, or a file that holds anything else.
        InputError: as `from_torch`.
    """
    torch = _torch()
    nn = torch.nn
    allowed = [
        nn.Sequential,
        nn.Linear,
        nn.LayerNorm,
        nn.Identity,
        nn.Dropout,
        *(nn.modules.container.Sequential, nn.modules.linear.Linear, nn.modules.normalization.LayerNorm, set),
    ]
    try:
        with torch.serialization.safe_globals(allowed):
            module = torch.load(path, map_location="cpu", weights_only=True)
    except FileNotFoundError:
        raise UnreadableFileError(f"Cannot read {os.fspath(path)}: no such file.") from None
    except Exception as error:  # torch raises whatever its unpickler meets
        first = str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
        raise UnreadableFileError(
            f"{os.fspath(path)} is no torch file of Sequential, Linear and LayerNorm modules only: {first}"
        ) from None
    if not isinstance(module, nn.Module):
        raise UnreadableFileError(
            f"{os.fspath(path)} holds a {type(module).__name__}, not a module; save the whole nn.Sequential, "
            "not its state."
        )
    return from_torch(module, classes)


def _leaves(module: Any, nn: Any, where: str) -> Any:
    if isinstance(module, nn.Sequential):
        for name, child in module.named_children():
            yield from _leaves(child, nn, f"{where}[{name}]")
    elif isinstance(module, nn.Linear):
        yield module
    elif isinstance(module, nn.LayerNorm):
        if len(module.normalized_shape) != 1:
            raise InputError(
                f"{where} normalises over {tuple(module.normalized_shape)}; only the last axis can be imported."
            )
        yield module
    elif not isinstance(module, (nn.Identity, nn.Dropout)):
        raise InputError(
            f"{where} is a {type(module).__name__}; only Sequential, Linear, LayerNorm, Identity and Dropout "
            "can be imported as an LN-Net."
        )


def _array(parameter: Any) -> Any:
    return parameter.detach().cpu().numpy()


def _torch() -> Any:
    try:
        import torch
    except ImportError:
        raise InputError("PyTorch is not installed: install it with  pip install 'lnnet[torch]'.") from None
    return torch
