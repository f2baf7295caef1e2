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
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verbatim.project import find_root, write_if_changed
from verbatim.run.figures import STYLE, portable
from verbatim.write.notebook import INK

RESULTS = "scripts/benchmarks/results.json"
#: The plots: cold builds against the number of scripts, processor time against the number of pages changed.
PLOT, EDITS = "docs/assets/benchmarks.svg", "docs/assets/edits.svg"
#: Where the results are shown, and in which language.
SHOWN = {"README.md": "en", ".github/README.zh.md": "zh", "docs/en/ways/speed.md": "en", "docs/zh/ways/speed.md": "zh"}
MARKED = re.compile(r"(<!-- benchmarks: (?P<part>\w+) -->\n).*?(<!-- /benchmarks -->)", re.DOTALL)
SCENARIOS = ("cold", "warm", "edit", "torch")

#: What a way is called, in English and in Chinese. `{v}`: its version.
NAMES = {
    "this": ("this project", "本项目"),
    "plain": ("plain MkDocs{v}, outputs pasted in", "纯 MkDocs{v}，输出已贴好"),
    "properdocs": ("ProperDocs{v}, outputs pasted in", "ProperDocs{v}，输出已贴好"),
    "zensical": ("Zensical{v}, outputs pasted in", "Zensical{v}，输出已贴好"),
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
    "missing": ("{way} could not be installed: {why}", "{way} 无法安装：{why}"),
    "wrong": ("not counted: {why}", "不计入：{why}"),
    "machine": (
        "Measured on {date}: {cpu}, {cores} cores, {system}, Python {python}, torch {version}.",
        "测于 {date}：{cpu}，{cores} 核，{system}，Python {python}，torch {version}。",
    ),
    "line": (
        "Of these {pages} pages, a build in which one changed takes {one} of plain MkDocs' processor time; one in which "
        "nothing changed, {none}.",
        "本站 {pages} 页：只改一页，构建用的处理器时间是纯 MkDocs 的 {one}；没有改动时是 {none}。",
    ),
    "builds": (
        "Times as multiples of plain MkDocs, which gets the same pages with the outputs pasted in: median "
        "(lowest to highest) of the rounds.",
        "时间是纯 MkDocs 的倍数，它拿到同样的页面，输出已经贴好。各轮的中位数（最低至最高）。",
    ),
    "plot": (
        "Time against the number of scripts, both on logarithmic scales: cold builds, and this project's builds "
        "in which nothing changed",
        "时间随脚本数的变化，两轴都取对数：各种方式的冷构建，以及本项目没有改动时的构建",
    ),
    "edits": (
        "Processor time of builds in which so many pages changed, as multiples of plain MkDocs, which gets "
        "the same pages with the outputs pasted in and renders them all each time: median (lowest to highest) of the "
        "rounds. The others make no notebook views, downloads, cards or feeds, so they make half as many pages.",
        "改动若干页之后构建所用的处理器时间，是纯 MkDocs 的倍数；纯 MkDocs 拿到同样的页面，输出已经贴好，"
        "每次都渲染全部页面。各轮的中位数（最低至最高）。其他工具不生成 Notebook 页面、下载文件、分享图和订阅源，"
        "页数只有一半。",
    ),
    "edits-plot": (
        "Processor time against the number of pages that changed, both on logarithmic scales",
        "处理器时间随改动页数的变化，两轴都取对数",
    ),
    "runs": (
        "Scripts alone, without pages, as multiples of bare `exec`, which imports once and isolates nothing:",
        "只运行脚本、不生成页面，时间是直接 `exec` 的倍数，后者只导入一次，不做任何隔离：",
    ),
    "processes": (
        "Processor time of cold runs, scripts without pages, all processes together, as multiples of bare "
        "`exec`. The two ways between are floors: they fork a process for each script, prepared as this project prepares "
        "it, and neither limit, watch nor note anything.",
        "冷运行所用的处理器时间，只运行脚本，所有进程加在一起，是直接 `exec` 的倍数。中间两种是下限："
        "为每个脚本 fork 一个进程，事先的准备与本项目相同，但不加限制，不监视，也不记录任何东西。",
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
LINES = {
    "exec": (INK, "s", ":"),
    "plain": (INK, "o", ":"),
    "run": ("#3b82d0", "s", "-"),
    "this": ("#3b82d0", "o", "-"),
    "markdown-exec": ("#e07b00", "^", "-"),
    "sphinx-gallery": ("#1f9e77", "v", "-"),
    "properdocs": ("#1f9e77", "", ""),
    "zensical": ("#e07b00", "", ""),
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

    def select(self, **wanted: object) -> list[dict[str, Any]]:
        return [run for run in self.all if all(run.get(key) == value for key, value in wanted.items())]

    def values(self, key: str, **wanted: object) -> list[Any]:
        """Return the different values of something, in the order in which they were measured."""
        return list(dict.fromkeys(run[key] for run in self.select(**wanted)))

    def seconds(self, **wanted: object) -> Rounds:
        return {run["round"]: run["seconds"] for run in self.select(**wanted)}

    def largest(self, what: str, **wanted: object) -> float | None:
        """Return the largest value of the rounds: `peak` in MiB, `stale` in pages."""
        return max((run[what] for run in self.select(**wanted) if run[what] is not None), default=None)

    def sizes(self, *ways: str, scenario: str = "cold") -> list[int]:
        """Return the numbers of scripts with which all of the ways were measured, ascending."""
        return sorted(set.intersection(*(set(self.values("size", way=way, scenario=scenario)) for way in ways)))


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
            pair = (runs.seconds(way=tool, size=size, scenario=scenario) for tool in (way, other))
            rows.append((key, size, ratio(*pair), limit, 0))
    for size in sorted(processes.values("size"))[-1:]:
        pair = (processes.seconds(way=way, size=size) for way in ("run", "exec"))
        rows.append(("processes-aim", size, ratio(*pair), 2.2, 0))
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
    return NAMES[way][language == "zh"].format(v=f" {version}" if version else "")


def table(rows: list[list[str]]) -> list[str]:
    """Return rows, the first of them a head, as a Markdown table whose numbers stand on the right."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return [lines[0], f"| --- |{' ---: |' * (len(rows[0]) - 1)}", *lines[1:]]


def builds(results: Mapping[str, Any], language: str, size: int) -> list[str]:
    """Return the table of builds with `size` scripts."""
    runs = Runs(results)
    rows = [[say(key, language) for key in ("way", "scripts", "rounds", *SCENARIOS, "memory")]]
    for way, about in results["ways"].items():
        rounds = runs.seconds(way=way, size=size, scenario="cold")
        if about["pages"] and rounds:
            cells = [_build(runs, way, size, kind, language) for kind in SCENARIOS]
            rows.append([name(way, language, results), str(size), str(len(rounds)), *cells, _memory(runs, way, size)])
    return table(rows)


def _build(runs: Runs, way: str, size: int, kind: str, language: str) -> str:
    if runs.largest("stale", way=way, size=size, scenario=kind):
        return say("stale", language)
    return str(ratio(*(runs.seconds(way=tool, size=size, scenario=kind) for tool in (way, "plain"))) or "–")


def _memory(runs: Runs, way: str, size: int) -> str:
    peak = runs.largest("peak", way=way, size=size, scenario="cold")
    return f"{peak:.0f} MiB" if peak else "–"


def edits_table(results: Mapping[str, Any], language: str) -> list[str]:
    """Return the table of builds after so many pages had changed; nothing where that was not measured."""
    edits = Runs(results.get("edits", {}))
    changed = _changed(edits)
    if not edits.all:
        return []
    head = [say("warm", language), *map(str, changed[1:]), say("one-script", language)]
    rows = [[say("way", language), say("pages", language), *head]]
    for pages in sorted(edits.values("pages")):
        floor = edits.seconds(way="plain", pages=pages, changed=0)
        for way in edits.values("way"):
            ratios = [ratio(edits.seconds(way=way, pages=pages, changed=c), floor) for c in (*changed, "script")]
            rows.append([name(way, language, results), str(pages), *(str(value or "–") for value in ratios)])
    said = f"{say('edits', language)}{'' if language == 'zh' else ' '}{machine(results['edits'], language)}"
    return [said, "", *table(rows), "", f"![{say('edits-plot', language)}](../../assets/edits.svg)"]


def _changed(edits: Runs) -> list[int]:
    """Return after how many changed pages was built."""
    return sorted(count for count in edits.values("changed") if count != "script")


def runs_tables(results: Mapping[str, Any], language: str) -> list[str]:
    """Return the tables of the ways that make no pages: times, and processor times where these were measured."""
    runs, processes = Runs(results), Runs(results.get("processes", {}))
    rows = [[say(key, language) for key in ("way", "scripts", "rounds", "cold", "memory")]]
    for way, about in results["ways"].items():
        for size in [] if about["pages"] else runs.sizes(way, "exec"):
            measured = ratio(*(runs.seconds(way=tool, size=size, scenario="cold") for tool in (way, "exec")))
            if measured:
                shown = [str(size), str(measured.rounds), str(measured), _memory(runs, way, size)]
                rows.append([name(way, language, results), *shown])
    lines = [say("runs", language), "", *table(rows)]
    if not processes.all:
        return lines
    sizes = sorted(processes.values("size"))
    rows = [[say("way", language), *map(str, sizes)]]
    for way in processes.values("way"):
        ratios = [ratio(*(processes.seconds(way=tool, size=size) for tool in (way, "exec"))) for size in sizes]
        rows.append([name(way, language, results), *(str(value or "–") for value in ratios)])
    said = f"{say('processes', language)}{'' if language == 'zh' else ' '}{machine(results['processes'], language)}"
    return [*lines, "", said, "", *table(rows)]


def machine(results: Mapping[str, Any], language: str) -> str:
    """Say when and on what it was measured."""
    cpu = re.sub(r"\((?:R|TM)\)|\s+CPU\b|@.*", "", results["machine"]["cpu"]).strip()
    about = {**results["machine"], "cpu": " ".join(cpu.split()), "date": results["date"], "version": results["torch"]}
    return say("machine", language, **about)


def left_out(results: Mapping[str, Any], language: str) -> list[str]:
    """Name what could not be installed, and what did not show what it should have shown."""
    missing = (say("missing", language, way=name(k, language, {}), why=why) for k, why in results["missing"].items())
    return [f"- {line}" for line in (*missing, *(say("wrong", language, why=why) for why in results["wrong"]))]


def aims_table(results: Mapping[str, Any], language: str) -> list[str]:
    """Return the aims, each with what was measured."""
    rows = [[say(key, language) for key in ("aim", "scripts", "limit", "measured", "result")]]
    for aim in aims(results):
        met = say("met" if aim.met else "not met", language)
        said = [say(aim.key, language, pages=aim.pages), str(aim.size or "–"), f"≤ {aim.limit:g}"]
        rows.append([*said, str(aim.measured), met])
    return table(rows)


def part(results: Mapping[str, Any], what: str, language: str) -> list[str]:
    """Return what stands between two markers: `line`, `plot`, `builds`, `edits`, `runs` or `aims`."""
    if what == "line":
        shown = {aim.key: aim for aim in aims(results)}
        one_page, no_page = shown["edits-1-aim"], shown["edits-0-aim"]
        said = {
            "pages": one_page.pages,
            "one": _short(one_page.measured.middle),
            "none": _short(no_page.measured.middle),
        }
        return [say("line", language, **said)]
    if what == "builds":
        tables = (["", *builds(results, language, size)] for size in Runs(results).sizes("this", "plain"))
        end = [*left_out(results, language), "", machine(results, language)]
        return [say("builds", language), *(line for lines in tables for line in lines), "", *end]
    if what == "plot":
        return [f"![{say('plot', language)}](../../assets/benchmarks.svg)"]
    made = {"edits": edits_table, "runs": runs_tables, "aims": aims_table}
    if what not in made:
        raise ValueError(f"there is no part `{what}` of the results")
    return made[what](results, language)


def replace(text: str, results: Mapping[str, Any], language: str) -> str:
    """Return a file with what stands between its markers made anew.

    Raises:
        ValueError: It has no markers.
    """
    if not MARKED.search(text):
        raise ValueError("there is no place for the results: <!-- benchmarks: builds --> … <!-- /benchmarks -->")
    return MARKED.sub(lambda m: f"{m[1]}\n{chr(10).join(part(results, m['part'], language))}\n\n{m[3]}", text)


def text(results: Mapping[str, Any]) -> str:
    """Return everything for a terminal."""
    return "\n\n".join("\n".join(part(results, what, "en")) for what in ("builds", "runs", "aims"))


# -- the plots ------------------------------------------------------------------------------------


def draw(results: Mapping[str, Any]) -> str:
    """Return the plot of cold builds as SVG."""
    runs = Runs(results)
    sizes = runs.sizes("plain")
    unit = statistics.median(runs.seconds(way="plain", size=sizes[0], scenario="cold").values())

    def plot(axes: Any) -> None:
        for way, (colour, mark, line) in LINES.items():
            for kind in ("cold", "warm") if way == "this" else ("cold",):
                known = runs.sizes(way, scenario=kind)
                middle = [
                    statistics.median(runs.seconds(way=way, size=n, scenario=kind).values()) / unit for n in known
                ]
                label = name(way, "en", {}).replace("`", "") + (", nothing changed" if kind == "warm" else "")
                style = {"ls": "--" if kind == "warm" else line, "lw": 2.4 if way == "this" else 1.4}
                if known:
                    axes.plot(known, middle, color=colour, marker=mark, label=label, **style)
        axes.set(xscale="log", yscale="log", xlabel="scripts", ylabel=f"× plain MkDocs, {sizes[0]} scripts")
        axes.set_xticks(sorted(runs.values("size")))
        axes.xaxis.set_major_formatter("{x:g}")

    return _drawn(plot)


def draw_edits(results: Mapping[str, Any]) -> str:
    """Return the plot of processor time against pages changed as SVG; nothing changed stands at a tenth of a page."""
    edits = Runs(results["edits"])
    changed, sizes = _changed(edits), sorted(edits.values("pages"))
    unit = statistics.median(edits.seconds(way="plain", pages=sizes[0], changed=0).values())

    def plot(axes: Any) -> None:
        for way in edits.values("way"):
            for number, pages in enumerate(sizes):
                known = [c for c in changed if edits.seconds(way=way, pages=pages, changed=c)]
                seconds = [edits.seconds(way=way, pages=pages, changed=c).values() for c in known]
                style = {"color": LINES[way][0], "ls": ("-", "--", ":")[number % 3], "marker": "osD"[number % 3]}
                label = f"{name(way, 'en', {})}, {pages} pages"
                middle = [statistics.median(each) / unit for each in seconds]
                axes.plot([max(c, 0.1) for c in known], middle, label=label, **style)
        axes.set(xscale="log", yscale="log", xlabel="pages changed", ylabel=f"× plain MkDocs, {sizes[0]} pages")
        axes.set_xticks([max(c, 0.1) for c in changed], [str(c) for c in changed])

    return _drawn(plot)


def _drawn(plot: Callable[[Any], None]) -> str:
    """Return a figure with logarithmic axes, filled in by `plot`, in an ink that can be read on light and on dark."""
    import matplotlib  # here alone: most of what asks for this module draws nothing
    from matplotlib.figure import Figure

    style: dict[str, Any] = {key: INK if value == STYLE["text.color"] else value for key, value in STYLE.items()}
    style |= {"svg.hashsalt": "benchmarks", "figure.figsize": (7.2, 4.0), "lines.markersize": 5}
    with matplotlib.rc_context(style):
        figure = Figure()
        axes = figure.subplots()
        plot(axes)
        axes.yaxis.set_major_formatter("{x:g}")
        axes.xaxis.set_minor_locator(matplotlib.ticker.NullLocator())
        axes.grid(True)
        figure.legend(loc="outside right upper", fontsize=8, frameon=False)
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return portable(file.getvalue(), "benchmarks") + "\n"  # what `check` allows a file of the site to hold


def publish(root: Path, results: Mapping[str, Any]) -> list[str]:
    """Write the plots, and the tables into the files that show them. Return the files that changed."""
    made = {PLOT: draw(results)} | ({EDITS: draw_edits(results)} if "edits" in results else {})
    for file, language in SHOWN.items():
        made[file] = replace((root / file).read_text(encoding="utf-8"), results, language)
    return [file for file, content in made.items() if write_if_changed(root / file, content)]


def main() -> None:
    root = find_root()
    for file in publish(root, json.loads((root / RESULTS).read_text(encoding="utf-8"))):
        print(file)


if __name__ == "__main__":
    main()
