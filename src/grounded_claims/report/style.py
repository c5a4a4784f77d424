"""The style of the report. Its colours are custom properties, so that a test can measure them."""

from __future__ import annotations

import base64
import hashlib
from typing import Final

CSS: Final = """
:root {
  color-scheme: light dark;
  --paper: #ffffff; --ink: #1a1f26; --muted: #515b66; --line: #c9d1d9; --panel: #f4f6f8; --link: #0a55a3;
  --pass: #0a6136; --pass-paper: #dcf3e4; --reject: #98211a; --reject-paper: #fde6e3;
  --fooled: #6f4400; --fooled-paper: #ffedc4; --mark: #fff0a3; --mark-ink: #1a1f26; --wanted: #0a55a3;
  --core: #17804a; --violation: #d98c00; --focus: #0a55a3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #11151a; --ink: #e8ebef; --muted: #abb4be; --line: #3b444e; --panel: #1a2027; --link: #8cc0ff;
    --pass: #86e3ae; --pass-paper: #10301f; --reject: #ffaaa2; --reject-paper: #3d1a17;
    --fooled: #f5cb78; --fooled-paper: #35280c; --mark: #5a4a00; --mark-ink: #fff8dc; --wanted: #8cc0ff;
    --core: #3fb573; --violation: #c98a1b; --focus: #8cc0ff;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink); overflow-wrap: break-word;
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
}
.page { max-width: 60rem; margin: 0 auto; padding: 0 1rem; }
main.page { padding-bottom: 3rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 1.5rem 0 .25rem; text-wrap: balance; }
h2 { font-size: 1.35rem; margin: 2.75rem 0 .75rem; padding-top: .75rem; border-top: 2px solid var(--line); }
h3 { font-size: 1.1rem; margin: 2rem 0 .25rem; }
h4, h5 { font-size: 1rem; margin: 0; }
h5 { margin: 1.5rem 0 .4rem; }
p, ul, ol, dl { margin: .5rem 0 .75rem; max-width: 46rem; }
li { margin: .2rem 0; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible {
  outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 3px;
}
.skip {
  position: absolute; left: 1rem; top: -6rem; z-index: 1; padding: .5rem 1rem; background: var(--paper);
}
.skip:focus { top: .5rem; }
.lead { font-size: 1.1rem; color: var(--muted); margin-top: 0; }
.muted { color: var(--muted); }
.said {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
  user-select: none;
}
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .3rem 1.25rem; }
code, pre {
  font-family: ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: .88em;
}
pre code { font-size: 1em; }
code { unicode-bidi: isolate; }
code, pre, dd, h1, summary, th a { overflow-wrap: anywhere; }
code.status { overflow-wrap: break-word; }
.whole { white-space: pre; overflow-wrap: normal; }
code.raw { background: var(--panel); border-radius: 3px; padding: .05em .3em; white-space: pre-wrap; }
code.whole { white-space: pre; overflow-wrap: normal; }
td code.whole { white-space: pre-wrap; overflow-wrap: anywhere; }
code.status { font-weight: 600; font-size: .8em; letter-spacing: .01em; }
pre {
  background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .7rem .85rem;
  margin: .25rem 0 .75rem; white-space: pre-wrap; direction: ltr; unicode-bidi: isolate; line-height: 1.5;
}
.code-point {
  border: 1px solid currentcolor; border-radius: 3px; padding: 0 .25em; margin: 0 .1em; font-size: .75em;
  color: var(--reject); background: var(--paper); unicode-bidi: isolate; white-space: nowrap;
}
.note, .alarm {
  border-left: .3rem solid var(--line); padding: .5rem .9rem; max-width: 46rem; background: var(--panel);
}
.note code.raw { display: block; padding: .3rem 0 0; }
.alarm { border-color: var(--reject); color: var(--reject); background: var(--reject-paper); }
.alarm .whole { white-space: pre; overflow-wrap: normal; }
code.raw { background: none; padding: 0; }

figure { margin: 1rem 0; }
.funnel { display: block; width: 100%; max-width: 40rem; height: auto; }
.funnel text { font-size: 12px; fill: var(--ink); }
.funnel .count { font-size: 23px; font-weight: 700; }
.funnel .lost { fill: var(--muted); }
.funnel + figcaption { margin-top: 1rem; }
.funnel .flow { fill: var(--panel); stroke: var(--line); stroke-width: .6; }
.core { fill: var(--core); }
.violation { fill: var(--paper); stroke: var(--violation); stroke-width: 1; }
.hatching { stroke: var(--violation); stroke-width: 2.6; }
.legend { list-style: none; padding: 0; margin: .5rem 0; }
.legend svg { width: 1.6em; height: 1em; vertical-align: -.1em; margin-right: .4em; }

table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; }
caption { text-align: left; color: var(--muted); padding-bottom: .4rem; }
th, td {
  text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line);
}
thead th { border-bottom: 2px solid var(--line); font-size: .9rem; vertical-align: bottom; }
tbody th { font-weight: 600; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
table.plain { width: auto; min-width: min(100%, 24rem); }
.digest { font-size: .8rem; }

.matrix .group th { padding-top: 1.1rem; color: var(--muted); font-size: .85rem; font-weight: 700; }
.matrix .layer { width: 7rem; }
.matrix tbody th[scope="row"] { font-weight: 400; }
.named { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; }
.named .status { color: var(--muted); align-self: center; }
.flag { display: block; font-size: .85rem; color: var(--reject); }
.badge {
  display: inline-flex; align-items: center; gap: .35em; padding: .05em .55em .05em .4em; font-size: .88rem;
  white-space: nowrap; border: 1px solid currentcolor;
}
.badge svg { width: .8em; height: .8em; flex: none; }
.badge.pass { color: var(--pass); background: var(--pass-paper); border-radius: 1em; }
.badge.fooled {
  color: var(--fooled); background: var(--fooled-paper); border-style: dashed; border-radius: 1em;
}
.badge.reject { color: var(--reject); background: var(--reject-paper); border-radius: 2px; font-weight: 600; }
.badge.after { color: var(--muted); background: none; border-radius: 2px; border-color: var(--line); }

details { border: 1px solid var(--line); border-radius: 8px; margin: .6rem 0; }
summary {
  cursor: pointer; padding: .6rem .9rem; list-style: none;
  display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem;
}
summary::-webkit-details-marker { display: none; }
summary::before {
  content: ""; width: .5em; height: .5em; border: solid var(--muted); border-width: 0 2px 2px 0; flex: none;
  transform: rotate(-45deg);
}
details[open] > summary::before { transform: rotate(45deg); }
summary:hover { background: var(--panel); border-radius: 8px; }
summary .status { margin-left: auto; color: var(--muted); }
.inside { padding: .25rem .9rem .9rem; border-top: 1px solid var(--line); scroll-margin-top: 5rem; }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; }
dl.facts dt { color: var(--muted); }
dl.facts dd { margin: 0; min-width: 0; }
.steps { list-style: none; padding: 0; }
.steps > li { border-left: .25rem solid var(--line); padding: .1rem 0 .1rem .9rem; margin: .7rem 0; }
.steps > li.decided { border-color: var(--reject); }
.steps > li.accepted { border-color: var(--pass); }
.steps p { margin: .25rem 0; }
.source { border: 1px solid var(--line); border-radius: 8px; padding: .6rem .9rem; margin: .75rem 0; }
.source.deciding { border-width: 2px; border-color: var(--muted); }
.source figcaption { display: flex; flex-wrap: wrap; gap: .1rem 1rem; margin-bottom: .3rem; }
.source pre { margin-bottom: .2rem; }
mark { background: var(--mark); color: var(--mark-ink); border-radius: 2px; text-decoration: underline 2px; }
mark.wanted { background: none; color: inherit; text-decoration: none; outline: 2px dashed var(--wanted);
  outline-offset: 1px; }
mark.wanted.quoted { background: var(--mark); color: var(--mark-ink); text-decoration: underline 2px; }
mark.place { outline: 2px solid var(--reject); outline-offset: 1px; text-decoration: none; }
p > mark { margin: 0 .2em; padding: 0 .1em; white-space: nowrap; }

@media (max-width: 34rem) {
  .page { padding: 0 .75rem; }
  h1 { font-size: 1.4rem; }
  table { font-size: .85rem; }
  .matrix .layer { width: 3.9rem; }
  th, td { padding-right: .5rem; }
  .matrix th, .matrix td { padding-right: .25rem; }
  .matrix thead th { font-size: .75rem; hyphens: auto; }
  .badge { font-size: .72rem; padding: .05em .35em .05em .25em; gap: .2em; }
  dl.facts { grid-template-columns: 1fr; gap: 0; }
  dl.facts dd { margin: 0 0 .4rem; }
  summary h4 { flex: 1 0 calc(100% - 2em); }
  summary .status { flex: 1 0 100%; margin-left: 0; }
  .source { padding: .5rem .6rem; }
}
@media print {
  :root {
    color-scheme: light;
    --paper: #ffffff; --ink: #000000; --muted: #40474f; --line: #b5bcc4; --panel: #f6f7f8; --link: #000000;
    --pass: #0a6136; --pass-paper: #ffffff; --reject: #98211a; --reject-paper: #ffffff;
    --fooled: #6f4400; --fooled-paper: #ffffff; --mark: #fff0a3; --mark-ink: #000000; --wanted: #0a55a3;
    --core: #17804a; --violation: #d98c00;
  }
  body { font-size: 10pt; }
  .page { max-width: none; padding: 0; }
  nav, .skip, summary::before { display: none; }
  details::details-content { content-visibility: visible; display: block; block-size: auto; }
  details { border: 0; border-top: 1px solid var(--line); border-radius: 0; margin: 1rem 0; }
  .inside { border: 0; }
  summary { padding-left: 0; break-after: avoid; }
  .inside { padding: 0; }
  h2, h3, h4, h5, caption, figcaption { break-after: avoid; }
  tr, table:not(.matrix), .source, .steps > li, figure { break-inside: avoid; }
  .funnel { max-width: 24rem; }
  h5 { margin-top: 1rem; }
  thead { display: table-header-group; }
  a { text-decoration: none; }
  mark, .badge, .core, .hatching { print-color-adjust: exact; }
}
"""

#: What the content-security policy allows, and nothing besides.
CSS_HASH: Final = "sha256-" + base64.b64encode(hashlib.sha256(CSS.encode()).digest()).decode()
