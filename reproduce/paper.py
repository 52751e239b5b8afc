"""The paper's own numbers, in percent."""

#: Over which its means are taken.
ROUNDS = 10
#: Tables 1 and 3: atoms per class -> (mean, sd, best of ten rounds).
SIZES = {5: (91.25, 0.67, 92.23), 10: (94.36, 0.27, 95.03), 15: (94.74, 0.27, 95.90), 20: (94.87, 0.33, 96.20)}
#: D13: what the text says where it differs from Table 3.
SIZES_IN_THE_TEXT = {5: (91.25, 0.63, 92.23), 15: (94.79, 0.30, 95.90)}
#: Table 2: method -> hidden units -> accuracy; 200 inputs, raw pixels 784.
METHODS = {
    "das-ksvd": {50: 95.3, 100: 96.1, 200: 96.2, 300: 96.4, 1000: 96.7},
    "ksvd": {50: 93.5, 100: 92.8, 200: 92.3, 300: 92.8, 1000: 92.7},
    "lc-ksvd2": {50: 91.8, 100: 91.9, 200: 92.0, 300: 92.1, 1000: 92.3},
    "raw-28": {300: 95.3, 1000: 95.5},
}
