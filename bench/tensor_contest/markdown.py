"""Markdown tables."""


def duration(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def print_row(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def print_head(title, columns, notes=()):
    print(f"\n### {title}\n")
    for note in notes:
        print(f"{note}\n")
    print_row(columns)
    print_row(["---"] * len(columns))
