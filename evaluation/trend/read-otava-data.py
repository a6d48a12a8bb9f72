"""Prints the series of Apache Otava's own tests and examples as JSON: `python read-otava-data.py CHECKOUT`. Nothing of them is kept here."""

import ast
import csv
import io
import json
import pathlib
import sys

root = pathlib.Path(sys.argv[1])


def lists_in(path):
    """Every list of at least ten numbers that stands in a test, once, by the name of its function."""
    found = []
    tree = ast.parse((root / path).read_text())
    # The expected values of a test are no series.
    expected = [id(part) for node in ast.walk(tree) if isinstance(node, ast.Compare) for part in ast.walk(node)]
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.List) and len(node.elts) >= 10 and id(node) not in expected:
                try:
                    values = ast.literal_eval(node)
                except ValueError:
                    continue
                if all(isinstance(value, (int, float)) for value in values):
                    found.append((f"{pathlib.Path(path).stem}: {function.name}", values))
    return found


def columns_in(path):
    rows = list(csv.DictReader(io.StringIO((root / path).read_text())))
    return [(f"{path}: {name}", [float(row[name]) for row in rows]) for name in ("metric1", "metric2")]


paths = ["tests/tigerbeetle_test.py", "tests/analysis_test.py", "tests/series_test.py", "tests/report_test.py"]
series = [one for path in paths for one in lists_in(path)] + columns_in("tests/resources/sample.csv")
seen = []
for name, values in series:
    if values not in [other for _, other in seen] and all(value > 0 for value in values):
        seen.append((name, values))
print(json.dumps([{"name": name, "values": values} for name, values in seen]))
