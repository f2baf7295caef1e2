"""Results → the tables and the plot that the READMEs and the site show. Pure, but for `publish`.

    python -m benchmarks.report

Everything is a ratio: seconds say more of the machine than of the way. A ratio is taken within a round, the median of the
rounds is shown with the lowest and the highest beside it.
"""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verbatim.pages.notebook import INK
from verbatim.project import find_root, write_if_changed
from verbatim.run.figures import STYLE

RESULTS = "benchmarks/results.json"
PLOT = "docs/assets/benchmarks.svg"
#: Time against pages changed.
EDITS = "docs/assets/edits.svg"
#: Where the results are shown: file → (language, path of the plot from there).
SHOWN = {
    "README.md": ("en", PLOT),
    "README.zh.md": ("zh", PLOT),
    "docs/en/ways/speed.md": ("en", "../../assets/benchmarks.svg"),
    "docs/zh/ways/speed.md": ("zh", "../../assets/benchmarks.svg"),
}
MARKED = re.compile(r"(<!-- benchmarks: (?P<part>\w+) -->\n).*?(<!-- /benchmarks -->)", re.DOTALL)

WORDS = {
    "en": {
        "this": "this project",
        "plain": "plain MkDocs{v}, outputs pasted in",
        "properdocs": "ProperDocs{v}, outputs pasted in",
        "zensical": "Zensical{v}, outputs pasted in",
        "run": "this project, scripts without pages",
        "exec": "bare `exec` in one process",
        "nbclient": "nbclient{v}, a kernel for each script",
        "mkdocs-jupyter": "mkdocs-jupyter{v}",
        "markdown-exec": "markdown-exec{v}",
        "myst-nb": "MyST-NB{v}",
        "sphinx-gallery": "sphinx-gallery{v}",
        "way": "way",
        "scripts": "scripts",
        "rounds": "rounds",
        "cold": "cold",
        "warm": "nothing changed",
        "edit": "one script changed",
        "torch": "torch changed",
        "memory": "peak memory",
        "stale": "old outputs stay",
        "colon": ": ",
        "missing": "{way} could not be installed: {why}",
        "wrong": "not counted: {why}",
        "builds": "Times as multiples of plain MkDocs, which gets the same pages with the outputs pasted in: median "
        "(lowest to highest) of the rounds.",
        "runs": "Scripts alone, without pages, as multiples of bare `exec`, which imports once and isolates nothing:",
        "machine": "Measured on {date}: {cpu}, {cores} cores, {system}, Python {python}, torch {version}.",
        "plot": "Time against the number of scripts, both on logarithmic scales: cold builds, and this project's builds "
        "in which nothing changed",
        "aim": "aim",
        "limit": "limit",
        "measured": "measured",
        "result": "result",
        "met": "met",
        "not met": "not met",
        "most": "≤ {limit:g}",
        "least": "≥ {limit:g}",
        "exec-aim": "cold run of the scripts, against bare `exec`",
        "markdown-exec-whole": "cold build, against markdown-exec",
        "markdown-exec-beyond": "the same beyond rendering (each less plain MkDocs)",
        "mkdocs-jupyter-whole": "mkdocs-jupyter's cold build, against this project's",
        "mkdocs-jupyter-beyond": "the same beyond rendering (each less plain MkDocs)",
        "warm-aim": "build without a change, against plain MkDocs",
        "repository-aim": "the same on this site, {pages} pages, against Material's own frame and search",
        "edit-aim": "one script changed, as a part of the cold build, both beyond rendering",
        "pages": "pages",
        "edits": "Processor time of builds in which so many pages changed, as multiples of plain MkDocs, which gets "
        "the same pages with the outputs pasted in and renders them all each time: median (lowest to highest) of the "
        "rounds. The others make no notebook views, downloads, cards or feeds, so they make half as many pages.",
        "edits-plot": "Processor time against the number of pages that changed, both on logarithmic scales",
        "one-script": "one script",
        "edits-nothing-aim": "this site, {pages} pages, nothing changed, against plain MkDocs",
        "edits-page-aim": "this site, {pages} pages, one page changed, against plain MkDocs",
        "edits-script-aim": "this site, {pages} pages, one script changed, against plain MkDocs",
        "edits-growth-aim": "one page changed: {many} pages against {few}",
        "processes": "Processor time of cold runs, scripts without pages, all processes together, as multiples of bare "
        "`exec`. The two ways between are floors: they fork a process for each script, prepared as this project prepares "
        "it, and neither limit, watch nor note anything.",
        "ended": "a forked process for each script, which ends at once",
        "forked": "a forked process for each script, bare `exec` in it",
        "processes-aim": "processor time of a cold run of the scripts, against bare `exec`",
        "growth-aim": "time for each further script, {many} against {few} scripts: cold build",
        "growth-run-aim": "the same, scripts without pages",
        "memory-aim": "memory of the parent process, scripts without pages, {many} against {few} scripts",
    },
    "zh": {
        "this": "本项目",
        "plain": "纯 MkDocs{v}，输出已贴好",
        "properdocs": "ProperDocs{v}，输出已贴好",
        "zensical": "Zensical{v}，输出已贴好",
        "run": "本项目，只运行脚本",
        "exec": "单进程里直接 `exec`",
        "nbclient": "nbclient{v}，每个脚本一个内核",
        "mkdocs-jupyter": "mkdocs-jupyter{v}",
        "markdown-exec": "markdown-exec{v}",
        "myst-nb": "MyST-NB{v}",
        "sphinx-gallery": "sphinx-gallery{v}",
        "way": "方式",
        "scripts": "脚本数",
        "rounds": "轮数",
        "cold": "冷构建",
        "warm": "没有改动",
        "edit": "改一个脚本",
        "torch": "换 torch 版本",
        "memory": "内存峰值",
        "stale": "仍是旧输出",
        "colon": "：",
        "missing": "{way} 无法安装：{why}",
        "wrong": "不计入：{why}",
        "builds": "时间是纯 MkDocs 的倍数，它拿到同样的页面，输出已经贴好。各轮的中位数（最低至最高）。",
        "runs": "只运行脚本、不生成页面，时间是直接 `exec` 的倍数，后者只导入一次，不做任何隔离：",
        "machine": "测于 {date}：{cpu}，{cores} 核，{system}，Python {python}，torch {version}。",
        "plot": "时间随脚本数的变化，两轴都取对数：各种方式的冷构建，以及本项目没有改动时的构建",
        "aim": "目标",
        "limit": "界限",
        "measured": "实测",
        "result": "结果",
        "met": "达到",
        "not met": "未达到",
        "most": "≤ {limit:g}",
        "least": "≥ {limit:g}",
        "exec-aim": "冷运行全部脚本，与直接 `exec` 相比",
        "markdown-exec-whole": "冷构建，与 markdown-exec 相比",
        "markdown-exec-beyond": "同上，只算渲染之外的部分（各减去纯 MkDocs）",
        "mkdocs-jupyter-whole": "mkdocs-jupyter 的冷构建，与本项目相比",
        "mkdocs-jupyter-beyond": "同上，只算渲染之外的部分（各减去纯 MkDocs）",
        "warm-aim": "没有改动时的构建，与纯 MkDocs 相比",
        "repository-aim": "同上，本站 {pages} 页，与 Material 自带的框架和搜索相比",
        "edit-aim": "改一个脚本，占冷构建的几分之几，都只算渲染之外的部分",
        "pages": "页数",
        "edits": "改动若干页之后构建所用的处理器时间，是纯 MkDocs 的倍数；纯 MkDocs 拿到同样的页面，输出已经贴好，"
        "每次都渲染全部页面。各轮的中位数（最低至最高）。其他工具不生成 Notebook 页面、下载文件、分享图和订阅源，"
        "页数只有一半。",
        "edits-plot": "处理器时间随改动页数的变化，两轴都取对数",
        "one-script": "一个脚本",
        "processes": "冷运行所用的处理器时间，只运行脚本，所有进程加在一起，是直接 `exec` 的倍数。中间两种是下限："
        "为每个脚本 fork 一个进程，事先的准备与本项目相同，但不加限制，不监视，也不记录任何东西。",
        "ended": "每个脚本 fork 一个进程，立即结束",
        "forked": "每个脚本 fork 一个进程，在里面直接 `exec`",
        "processes-aim": "冷运行脚本的处理器时间，与直接 `exec` 相比",
        "edits-nothing-aim": "本站 {pages} 页，没有改动，与纯 MkDocs 相比",
        "edits-page-aim": "本站 {pages} 页，改一页，与纯 MkDocs 相比",
        "edits-script-aim": "本站 {pages} 页，改一个脚本，与纯 MkDocs 相比",
        "edits-growth-aim": "改一页：{many} 页与 {few} 页相比",
        "growth-aim": "每多一个脚本的时间，{many} 个与 {few} 个脚本相比：冷构建",
        "growth-run-aim": "同上，只运行脚本",
        "memory-aim": "父进程的内存，只运行脚本，{many} 个与 {few} 个脚本相比",
    },
}


