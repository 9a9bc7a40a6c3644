"""
Labelings by depth
===================

All 32 labelings of five points on a line by networks of depth three, and how many layers each one needed.
"""

import viz
from proofs.shattering.engine import shatter_task
from proofs.shattering.task import Task, default_points

report = shatter_task(Task.of(default_points(5), 3)).document()

picture = viz.plot_shattering(report)
