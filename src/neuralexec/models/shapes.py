"""Shapes in signatures, with one vocabulary: nodes, edges, graphs, latent, and what leads them.

They are checked under test, where jaxtyping is installed; elsewhere they are words.
"""

from typing import TYPE_CHECKING, Any

from torch import Tensor

__all__ = ["Bool", "Float", "Int", "Tensor"]

if TYPE_CHECKING:
    from jaxtyping import Bool, Float, Int
else:
    try:
        from jaxtyping import Bool, Float, Int
    except ImportError:

        class _Anything:
            def __class_getitem__(cls, item: Any) -> type[Tensor]:
                return Tensor

        Bool = Float = Int = _Anything