#: How a way is drawn: colour, mark, line. What is this project's is blue, the floors have the colour of the text.
LINES = {
    "exec": (INK, "s", ":"),
    "plain": (INK, "o", ":"),
    "run": ("#3b82d0", "s", "-"),
    "this": ("#3b82d0", "o", "-"),
    "markdown-exec": ("#e07b00", "^", "-"),
    "sphinx-gallery": ("#1f9e77", "v", "-"),
    "mkdocs-jupyter": ("#c8509b", "D", "-"),
    "myst-nb": ("#8a7bd8", "P", "-"),
    "nbclient": ("#a08c00", "X", "-"),
}


@dataclass(frozen=True)
class Ratio:
    """A ratio with its spread over the rounds."""

    middle: float
    low: float
    high: float
    rounds: int

    def __str__(self) -> str:
        if self.rounds == 1:
            return _short(self.middle)
        return f"{_short(self.middle)} ({_short(self.low)}–{_short(self.high)})"


def _short(value: float) -> str:
    return f"{value:.0f}" if abs(value) >= 99.5 else f"{value:.1f}" if abs(value) >= 9.95 else f"{value:.2f}"


class Measured:
    """What was measured, by way, number of scripts and scenario."""

    def __init__(self, results: dict[str, Any]):
        self.results = results
        self._runs: dict[tuple[str, int, str], dict[int, dict[str, Any]]] = {}
        for run in results["runs"]:
            self._runs.setdefault((run["way"], run["size"], run["scenario"]), {})[run["round"]] = run

    def sizes(self, *ways: str, scenario: str = "cold") -> list[int]:
        """Return the numbers of scripts for which all of the ways were measured, ascending."""
        each = [{size for way, size, kind in self._runs if way == one and kind == scenario} for one in ways]
        return sorted(set.intersection(*each)) if each else []

    def has(self, way: str, size: int, scenario: str) -> bool:
        return (way, size, scenario) in self._runs

    def seconds(self, way: str, size: int, scenario: str) -> dict[int, float]:
        """Return the seconds of each round."""
        return {number: run["seconds"] for number, run in self._runs.get((way, size, scenario), {}).items()}

    def largest(self, way: str, size: int, scenario: str, what: str) -> float | None:
        """Return the largest value of the rounds: `peak` or `parent` in MiB, `stale` in pages."""
        found = [run[what] for run in self._runs.get((way, size, scenario), {}).values() if run[what] is not None]
        return max(found, default=None)

    def ratio(self, size: int, value: Callable[[Callable[[str, str], float]], float]) -> Ratio | None:
        """Work out a value in each round. It asks for ``seconds(way, scenario)``; a round that lacks one is left out."""
        found = []
        for number in sorted({run["round"] for run in self.results["runs"] if run["size"] == size}):
            try:
                found.append(value(lambda way, kind, n=number: self.seconds(way, size, kind)[n]))
            except (KeyError, ZeroDivisionError):
                continue
        return Ratio(statistics.median(found), min(found), max(found), len(found)) if found else None


