"""The networks that score dictionaries in a search.

A search scores on X_val, so none of its networks may watch it: they are fitted without validation data.
"""

from dataclasses import replace

from dasksvd.common.registry import Registry
from dasksvd.networks import NETWORKS

#: Names in plans and scores, where they differ from those in :data:`NETWORKS`.  Those files have always called the
#: network with a fixed number of epochs "modern", so the one with early stopping has no name there.
_STORED_NAMES = {"fixed": "modern"}


def search_networks() -> Registry[type]:
    """The networks of searches under the names that plans and scores have for them."""
    found: Registry[type] = Registry("network of a search")
    for entry in NETWORKS.entries():
        if entry.name not in _STORED_NAMES.values():
            found.add(replace(entry, name=_STORED_NAMES.get(entry.name, entry.name)))
    return found


def own_name(stored: str) -> str:
    """The name in :data:`NETWORKS` of a network that a plan or a score names."""
    own_names = {name: own for own, name in _STORED_NAMES.items()}
    return own_names.get(stored, search_networks().check(stored))
