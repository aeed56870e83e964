"""Reads a history as Apache Otava's importer of CSV files does: by Otava itself where it is installed, else by its rules.

usage: read_history.py otava|rules <folder> <csv file>; prints a line of JSON.
"""

import csv
import json
import os
import sys
from datetime import datetime, timezone


def by_otava(test):
    from otava.config import load_config_from_file
    from otava.data_selector import DataSelector
    from otava.importer import CsvImporter

    config = load_config_from_file("otava.yaml").tests[test]
    selector = DataSelector()
    selector.since_time = datetime(2000, 1, 1, tzinfo=timezone.utc)
    selector.until_time = datetime(2100, 1, 1, tzinfo=timezone.utc)
    series = CsvImporter().fetch_data(config, selector)
    return {
        "time": series.time,
        "attributes": series.attributes,
        "data": dict(series.data),
        "directions": {name: metric.direction for name, metric in series.metrics.items()},
    }


def by_rules(test):
    with open(test + ".csv", newline="") as file:
        rows = csv.reader(file, delimiter=",", quotechar='"')
        headers = next(rows)
        rows = list(rows)
    for row in rows:
        if len(row) != len(headers):
            raise ValueError("a row of another length: %s" % row)
    columns = dict(zip(headers, zip(*rows)))
    times = columns.pop("time")
    return {
        "time": [int(datetime.strptime(time, "%Y-%m-%d %H:%M:%S %z").timestamp()) for time in times],
        "attributes": {name: list(columns.pop(name)) for name in ("branch", "commit")},
        "data": {name: [float(value) for value in values] for name, values in columns.items()},
    }


if __name__ == "__main__":
    reader, folder, file = sys.argv[1:]
    os.chdir(folder)
    print(json.dumps({"otava": by_otava, "rules": by_rules}[reader](os.path.splitext(file)[0]), sort_keys=True))