@dataclass(frozen=True)
class Aim:
    """An aim of the project, and what was measured of it."""

    key: str
    """A key of `WORDS`."""
    size: int
    """How many scripts; 0 where it is about something else."""
    measured: Ratio
    limit: float
    least: bool = False
    """Whether the limit is the least that is wanted, not the most."""
    said: tuple[tuple[str, Any], ...] = ()
    """What the words have blanks for."""

    @property
    def met(self) -> bool:
        return self.measured.middle >= self.limit if self.least else self.measured.middle <= self.limit


def aims(results: dict[str, Any]) -> list[Aim]:
    """Return the aims that could be measured."""
    measured = Measured(results)
    found: list[Aim] = []

    def add(key: str, size: int, ratio: Ratio | None, limit: float, *, least: bool = False, **said: Any) -> None:
        if ratio:
            found.append(Aim(key, size, ratio, limit, least, tuple(said.items())))

    for size in measured.sizes("run", "exec"):
        add("exec-aim", size, measured.ratio(size, lambda s: s("run", "cold") / s("exec", "cold")), 1.2)
    processes = Processes(results)
    for size in processes.sizes[-1:]:
        add("processes-aim", size, processes.ratio("run", size), 2.2)
    for other, limit in (("markdown-exec", 1), ("mkdocs-jupyter", 50)):
        for size in measured.sizes("this", "plain", other)[-1:]:
            least = other == "mkdocs-jupyter"

            def whole(s: Callable[[str, str], float], other: str = other, least: bool = least) -> float:
                quotient = s("this", "cold") / s(other, "cold")
                return 1 / quotient if least else quotient

            def beyond(s: Callable[[str, str], float], other: str = other, least: bool = least) -> float:
                ours, theirs = (s(way, "cold") - s("plain", "cold") for way in ("this", other))
                return theirs / ours if least else ours / theirs

            add(f"{other}-whole", size, measured.ratio(size, whole), limit, least=least)
            add(f"{other}-beyond", size, measured.ratio(size, beyond), limit, least=least)
    for size in measured.sizes("this", "plain", scenario="warm"):
        add("warm-aim", size, measured.ratio(size, lambda s: s("this", "warm") / s("plain", "warm")), 1.1)
    if site := results.get("repository"):
        pairs = [ours / plain for ours, plain in zip(site["this"], site["plain"], strict=True)]
        ratio = Ratio(statistics.median(pairs), min(pairs), max(pairs), len(pairs))
        add("repository-aim", 0, ratio, 1.1, pages=site["pages"])
    for size in measured.sizes("this", "plain", scenario="edit"):
        part = measured.ratio(
            size, lambda s: (s("this", "edit") - s("plain", "edit")) / (s("this", "cold") - s("plain", "cold"))
        )
        add("edit-aim", size, part, 0.15)
    found += _edit_aims(results)
    found += _growth(measured, "this", "growth-aim") + _growth(measured, "run", "growth-run-aim")
    sizes = measured.sizes("run")
    parents = [measured.largest("run", size, "cold", "parent") for size in (sizes[:1] + sizes[-1:])]
    if len(sizes) > 1 and all(parents):
        ratio = Ratio(parents[1] / parents[0], parents[1] / parents[0], parents[1] / parents[0], 1)  # type: ignore[operator]
        add("memory-aim", 0, ratio, 1.1, few=sizes[0], many=sizes[-1])
    return found


