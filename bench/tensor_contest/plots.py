"""Pictures of a comparison: bars of ratios, and the roofline."""

import os
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("compare.py: --plots needs matplotlib; install Debian's python3-matplotlib")
matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402, after the choice of the backend

NUMPY, TORCH, KAEL = "#7f9fb8", "#c8674a", "#1f6fb4"


def save(figure, directory, name):
    path = os.path.join(directory, name)
    figure.savefig(path, bbox_inches="tight")
    pyplot.close(figure)
    print(f"\nwrote {path}")


def draw_ratios(directory, rows, threads):
    figure, axes = pyplot.subplots(figsize=(8, 0.42 * len(rows) + 1.2))
    for shift, color, column, name in ((-0.2, NUMPY, 2, "NumPy"), (0.2, TORCH, 3, "PyTorch")):
        bars = [(place + shift, row[column]) for place, row in enumerate(rows) if row[column]]
        axes.barh([place for place, _ in bars], [ratio for _, ratio in bars], 0.38, color=color,
                  label=f"{name} / kael")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.set_yticks(range(len(rows)), [row[0] for row in rows])
    axes.invert_yaxis()
    axes.set_xlabel("time of the other / time of kael")
    axes.set_title(f"Operations on f32, threads: {threads}")
    axes.legend()
    save(figure, directory, "ratios.svg")


def draw_roofline(directory, rows, ceilings, threads):
    points = [(label, row["flops"] / row["bytes"], row["flops"] / row["seconds"])
              for label, row, *_ in rows if row["flops"] > 0]
    figure, axes = pyplot.subplots(figsize=(9, 6))
    left = min(intensity for _, intensity, _ in points) / 2
    right = 2 * max(ceilings.flops / ceilings.memory, *(intensity for _, intensity, _ in points))
    for name, rate, style in (("memory", ceilings.memory, "-"), ("L2 cache", ceilings.cache, "--")):
        ridge = ceilings.flops / rate
        axes.plot([left, ridge, right], [left * rate / 1e9, ceilings.flops / 1e9,
                                         ceilings.flops / 1e9], style, color="black",
                  label=f"{name}: {rate / 1e9:.0f} GB/s, {ceilings.flops / 1e9:.0f} GFLOP/s")
    for number, (label, intensity, rate) in enumerate(points, 1):
        axes.plot(intensity, rate / 1e9, "o", color=KAEL)
        axes.annotate(str(number), (intensity, rate / 1e9), (5, 3), textcoords="offset points",
                      fontsize=8)
        axes.plot([], [], " ", label=f"{number}: {label}")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("flop / byte")
    axes.set_ylabel("GFLOP/s")
    axes.set_title(f"kael under this machine's roofs, f32, threads: {threads}")
    axes.legend(loc="center left", bbox_to_anchor=(1.02, 0.5), fontsize=8, handlelength=1.2)
    save(figure, directory, "roofline.svg")


def draw(directory, rows, ceilings, threads):
    os.makedirs(directory, exist_ok=True)
    draw_ratios(directory, rows, threads)
    draw_roofline(directory, rows, ceilings, threads)
