"""Change points of Apache Otava: JSON lines in, JSON lines out. `pip install apache-otava`, then `python ask-otava.py < in > out`.

Each line in: {"values": [...], "each": bool, "window": 50, "pvalue": 0.001, "magnitudes": [0.0]}.
Each line out: for each magnitude the indexes it finds, or with "each" one list after each point, from the sixth on.
"""

import json
import sys

from otava.analysis import merge, split

FEWEST = 6
# As in compute_change_points, which runs these two steps with ten times the p-value in the first.
FIRST_PASS = 10


def find(values, line):
    weak = split(values, line["window"], FIRST_PASS * line["pvalue"])
    return [
        [int(point.index) for point in merge(list(weak), values, line["pvalue"], magnitude)]
        for magnitude in line["magnitudes"]
    ]


for text in sys.stdin:
    line = json.loads(text)
    values = line["values"]
    nothing = [[] for _ in line["magnitudes"]]
    if line["each"]:
        each = [find(values[: n + 1], line) if n + 1 >= FEWEST else nothing for n in range(len(values))]
        found = [[after[index] for after in each] for index in range(len(nothing))]
    else:
        found = find(values, line)
    print(json.dumps(found), flush=True)