class Edits:
    """What builds cost after so many pages had changed."""

    def __init__(self, results: dict[str, Any]):
        self.runs: list[dict[str, Any]] = results.get("edits", {}).get("runs", [])
        self.pages = sorted({run["pages"] for run in self.runs})
        self.changed = [*sorted({c for run in self.runs if isinstance(c := run["changed"], int)}), "script"]
        self.ways = list(dict.fromkeys(run["way"] for run in self.runs))

    def seconds(self, way: str, pages: int, changed: int | str) -> dict[int, float]:
        """Return the processor seconds of each round."""
        wanted = (way, pages, changed)
        return {r["round"]: r["seconds"] for r in self.runs if (r["way"], r["pages"], r["changed"]) == wanted}

    def ratio(self, way: str, pages: int, changed: int | str) -> Ratio | None:
        """Compare with plain MkDocs in the same round, for which it makes no difference what changed."""
        floor = self.seconds("plain", pages, 0)
        found = [value / floor[n] for n, value in self.seconds(way, pages, changed).items() if n in floor]
        return Ratio(statistics.median(found), min(found), max(found), len(found)) if found else None


class Processes:
    """What cold runs cost in processor time."""

    ways = ("exec", "ended", "forked", "run")

    def __init__(self, results: dict[str, Any]):
        self.runs: list[dict[str, Any]] = results.get("processes", {}).get("runs", [])
        self.sizes = sorted({run["size"] for run in self.runs})

    def ratio(self, way: str, size: int) -> Ratio | None:
        """Compare with bare `exec` in the same round."""
        seconds = {(r["way"], r["round"]): r["seconds"] for r in self.runs if r["size"] == size}
        found = [value / seconds["exec", n] for (one, n), value in seconds.items() if one == way]
        return Ratio(statistics.median(found), min(found), max(found), len(found)) if found else None


