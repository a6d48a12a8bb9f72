"""Change points of Apache Otava: JSON lines in, JSON lines out. `pip install apache-otava`, then `python ask-otava.py < in > out`.

Each line in: {"values": [...], "each": bool, "window": 50, "pvalue": 0.001, "magnitude": 0.0}.
Each line out: the indexes it finds, or with "each" one list after each point, from the sixth on.
"""

import json
import sys

from otava.analysis import compute_change_points

FEWEST = 6


def find(values, line):
    points, _ = compute_change_points(
        values, window_len=line["window"], max_pvalue=line["pvalue"], min_magnitude=line["magnitude"]
    )
    return [int(point.index) for point in points]


for text in sys.stdin:
    line = json.loads(text)
    values = line["values"]
    if line["each"]:
        found = [find(values[: n + 1], line) if n + 1 >= FEWEST else [] for n in range(len(values))]
    else:
        found = find(values, line)
    print(json.dumps(found), flush=True)
