"""Counts tickets by week and category: the source of the report's table."""

import csv
import sys
from collections import Counter
from datetime import date


def week(day: str) -> str:
    year, number, _ = date.fromisoformat(day).isocalendar()
    return f"{year}-W{number:02}"


def main() -> None:
    counts = Counter((week(row["closed"]), row["category"]) for row in csv.DictReader(sys.stdin))
    table = csv.writer(sys.stdout)
    table.writerow(["week", "category", "tickets"])
    for (when, category), tickets in sorted(counts.items()):
        table.writerow([when, category, tickets])


if __name__ == "__main__":
    main()