def _edit_aims(results: dict[str, Any]) -> list[Aim]:
    edits = Edits(results)
    if not edits.pages:
        return []
    few, many = edits.pages[0], edits.pages[-1]
    found = []
    wanted = (("edits-nothing-aim", 0, 0.2), ("edits-page-aim", 1, 0.3), ("edits-script-aim", "script", 0.3))
    for key, changed, limit in wanted:
        if ratio := edits.ratio("this", few, changed):
            found.append(Aim(key, 0, ratio, limit, said=(("pages", few),)))
    small, large = edits.seconds("this", few, 1), edits.seconds("this", many, 1)
    if few != many and small and large:
        grown = statistics.median(large.values()) / statistics.median(small.values())
        said = (("few", few), ("many", many))
        found.append(Aim("edits-growth-aim", 0, Ratio(grown, grown, grown, 1), 3, said=said))
    return found


def _growth(measured: Measured, way: str, key: str) -> list[Aim]:
    """Compare what a further script costs between the larger sizes with what it costs between the smaller ones.

    What every build costs once (importing torch, above all) is in none of them, so that linear growth is a ratio of 1.
    """
    sizes = measured.sizes(way)[-3:]
    if len(sizes) < 3:
        return []
    few, some, many = (statistics.median(measured.seconds(way, size, "cold").values()) for size in sizes)
    slopes = (some - few) / (sizes[1] - sizes[0]), (many - some) / (sizes[2] - sizes[1])
    ratio = slopes[1] / slopes[0]
    return [Aim(key, 0, Ratio(ratio, ratio, ratio, 1), 1.1, said=(("few", sizes[1]), ("many", sizes[2])))]


# -- words and tables -----------------------------------------------------------------------------


def name(key: str, language: str, version: str = "") -> str:
    """Return what a way is called, with a version where one is given."""
    return WORDS[language][key].format(v=f" {version}" if version else "")


def table(rows: list[list[str]]) -> list[str]:
    """Return rows, the first of them a head, as a Markdown table whose numbers stand on the right."""
    head, *others = rows
    return [
        f"| {' | '.join(head)} |",
        f"| --- |{' ---: |' * (len(head) - 1)}",
        *(f"| {' | '.join(row)} |" for row in others),
    ]


def builds(results: dict[str, Any], language: str, size: int | None = None) -> list[str]:
    """Return the table of builds: with `size` scripts, or each way with as many as all scenarios were measured with."""
    measured, words = Measured(results), WORDS[language]
    scenarios = ("cold", "warm", "edit", "torch")
    head = [words["way"], words["scripts"], words["rounds"], *(words[kind] for kind in scenarios), words["memory"]]
    rows = [head]
    for key, way in results["ways"].items():
        if not way["pages"]:
            continue
        full = measured.sizes(key, scenario="edit")
        best = min((n for n in full if n >= 40), default=max(full, default=None))
        chosen = size or best
        if chosen is None or not measured.has(key, chosen, "cold"):
            continue
        rounds = len(measured.seconds(key, chosen, "cold"))
        cells = [_build(measured, key, chosen, kind, words) for kind in scenarios]
        memory = measured.largest(key, chosen, "cold", "peak")
        shown = f"{memory:.0f} MiB" if memory else "–"
        rows.append([name(key, language, way["version"]), str(chosen), str(rounds), *cells, shown])
    return table(rows)


def _build(measured: Measured, key: str, size: int, kind: str, words: dict[str, str]) -> str:
    ratio = measured.ratio(size, lambda s: s(key, kind) / s("plain", kind))
    if ratio is None:
        return "–"
    return words["stale"] if measured.largest(key, size, kind, "stale") else str(ratio)


