"""The HTML player: play, pause, step and scrub, by mouse and keyboard, without any network."""

from __future__ import annotations

import json
from base64 import b64decode
from collections.abc import Sequence
from hashlib import sha256
from html import escape

from viz.motion import Motion
from viz.style import Style

PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{title}}</title></head>
<body style="margin:0;background:{{background}};display:flex;justify-content:center">
{{player}}
</body>
</html>
"""

_FRAGMENT = """<figure id="{{id}}" tabindex="0" style="margin:8px;max-width:{{width}}px;font:14px sans-serif;
color:{{ink}};background:{{background}}" aria-label="{{name}}">
<img alt="{{name}}" style="width:100%;display:block" src="data:image/png;base64,{{first}}">
<div style="display:flex;gap:8px;align-items:center;padding:6px">
<button type="button" data-do="back" aria-label="previous frame">&#9664;</button>
<button type="button" data-do="play" aria-label="play or pause" style="width:5em">Play</button>
<button type="button" data-do="on" aria-label="next frame">&#9654;</button>
<input type="range" min="0" max="{{last}}" value="0" style="flex:1" aria-label="frame">
<output style="min-width:5em;text-align:right"></output>
</div>
<figcaption aria-live="polite" style="padding:0 6px 6px">{{notes}}</figcaption>
<script>
(function () {
  const here = document.currentScript;
  const root = here ? here.parentElement : document.getElementById("{{id}}");
  const frames = {{frames}}, times = {{times}}, captions = {{captions}};
  const image = root.querySelector("img"), bar = root.querySelector("input");
  const button = root.querySelector("[data-do=play]"), count = root.querySelector("output");
  let at = 0, timer = null;
  function show(k) {
    at = (k + frames.length) % frames.length;
    image.src = "data:image/png;base64," + frames[at];
    image.alt = captions[at];
    bar.value = at;
    count.textContent = (at + 1) + " / " + frames.length;
  }
  function stop() { clearTimeout(timer); timer = null; button.textContent = "Play"; }
  function tick() { timer = setTimeout(function () { show(at + 1); tick(); }, times[at]); }
  function play() { button.textContent = "Pause"; tick(); }
  function toggle() { if (timer === null) { play(); } else { stop(); } }
  button.onclick = toggle;
  root.querySelector("[data-do=back]").onclick = function () { stop(); show(at - 1); };
  root.querySelector("[data-do=on]").onclick = function () { stop(); show(at + 1); };
  bar.oninput = function () { stop(); show(Number(bar.value)); };
  root.onkeydown = function (event) {
    if (event.target !== root) { return; }
    if (event.key === " ") { toggle(); event.preventDefault(); }
    if (event.key === "ArrowLeft") { stop(); show(at - 1); }
    if (event.key === "ArrowRight") { stop(); show(at + 1); }
  };
  show(0);
  if (!window.matchMedia("(prefers-reduced-motion: reduce)").matches) { play(); }
})();
</script>
</figure>"""


def player_html(
    pictures: Sequence[str], durations: Sequence[int], captions: Sequence[str], motion: Motion, style: Style
) -> str:
    """The player for PNG pictures in base64, with their durations (milliseconds) and captions."""
    parts = {
        "id": "lnnet-" + sha256("".join(pictures).encode()).hexdigest()[:12],
        "width": str(int.from_bytes(b64decode(pictures[0][:32])[16:20], "big")),  # a PNG's width
        "ink": style.theme.ink,
        "background": style.theme.background,
        "name": escape(motion.name, quote=True),
        "first": pictures[0],
        "last": str(len(pictures) - 1),
        "notes": escape("; ".join((motion.name, *motion.notes))),
        "frames": json.dumps(list(pictures)),
        "times": json.dumps(list(durations)),
        "captions": json.dumps(list(captions)).replace("<", "\\u003c"),
    }
    text = _FRAGMENT
    for name, value in parts.items():
        text = text.replace("{{" + name + "}}", value)
    return text
