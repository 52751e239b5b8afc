"""Networks that read sparse codes: each is registered once and appears by itself wherever one is chosen."""

from dasksvd.common.registry import Registry

#: name -> class with fit(X, y, X_val=None, y_val=None), predict and predict_proba
NETWORKS: Registry[type] = Registry("network")
register = NETWORKS.register
NETWORKS.declare("modern", "dasksvd.networks.mlp:ModernClassifier", title="ReLU network, Adam, early stopping")
NETWORKS.declare("scg", "dasksvd.networks.mlp:SCGClassifier", title="The paper's network, SCG")