def edits_table(results: dict[str, Any], language: str) -> list[str]:
    """Return the table of builds after so many pages had changed; nothing where that was not measured."""
    edits, words = Edits(results), WORDS[language]
    if not edits.pages:
        return []
    shown = [words["warm"], *map(str, edits.changed[1:-1]), words["one-script"]]
    rows = [[words["way"], words["pages"], *shown]]
    for pages in edits.pages:
        for way in edits.ways:
            version = results["ways"].get(way, {}).get("version", "")
            title = name(way, language, version) if way in WORDS[language] else way
            rows.append([title, str(pages), *(str(edits.ratio(way, pages, c) or "–") for c in edits.changed)])
    said = f"{words['edits']}{'' if language == 'zh' else ' '}{machine(results['edits'], language)}"
    return [said, "", *table(rows), "", f"![{words['edits-plot']}](../../assets/edits.svg)"]


def runs(results: dict[str, Any], language: str) -> list[str]:
    """Return the table of the ways that make no pages."""
    measured, words = Measured(results), WORDS[language]
    rows = [[words["way"], words["scripts"], words["rounds"], words["cold"], words["memory"]]]
    for key, way in results["ways"].items():
        for size in [] if way["pages"] else measured.sizes(key, "exec"):
            ratio = measured.ratio(size, lambda s, key=key: s(key, "cold") / s("exec", "cold"))
            memory = measured.largest(key, size, "cold", "peak")
            if ratio:
                shown = f"{memory:.0f} MiB" if memory else "–"
                rows.append([name(key, language, way["version"]), str(size), str(ratio.rounds), str(ratio), shown])
    return table(rows)


def processes_table(results: dict[str, Any], language: str) -> list[str]:
    """Return the table of processor times of cold runs; nothing where they were not measured."""
    processes, words = Processes(results), WORDS[language]
    if not processes.runs:
        return []
    rows = [[words["way"], *(f"{size}" for size in processes.sizes)]]
    for way in processes.ways:
        rows.append([name(way, language), *(str(processes.ratio(way, size) or "–") for size in processes.sizes)])
    said = f"{words['processes']}{'' if language == 'zh' else ' '}{machine(results['processes'], language)}"
    return [said, "", *table(rows)]


def machine(results: dict[str, Any], language: str) -> str:
    """Say when and on what it was measured."""
    cpu = re.sub(r"\((?:R|TM)\)|\s+CPU\b|@.*", "", results["machine"]["cpu"]).strip()
    said = {**results["machine"], "cpu": " ".join(cpu.split()), "date": results["date"], "version": results["torch"]}
    return WORDS[language]["machine"].format(**said)


def left_out(results: dict[str, Any], language: str) -> list[str]:
    """Name what could not be installed, and what did not show what it should have shown."""
    words = WORDS[language]
    told = [words["missing"].format(way=name(key, language), why=why) for key, why in results["missing"].items()]
    return [f"- {line}" for line in [*told, *(words["wrong"].format(why=why) for why in results["wrong"])]]


def aims_table(results: dict[str, Any], language: str) -> list[str]:
    """Return the aims, each with what was measured."""
    words = WORDS[language]
    rows = [[words["aim"], words["scripts"], words["limit"], words["measured"], words["result"]]]
    for aim in aims(results):
        limit = words["least" if aim.least else "most"].format(limit=aim.limit)
        said = words[aim.key].format(**dict(aim.said))
        rows.append([said, str(aim.size or "–"), limit, str(aim.measured), words["met" if aim.met else "not met"]])
    return table(rows)


def part(results: dict[str, Any], what: str, language: str, plot: str) -> list[str]:
    """Return what stands between two markers: `summary`, `builds`, `plot`, `runs`, `edits` or `aims`."""
    words = WORDS[language]
    end = [*left_out(results, language), "", machine(results, language)]
    picture = f"![{words['plot']}]({plot})"
    if what == "summary":
        return [words["builds"], "", *builds(results, language), "", *end, "", picture]
    if what == "builds":
        lines = [words["builds"]]
        for size in Measured(results).sizes("this", "plain"):
            lines += ["", *builds(results, language, size)]
        return [*lines, "", *end]
    if what == "runs":
        more = processes_table(results, language)
        return [words["runs"], "", *runs(results, language), *(["", *more] if more else [])]
    if what == "edits":
        return edits_table(results, language)
    if what == "aims":
        return aims_table(results, language)
    if what == "plot":
        return [picture]
    raise ValueError(f"there is no part `{what}` of the results")


