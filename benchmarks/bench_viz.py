"""Pictures and animations: time from a cold start, size, memory.

Every row is a fresh interpreter, so imports count. Run from the repository: python benchmarks/bench_viz.py
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

#: (what, Python code that draws to the path `out`, limit in seconds, limit in MB of the file).
CASES: tuple[tuple[str, str, float, float | None], ...] = (
    ("figure 1, PNG", "import viz; viz.figure1().save(out + '.png')", 1.5, None),
    ("figure 2, SVG", "import viz; viz.figure2().save(out + '.svg')", 1.5, None),
    ("figure 5(c, d), PDF", "import viz; viz.figure5().save(out + '.pdf')", 1.5, None),
    ("figure A1, PNG", "import viz; viz.figure_a1().save(out + '.png')", 1.5, None),
    ("figure 1 in motion, 60 frames, GIF", "import viz; viz.animate_figure1().save(out + '.gif')", 5.0, 1.0),
    ("figure 2 in motion, 60 frames, GIF", "import viz; viz.animate_figure2().save(out + '.gif')", 5.0, 1.0),
    ("figure 2 in motion, 60 frames, HTML", "import viz; viz.animate_figure2().save(out + '.html')", 5.0, 20.0),
    ("300 layers, 300 points, GIF", "animate('.gif')", 60.0, None),
    ("300 layers, 300 points, HTML", "animate('.html')", 60.0, 20.0),
)

PRELUDE = """
import json, os, resource, sys, time
started, busy = time.perf_counter(), 0.0
out = sys.argv[1]

def animate(suffix):
    global started, busy
    import random
    import viz
    from lnnet.building import build_certified
    generator = random.Random(0)
    built = build_certified(generator.sample(range(10**6), 310), [k % 2 for k in range(310)], method="pma")
    net, points = built.network, built.certificate.points
    started, busy = time.perf_counter(), time.process_time()  # building is not drawing
    viz.animate_network(net, points).save(out + suffix)
    extra["layers"] = net.depth

extra = {}
"""
REPORT = """
size = max(os.path.getsize(os.path.join(os.path.dirname(out), name)) for name in os.listdir(os.path.dirname(out)))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
seconds, cpu = time.perf_counter() - started, time.process_time() - busy
print(json.dumps({"seconds": seconds, "cpu": cpu, "bytes": size, "peak": peak, **extra}))
"""


def measure(code: str) -> dict[str, float]:
    """Run code in a fresh interpreter: seconds (elapsed, and of CPU), bytes written, peak memory in MB."""
    with tempfile.TemporaryDirectory() as folder:
        script = PRELUDE + code + REPORT
        root = Path(__file__).parents[1]
        done = subprocess.run(
            [sys.executable, "-c", script, f"{folder}/picture"], cwd=root, capture_output=True, text=True, check=True
        )
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    print("| what | seconds | of CPU | limit | file, kB | peak memory, MB |")
    print("|---|---|---|---|---|---|")
    for name, code, seconds, _ in CASES:
        row = min((measure(code) for _ in range(1 if "layers" in name else 3)), key=lambda r: r["seconds"])
        name = name.replace("300 layers", f"{row['layers']:.0f} layers") if "layers" in row else name
        times = f"{row['seconds']:.2f} | {row['cpu']:.2f} | {seconds:g}"
        print(f"| {name} | {times} | {row['bytes'] / 1024:.0f} | {row['peak']:.0f} |", flush=True)


if __name__ == "__main__":
    main()
