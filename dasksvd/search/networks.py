"""The networks that score dictionaries in a search."""

from dasksvd.common.registry import Registry
from dasksvd.networks import NETWORKS

#: A search scores on X_val, so its networks must not watch it: the one that stops early is replaced by one of a
#: fixed number of epochs, which plans and scores have always called by the same name.
_FIXED_EPOCHS = {"modern": ("dasksvd.networks.fixed_epochs:QuickClassifier", "ReLU, Adam, 20 epochs")}


def search_networks() -> Registry[type]:
    """The networks of searches under the names that plans and scores have for them."""
    found: Registry[type] = Registry("network of a search")
    for entry in NETWORKS.entries():
        if entry.name in _FIXED_EPOCHS:
            home, title = _FIXED_EPOCHS[entry.name]
            found.declare(entry.name, home, title=title)
        else:
            found.add(entry)
    return found