def replace(text: str, results: dict[str, Any], language: str, plot: str) -> str:
    """Return a file with what stands between its markers made anew.

    Raises:
        ValueError: It has no markers.
    """
    if not MARKED.search(text):
        raise ValueError("there is no place for the results: <!-- benchmarks: summary --> … <!-- /benchmarks -->")

    def made(match: re.Match[str]) -> str:
        lines = "\n".join(part(results, match["part"], language, plot))
        return f"{match[1]}\n{lines}\n\n{match[3]}"

    return MARKED.sub(made, text)


def text(results: dict[str, Any]) -> str:
    """Return everything for a terminal."""
    return "\n\n".join("\n".join(part(results, what, "en", PLOT)) for what in ("builds", "runs", "aims"))


# -- the plot -------------------------------------------------------------------------------------


def draw(results: dict[str, Any]) -> str:
    """Return the plot as SVG, in an ink that can be read on light and on dark."""
    measured = Measured(results)
    sizes = measured.sizes("plain")
    unit = statistics.median(measured.seconds("plain", sizes[0], "cold").values())

    def plot(axes: Any) -> None:
        for key in results["ways"]:
            for kind in ("cold", "warm") if key == "this" else ("cold",):
                known = measured.sizes(key, scenario=kind)
                middle = [statistics.median(measured.seconds(key, size, kind).values()) / unit for size in known]
                label = name(key, "en").replace("`", "") + (", nothing changed" if kind == "warm" else "")
                colour, mark, line = LINES[key]
                wide = 2.4 if key == "this" else 1.4
                axes.plot(
                    known, middle, "--" if kind == "warm" else line, color=colour, marker=mark, lw=wide, label=label
                )
        axes.set(xscale="log", yscale="log", xlabel="scripts", ylabel=f"× plain MkDocs, {sizes[0]} scripts")
        axes.set_xticks(sorted({run["size"] for run in results["runs"]}))
        axes.xaxis.set_major_formatter("{x:g}")

    return _drawn(plot)


def _drawn(plot: Callable[[Any], None]) -> str:
    """Return a figure with logarithmic axes, filled in by `plot`, as SVG."""
    import io

    import matplotlib
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
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines()) + "\n"


def draw_edits(results: dict[str, Any]) -> str:
    """Return the plot of processor time against pages changed as SVG; nothing changed stands at a tenth of a page."""
    edits = Edits(results)
    unit = statistics.median(edits.seconds("plain", edits.pages[0], 0).values())

    def plot(axes: Any) -> None:
        colours = {"this": "#3b82d0", "plain": INK, "properdocs": "#1f9e77", "zensical": "#e07b00"}
        for way in edits.ways:
            for number, pages in enumerate(edits.pages):
                known = [c for c in edits.changed[:-1] if edits.seconds(way, pages, c)]
                middle = [statistics.median(edits.seconds(way, pages, c).values()) / unit for c in known]
                label = f"{name(way, 'en') if way in WORDS['en'] else way}, {pages} pages"
                style = {"color": colours[way], "ls": ("-", "--", ":")[number % 3], "marker": "osD"[number % 3]}
                axes.plot([max(c, 0.1) for c in known], middle, label=label, **style)
        ticks = [max(c, 0.1) for c in edits.changed[:-1]]
        axes.set(xscale="log", yscale="log", xlabel="pages changed")
        axes.set_ylabel(f"× plain MkDocs, {edits.pages[0]} pages")
        axes.set_xticks(ticks, [str(c) for c in edits.changed[:-1]])

    return _drawn(plot)


def publish(root: Path, results: dict[str, Any]) -> list[str]:
    """Write the plot, and the tables into the files that show them. Return the files that changed."""
    written = [PLOT] if write_if_changed(root / PLOT, draw(results)) else []
    if "edits" in results and write_if_changed(root / EDITS, draw_edits(results)):
        written.append(EDITS)
    for file, (language, plot) in SHOWN.items():
        path = root / file
        if write_if_changed(path, replace(path.read_text(encoding="utf-8"), results, language, plot)):
            written.append(file)
    return written


def main() -> None:
    root = find_root()
    for file in publish(root, json.loads((root / RESULTS).read_text(encoding="utf-8"))):
        print(file)


if __name__ == "__main__":
    main()
