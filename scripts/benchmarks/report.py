"""Makes of the results the tables and plots that the READMEs and the page `ways/speed` show. Pure, but for `publish`.

    python -m scripts.benchmarks.report

Everything is a ratio: seconds say more of the machine than of the way. A ratio is taken within a round; the median of the
rounds is shown with the lowest and the highest beside it.
"""

from __future__ import annotations

import io
import json
import re
import statistics
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verbatim.project import find_root, write_if_changed
from verbatim.run.figures import STYLE, portable
from verbatim.write.notebook import INK

RESULTS = "scripts/benchmarks/results.json"
#: The plots: cold builds against the number of scripts, processor time against the number of pages changed.
BUILDS_PLOT, EDITS_PLOT = "docs/assets/benchmarks.svg", "docs/assets/edits.svg"
#: Where the results are shown, and in which language.
SHOWN_FILES = {
    "README.md": "en",
    ".github/README.zh.md": "zh",
    "docs/en/ways/speed.md": "en",
    "docs/zh/ways/speed.md": "zh",
}
MARKED_PART = re.compile(r"(<!-- benchmarks: (?P<part>\w+) -->\n).*?(<!-- /benchmarks -->)", re.DOTALL)
SCENARIOS = ("cold", "warm", "edit", "torch")

#: What a way is called, in English and in Chinese. `{v}`: its version.
WAY_NAMES = {
    "this": ("this project", "本项目"),
    "plain": ("plain MkDocs{v}, outputs pasted in", "纯 MkDocs{v}，输出已贴好"),
    "run": ("this project, scripts without pages", "本项目，只运行脚本"),
    "exec": ("bare `exec` in one process", "单进程里直接 `exec`"),
    "ended": ("a forked process for each script, which ends at once", "每个脚本 fork 一个进程，立即结束"),
    "forked": ("a forked process for each script, bare `exec` in it", "每个脚本 fork 一个进程，在里面直接 `exec`"),
    "markdown-exec": ("markdown-exec{v}", "markdown-exec{v}"),
    "sphinx-gallery": ("sphinx-gallery{v}", "sphinx-gallery{v}"),
}

WORDS = {
    "way": ("way", "方式"),
    "scripts": ("scripts", "脚本数"),
    "pages": ("pages", "页数"),
    "rounds": ("rounds", "轮数"),
    "cold": ("cold", "冷构建"),
    "warm": ("nothing changed", "没有改动"),
    "edit": ("one script changed", "改一个脚本"),
    "torch": ("torch changed", "换 torch 版本"),
    "memory": ("peak memory", "内存峰值"),
    "stale": ("old outputs stay", "仍是旧输出"),
    "one-script": ("one script", "一个脚本"),
    "machine": (
        "Measured on {date}: {cpu}, {cores} cores, {system}, Python {python}, torch {torch}.",
        "测于 {date}：{cpu}，{cores} 核，{system}，Python {python}，torch {torch}。",
    ),
    "line": (
        "Of these {pages} pages, a build in which one changed takes {one} of plain MkDocs' processor time; one in which "
        "nothing changed, {none}.",
        "本站 {pages} 页：只改一页，构建用的处理器时间是纯 MkDocs 的 {one}；没有改动时是 {none}。",
    ),
    "aim": ("aim", "目标"),
    "limit": ("limit", "界限"),
    "measured": ("measured", "实测"),
    "result": ("result", "结果"),
    "met": ("met", "达到"),
    "not met": ("not met", "未达到"),
    "exec-aim": ("cold run of the scripts, against bare `exec`", "冷运行全部脚本，与直接 `exec` 相比"),
    "processes-aim": (
        "processor time of a cold run of the scripts, against bare `exec`",
        "冷运行脚本的处理器时间，与直接 `exec` 相比",
    ),
    "markdown-exec-aim": ("cold build, against markdown-exec", "冷构建，与 markdown-exec 相比"),
    "warm-aim": ("build without a change, against plain MkDocs", "没有改动时的构建，与纯 MkDocs 相比"),
    "edits-0-aim": (
        "this site, {pages} pages, nothing changed, against plain MkDocs",
        "本站 {pages} 页，没有改动，与纯 MkDocs 相比",
    ),
    "edits-1-aim": (
        "this site, {pages} pages, one page changed, against plain MkDocs",
        "本站 {pages} 页，改一页，与纯 MkDocs 相比",
    ),
    "edits-script-aim": (
        "this site, {pages} pages, one script changed, against plain MkDocs",
        "本站 {pages} 页，改一个脚本，与纯 MkDocs 相比",
    ),
}

#: How a way is drawn: colour, mark, line. What is this project's is blue, the floors have the colour of the text.
LINE_STYLES = {
    "exec": (INK, "s", ":"),
    "plain": (INK, "o", ":"),
    "run": ("#3b82d0", "s", "-"),
    "this": ("#3b82d0", "o", "-"),
    "markdown-exec": ("#e07b00", "^", "-"),
    "sphinx-gallery": ("#1f9e77", "v", "-"),
}

#: Round → what was measured in it.
Rounds = Mapping[int, float]


@dataclass(frozen=True)
class Ratio:
    """A ratio with its spread over the rounds."""

    middle: float
    low: float
    high: float
    rounds: int

    def __str__(self) -> str:
        spread = f" ({_short(self.low)}–{_short(self.high)})" if self.rounds > 1 else ""
        return _short(self.middle) + spread


def _short(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 99.5 else f"{value:.1f}" if abs(value) >= 9.95 else f"{value:.2f}"


def ratio(over: Rounds, under: Rounds) -> Ratio | None:
    """Divide what was measured in the same round; nothing where there is no such round."""
    ratios = [over[n] / under[n] for n in sorted(over.keys() & under.keys())]
    return Ratio(statistics.median(ratios), min(ratios), max(ratios), len(ratios)) if ratios else None


class Runs:
    """What one harness has measured: dictionaries that say of which way, how many scripts or pages, which round, …"""

    def __init__(self, results: Mapping[str, Any]):
        self.all: list[dict[str, Any]] = results.get("runs", [])

    def values(self, key: str, **wanted: object) -> list[Any]:
        """Return the different values of something, in the order in which they were measured."""
        runs = (run for run in self.all if all(run.get(name) == value for name, value in wanted.items()))
        return list(dict.fromkeys(run[key] for run in runs))

    def seconds(self, **wanted: object) -> Rounds:
        return {number: self.values("seconds", round=number, **wanted)[0] for number in self.values("round", **wanted)}

    def sizes(self, *ways: str, scenario: str = "cold") -> list[int]:
        """Return the numbers of scripts with which all of the ways were measured, ascending."""
        return sorted(set.intersection(*(set(self.values("size", way=way, scenario=scenario)) for way in ways)))

    def ratio(self, way: str, other: str, **wanted: object) -> Ratio | None:
        """Compare the times of two ways."""
        return ratio(self.seconds(way=way, **wanted), self.seconds(way=other, **wanted))


@dataclass(frozen=True)
class Aim:
    """An aim of the project, and what was measured of it."""

    key: str
    """A key of `WORDS`."""
    size: int
    """How many scripts; 0 where it is about a site."""
    measured: Ratio
    limit: float
    pages: int = 0
    """How many pages, where it is about a site."""

    @property
    def met(self) -> bool:
        return self.measured.middle <= self.limit


def aims(results: Mapping[str, Any]) -> list[Aim]:
    """Return the aims that could be measured, each with the most scripts, or the pages of this site as it is."""
    runs, edits, processes = (Runs(part) for part in (results, results.get("edits", {}), results.get("processes", {})))
    rows: list[tuple[str, int, Ratio | None, float, int]] = []
    for key, way, other, scenario, limit in (
        ("exec-aim", "run", "exec", "cold", 1.2),
        ("markdown-exec-aim", "this", "markdown-exec", "cold", 1),
        ("warm-aim", "this", "plain", "warm", 1.1),
    ):
        for size in runs.sizes(way, other, scenario=scenario)[-1:]:
            rows.append((key, size, runs.ratio(way, other, size=size, scenario=scenario), limit, 0))
    for size in sorted(processes.values("size"))[-1:]:
        rows.append(("processes-aim", size, processes.ratio("run", "exec", size=size), 2.2, 0))
    for pages in sorted(edits.values("pages"))[:1]:
        plain = edits.seconds(way="plain", pages=pages, changed=0)
        for changed, limit in ((0, 0.2), (1, 0.3), ("script", 0.3)):
            ours = edits.seconds(way="this", pages=pages, changed=changed)
            rows.append((f"edits-{changed}-aim", 0, ratio(ours, plain), limit, pages))
    return [Aim(key, size, measured, *rest) for key, size, measured, *rest in rows if measured]


# -- words and tables -----------------------------------------------------------------------------


def say(key: str, language: str, **said: object) -> str:
    """Return a text of `WORDS`."""
    return WORDS[key][language == "zh"].format(**said)


def name(way: str, language: str, results: Mapping[str, Any]) -> str:
    """Return what a way is called, with its version where that is known."""
    version = results.get("ways", {}).get(way, {}).get("version", "")
    return WAY_NAMES[way][language == "zh"].format(v=f" {version}" if version else "")


def table(rows: list[list[Any]]) -> list[str]:
    """Return rows, the first of them a head, as a Markdown table whose numbers stand on the right."""
    lines = [f"| {' | '.join('–' if cell is None else str(cell) for cell in row)} |" for row in rows]
    return [lines[0], f"| --- |{' ---: |' * (len(rows[0]) - 1)}", *lines[1:], ""]


def builds_tables(results: Mapping[str, Any], language: str) -> list[str]:
    """Return a table of builds for each number of scripts."""
    runs, lines = Runs(results), list[str]()
    for size in runs.sizes("this", "plain"):
        rows = [[say(key, language) for key in ("way", "scripts", "rounds", *SCENARIOS, "memory")]]
        for way in (way for way, about in results["ways"].items() if about["pages"]):
            if rounds := runs.values("round", way=way, size=size):
                cells = [_build(runs, way, size, kind, language) for kind in SCENARIOS]
                rows.append([name(way, language, results), size, len(rounds), *cells, _memory(runs, way, size)])
        lines += table(rows)
    return [*lines, machine(results, language)]


def _build(runs: Runs, way: str, size: int, kind: str, language: str) -> Ratio | str | None:
    stale = any(runs.values("stale", way=way, size=size, scenario=kind))
    return say("stale", language) if stale else runs.ratio(way, "plain", size=size, scenario=kind)


def _memory(runs: Runs, way: str, size: int) -> str | None:
    peaks = [peak for peak in runs.values("peak", way=way, size=size, scenario="cold") if peak]
    return f"{max(peaks):.0f} MiB" if peaks else None


def edits_table(results: Mapping[str, Any], language: str) -> list[str]:
    """Return the table of builds after so many pages had changed."""
    edits = Runs(results["edits"])
    changed = [*_changed(edits), "script"]
    head = [say("warm", language), *changed[1:-1], say("one-script", language)]
    rows = [[say("way", language), say("pages", language), *head]]
    for pages in sorted(edits.values("pages")):
        floor = edits.seconds(way="plain", pages=pages, changed=0)
        for way in edits.values("way"):
            ratios = [ratio(edits.seconds(way=way, pages=pages, changed=count), floor) for count in changed]
            rows.append([name(way, language, results), pages, *ratios])
    return _dated(rows, "edits", results, language)


def _changed(edits: Runs) -> list[Any]:
    """Return after how many changed pages was built."""
    return sorted(count for count in edits.values("changed") if count != "script")


def runs_table(results: Mapping[str, Any], language: str) -> list[str]:
    """Return the table of times of the ways that make no pages."""
    runs = Runs(results)
    rows = [[say(key, language) for key in ("way", "scripts", "rounds", "cold", "memory")]]
    for way in ("exec", "run"):
        for size in runs.sizes(way, "exec"):
            measured = runs.ratio(way, "exec", size=size, scenario="cold")
            rounds = measured and measured.rounds
            rows.append([name(way, language, results), size, rounds, measured, _memory(runs, way, size)])
    return table(rows)[:-1]


def processes_table(results: Mapping[str, Any], language: str) -> list[str]:
    """Return the table of processor times of the ways that make no pages."""
    processes = Runs(results["processes"])
    sizes = sorted(processes.values("size"))
    rows = [[say("way", language), *sizes]]
    for way in processes.values("way"):
        rows.append([name(way, language, results), *(processes.ratio(way, "exec", size=size) for size in sizes)])
    return _dated(rows, "processes", results, language)


def _dated(rows: list[list[Any]], part: str, results: Mapping[str, Any], language: str) -> list[str]:
    """Return a table and when and on what it was measured, unless the builds above it were measured so, too."""
    own = machine(results[part], language)
    return table(rows)[:-1] if own == machine(results, language) else [*table(rows), own]


def machine(results: Mapping[str, Any], language: str) -> str:
    """Say when and on what it was measured."""
    cpu = re.sub(r"\((?:R|TM)\)|\s+CPU\b|@.*", "", results["machine"]["cpu"]).strip()
    about = {**results["machine"], "cpu": " ".join(cpu.split())}
    return say("machine", language, **about, date=results["date"], torch=results["torch"])


def aims_table(results: Mapping[str, Any], language: str) -> list[str]:
    """Return the aims, each with what was measured."""
    rows = [[say(key, language) for key in ("aim", "scripts", "limit", "measured", "result")]]
    for aim in aims(results):
        met = say("met" if aim.met else "not met", language)
        about = say(aim.key, language, pages=aim.pages)
        rows.append([about, aim.size or None, f"≤ {aim.limit:g}", aim.measured, met])
    return table(rows)[:-1]


def line(results: Mapping[str, Any], language: str) -> list[str]:
    """Return the sentence of the READMEs."""
    shown = {aim.key: aim for aim in aims(results)}
    one, none = (_short(shown[f"edits-{changed}-aim"].measured.middle) for changed in (1, 0))
    return [say("line", language, pages=shown["edits-1-aim"].pages, one=one, none=none)]


#: What may stand between two markers.
PAGE_PARTS: dict[str, Callable[[Mapping[str, Any], str], list[str]]] = {
    "line": line,
    "builds": builds_tables,
    "edits": edits_table,
    "runs": runs_table,
    "processes": processes_table,
    "aims": aims_table,
}


def replace(text: str, results: Mapping[str, Any], language: str) -> str:
    """Return a file with what stands between its markers made anew.

    Raises:
        ValueError: It has no markers.
    """
    if not MARKED_PART.search(text):
        raise ValueError("there is no place for the results: <!-- benchmarks: builds --> … <!-- /benchmarks -->")
    return MARKED_PART.sub(
        lambda m: f"{m[1]}\n{chr(10).join(PAGE_PARTS[m['part']](results, language))}\n\n{m[3]}", text
    )


# -- the plots ------------------------------------------------------------------------------------


def draw(results: Mapping[str, Any]) -> str:
    """Return the plot of cold builds as SVG."""
    runs = Runs(results)
    sizes = runs.sizes("plain")
    lines = []
    for way, (colour, mark, dashes) in LINE_STYLES.items():
        for kind in ("cold", "warm") if way == "this" else ("cold",):
            label = name(way, "en", {}).replace("`", "") + (", nothing changed" if kind == "warm" else "")
            style = {"ls": "--" if kind == "warm" else dashes, "lw": 2.4 if way == "this" else 1.4}
            points = [
                (size, runs.seconds(way=way, size=size, scenario=kind)) for size in runs.sizes(way, scenario=kind)
            ]
            lines.append((points, {"color": colour, "marker": mark, "label": label, **style}))
    unit = runs.seconds(way="plain", size=sizes[0], scenario="cold")
    ticks = {size: f"{size}" for size in sorted(runs.values("size"))}
    return _drawn(lines, unit, ticks, "scripts", f"× plain MkDocs, {sizes[0]} scripts")


def draw_edits(results: Mapping[str, Any]) -> str:
    """Return the plot of processor time against pages changed as SVG; nothing changed stands at a tenth of a page."""
    edits = Runs(results["edits"])
    changed, sizes = _changed(edits), sorted(edits.values("pages"))
    lines = []
    for way in edits.values("way"):
        for number, pages in enumerate(sizes):
            style = {"color": LINE_STYLES[way][0], "ls": ("-", "--", ":")[number % 3], "marker": "osD"[number % 3]}
            points = [(max(n, 0.1), edits.seconds(way=way, pages=pages, changed=n)) for n in changed]
            lines.append((points, {"label": f"{name(way, 'en', {})}, {pages} pages", **style}))
    unit = edits.seconds(way="plain", pages=sizes[0], changed=0)
    ticks = {max(n, 0.1): f"{n}" for n in changed}
    return _drawn(lines, unit, ticks, "pages changed", f"× plain MkDocs, {sizes[0]} pages")


def _drawn(lines: list[Any], unit: Rounds, ticks: Mapping[float, str], across: str, up: str) -> str:
    """Return a figure with logarithmic axes, in an ink that can be read on light and on dark.

    Args:
        lines: Points, each with the times measured there, and style of each line.
        unit: The times that are one.
        ticks: Where and what is written below the figure.
        across: What the numbers below the figure are.
        up: What those beside it are.
    """
    import matplotlib  # here alone: most of what asks for this module draws nothing
    from matplotlib.figure import Figure

    style: dict[str, Any] = {key: INK if value == STYLE["text.color"] else value for key, value in STYLE.items()}
    style |= {"svg.hashsalt": "benchmarks", "figure.figsize": (7.2, 4.0), "lines.markersize": 5}
    with matplotlib.rc_context(style):
        figure = Figure()
        axes = figure.subplots()
        for points, looks in lines:
            known = {at: statistics.median(seconds.values()) for at, seconds in points if seconds}
            heights = [value / statistics.median(unit.values()) for value in known.values()]
            if known:
                axes.plot([*known], heights, **looks)
        axes.set(xscale="log", yscale="log", xlabel=across, ylabel=up)
        axes.set_xticks([*ticks], [*ticks.values()])
        axes.yaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_locator(matplotlib.ticker.NullLocator())
        axes.grid(True)
        figure.legend(loc="outside right upper", fontsize=8, frameon=False)
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return portable(file.getvalue(), "benchmarks") + "\n"  # what `check` allows a file of the site to hold


def shown_files(root: Path, results: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Yield the plots, and the files that show tables, as they are to be."""
    yield root / BUILDS_PLOT, draw(results)
    yield root / EDITS_PLOT, draw_edits(results)
    for file, language in SHOWN_FILES.items():
        yield root / file, replace((root / file).read_text(encoding="utf-8"), results, language)


def publish(root: Path, new: Mapping[str, Any]) -> None:
    """Note what was measured beside the results of other harnesses, and show all of it."""
    results = {**json.loads((root / RESULTS).read_text(encoding="utf-8")), **new}
    write_if_changed(root / RESULTS, json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    for path, content in shown_files(root, results):
        if write_if_changed(path, content):
            print(path)


if __name__ == "__main__":
    publish(find_root(), {})
