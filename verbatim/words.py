"""Every word of the engine that readers see, by language. A further language is one more column.

Words of the site's own frame (its templates) stand in ``overrides/partials/words.html``.
"""

from __future__ import annotations

from collections import defaultdict

#: Language → key → text, with ``str.format`` fields.
Words = dict[str, dict[str, str]]


def _by_language(table: dict[str, dict[str, str]]) -> Words:
    """Turn a table of key → language → text into language → key → text. What a language lacks is English."""
    languages = {language for texts in table.values() for language in texts}
    by_language = {
        language: {key: texts.get(language, texts["en"]) for key, texts in table.items()} for language in languages
    }
    return defaultdict(lambda: by_language["en"], by_language)


#: What a cell needs, a key of `CAPABILITIES`, where that key is no word for readers. ``other`` is for all other keys.
NEEDS = _by_language(
    {
        "other": {"zh": " `{need}`", "en": "`{need}`"},
        "no-driver": {
            "zh": "没有 NVIDIA 驱动的 CUDA 版 PyTorch",
            "en": "a CUDA build of PyTorch without an NVIDIA driver",
        },
        "old-driver": {
            "zh": "驱动太旧的 CUDA 版 PyTorch",
            "en": "a CUDA build of PyTorch with an NVIDIA driver that is too old for it",
        },
        "mps": {"zh": " Apple 的 GPU（MPS）", "en": "an Apple GPU (MPS)"},
        "xpu": {"zh": " Intel 的 GPU（XPU）", "en": "an Intel GPU (XPU)"},
        "windows": {"zh": " Windows", "en": "Windows"},
    }
)

#: Around outputs on pages.
OUTPUTS = _by_language(
    {
        "output": {"zh": "输出", "en": "Output"},
        "warning": {"zh": "警告", "en": "Warning"},
        "error": {"zh": "报错", "en": "Error"},
        "varies": {"zh": "因运行和机器而异", "en": "varies by run and machine"},
        "rest": {"zh": "完整报错（另有 {count} 行）", "en": "Full message ({count} more lines)"},
        "figure-code": {"zh": "画图代码", "en": "Code of the figure"},
        "folded-code": {"zh": "准备代码", "en": "Setup code"},
        "asks": {"zh": "先猜再看：这里会打印什么？", "en": "Guess first: what does this print?"},
        "asks-error": {"zh": "先猜再看：这里能运行吗？", "en": "Guess first: does this run?"},
        "recorded": {"zh": "录制于 {where}", "en": "recorded on {where}"},
        "unverified": {"zh": "构建时未核实", "en": "not verified by this build"},
        "stale": {"zh": "录制时的代码与现在不同", "en": "recorded for an earlier version of this code"},
        "not-recorded": {"zh": "尚未录制", "en": "Not recorded yet"},
        "not-recorded-text": {
            "zh": "尚未录制：这一段需要{need}，构建本页的机器上没有。",
            "en": "Not recorded yet: this part needs {need}, which the machine that built this page does not have.",
        },
        "known": {"zh": "已知的报错信息，未在此录制", "en": "Known message, not recorded here"},
        "origin": {"zh": "这条信息来自 {origin}。", "en": "The message is quoted from {origin}."},
        "origin-unverified": {
            "zh": "这条信息来自 {origin}；构建本页的机器上没有这份源码，未核对。",
            "en": "The message is quoted from {origin}. Not verified: this source is not on the machine that built this page.",
        },
        "missing": {
            "zh": "这里引用的代码不存在，或者无法读取",
            "en": "The code that is shown here does not exist or cannot be read",
        },
        "pending": {"zh": "输出来自记录", "en": "Outputs from the records"},
        "pending-text": {
            "zh": "{scripts} 还没有在这台机器上运行。下面是记录中的输出；运行之后，这一页会自动更新。",
            "en": "{scripts} has not run on this machine yet. Below is what was recorded; when it has run, the page updates.",
        },
        "problems": {"zh": "这一页还有问题", "en": "Something is wrong with this page"},
        "behind": {
            "zh": "这一节的{newer}版有更新，中文版尚未跟上。",
            "en": "The {newer} version of this section is newer.",
        },
        "in zh": {"zh": "中文", "en": "Chinese"},
        "in en": {"zh": "英文", "en": "English"},
        "differs": {
            "zh": "CPU 与 CUDA 的输出不同，差别超出舍入误差。",
            "en": "The outputs on CPU and CUDA differ by more than rounding.",
        },
        "ran": {
            "zh": "本页的输出由 {library}（{rest}）打印；构建网站时全部重新运行并比较过。",
            "en": "The outputs on this page were printed by {library} ({rest}); the build ran all of it again and compared.",
        },
    }
)


#: What other releases of torch printed.
VERSIONS = _by_language(
    {
        "and": {"zh": "、", "en": " and "},
        "comma": {"zh": "、", "en": ", "},
        "also": {"zh": "，", "en": ", "},
        "space": {"zh": "", "en": " "},
        "several": {
            "zh": "torch {first}–{last}（测过 {count} 个版本）",
            "en": "torch {first} to {last} ({count} releases tested)",
        },
        "newer": {"zh": "Python {first} 及更新版本", "en": "Python {first} and newer"},
        "fold": {"zh": "在其他版本：{versions}", "en": "In other versions: {versions}"},
        "once": {"zh": "曾经如此：{versions}", "en": "This was so once: {versions}"},
        "recorded": {"zh": "录制", "en": "recorded"},
        "absent": {"zh": "这个版本还没有", "en": "not in this version yet"},
        "gone": {"zh": "这个版本已经没有了", "en": "no longer in this version"},
        "use": {"zh": "换一个版本：{versions} 能运行。", "en": "Use another release: it runs with {versions}."},
        "stop": {"zh": "。", "en": ". "},
        "figure": {"zh": "另一张图，见网页版", "en": "another figure, which the web page shows"},
        "nothing": {"zh": "没有输出", "en": "No output"},
        "not-run": {
            "zh": "没有运行：它要用 `{cell}` 的结果，而 `{cell}` 在这个版本里报错",
            "en": "Not run: it needs `{cell}`, which fails in this version",
        },
        "ran": {
            "zh": "同样的代码也在 {versions} 上运行过：输出不同的，写在各段输出下面；其余能运行的，输出一致。",
            "en": "The same code was run with {versions}: what it printed differently there is shown below each output; all else that runs there agreed.",
        },
        "unproved": {
            "zh": "在 {versions} 上，本页没有显示的代码运行结果不同。",
            "en": "With {versions}, code of this page that is not shown gave other results.",
        },
        "behind": {
            "zh": "{versions} 运行之后，本页有代码或输出改过，那些地方不作比较。",
            "en": "Some of this page has changed since it was run with {versions}; nothing is said of those parts.",
        },
    }
)


#: The list of names.
NAMES = _by_language(
    {
        "used": {"zh": "本页用到：", "en": "Used on this page: "},
        "deprecated": {"zh": "已弃用", "en": "deprecated"},
        "missing": {"zh": "没有它的版本", "en": "missing from"},
        "some": {"zh": "用到它的有 {count} 页，最相关的是：", "en": "Used on {count} pages, most of all: "},
        "comma": {"zh": "、", "en": ", "},
    }
)


#: The list of names by the release that is the first to have them.
SINCE = _by_language(
    {
        "step": {"zh": "**{new}**（{old} 还没有）", "en": "**{new}** (not in {old})"},
        "none": {"zh": "还没有运行过别的版本。", "en": "No other release has been run yet."},
    }
)


#: The list of warnings by what they cost.
URGENCY = _by_language(
    {
        "nothing": {"zh": "可以不管：什么也不用改", "en": "Cost nothing: no code to change"},
        "now": {"zh": "现在就改：结果或速度可能已经不对", "en": "Mend now: the result or the speed may be wrong today"},
        "later": {"zh": "升级之前改：以后的版本会变", "en": "Mend before the next release: it will change"},
        "none": {"zh": "没有。", "en": "None."},
    }
)


#: The list of what versions changed.
CHANGES = _by_language(
    {
        "none": {
            "zh": "到目前为止，所有输出都出自同一个版本，torch {version}。在别的版本上运行过之后，不同的地方会列在这里。",
            "en": "So far every output comes from one version, torch {version}. Once others have been run, what differs is listed here.",
        },
        "same": {"zh": "没有一处输出改变。", "en": "No output changed."},
        "after": {
            "zh": "与运行过的前一个版本 torch {old} 相比。",
            "en": "Compared with torch {old}, the version before it that was run.",
        },
        "by chapter": {"zh": "按章看变化", "en": "By chapter"},
        "numbers": {"zh": "各版本的数字", "en": "The releases in numbers"},
        "between": {"zh": "在各版本之间变过的有 {count} 处", "en": "{count} places changed between versions"},
        "between from": {"zh": "从 torch", "en": "From torch"},
        "between to": {"zh": "到", "en": "to"},
        "between all": {"zh": "任意版本", "en": "any"},
        "between none": {"zh": "本书中没有变化。", "en": "Nothing of this book changed."},
        "short new": {"zh": "可以运行", "en": "runs"},
        "short gone": {"zh": "不再能运行", "en": "runs no longer"},
        "short new error": {"zh": "报错", "en": "error"},
        "short new warning": {"zh": "警告", "en": "warning"},
        "short changed message": {"zh": "信息换了措辞", "en": "message in other words"},
        "short message gone": {"zh": "信息不再出现", "en": "message gone"},
        "short changed": {"zh": "输出不同", "en": "other output"},
        "colon": {"zh": "：", "en": ": "},
        "stop": {"zh": "。", "en": ". "},
        "all": {"zh": "逐条来看", "en": "All of it, one by one"},
        "counted": {
            "zh": "{count} 处，见[按章的列表]({target})。",
            "en": "{count}, in the [list by chapter]({target}).",
        },
        "why": {
            "zh": "已有 torch {newer}，本站为什么仍用 torch {built} 构建：换版本之前，它改变的每一处输出都要有人读过、认可；在那之前，新版本先照样运行一遍，不同的地方写在各段输出下面。",
            "en": "Why this site is built with torch {built} although torch {newer} is out: before it is raised, somebody reads and approves every output that changes. Until then newer releases are run beside it, and pages show what they print differently.",
        },
        "known": {"zh": "（与 torch {old} 相比）", "en": " (compared with torch {old})"},
        "names": {"zh": "新出现的名字", "en": "New names"},
        "names gone": {"zh": "不再有的名字", "en": "Names that are gone"},
        "new": {"zh": "从这里起可以运行", "en": "Runs from here on"},
        "gone": {"zh": "不再能运行", "en": "Runs no longer"},
        "new error": {"zh": "新的报错", "en": "New errors"},
        "new warning": {"zh": "新的警告和信息", "en": "New warnings and messages"},
        "changed message": {"zh": "措辞变了的信息", "en": "Messages that are worded differently"},
        "message gone": {"zh": "不再出现的信息", "en": "Messages that are gone"},
        "changed": {"zh": "数值和其他输出", "en": "Numbers and other outputs"},
        "feed": {"zh": "订阅：", "en": "Feed: "},
        "feed title": {"zh": "PyTorch 改变的输出", "en": "Outputs that PyTorch changed"},
        "comma": {"zh": "，", "en": ", "},
        "table": {
            "zh": "各段代码在每个版本上的结果，与构建本站的 torch {built} 比较。“改过”：那之后代码或输出改过，还没有重新运行。",
            "en": "What came of the book's cells in each version, compared with torch {built}, with which this site is built. Outdated: code or output has changed since, and was not run again.",
        },
        "column run": {"zh": "运行", "en": "Run"},
        "column same": {"zh": "相同", "en": "Same"},
        "column changed": {"zh": "不同", "en": "Different"},
        "column errors": {"zh": "其中报错", "en": "Of them errors"},
        "column absent": {"zh": "没有此功能", "en": "Not there"},
        "column varies": {"zh": "每次都变", "en": "Varies"},
        "column not_run": {"zh": "没有运行", "en": "Not run"},
        "column stale": {"zh": "改过", "en": "Outdated"},
        "column date": {"zh": "运行日期", "en": "Run on"},
    }
)


#: The list of topics and of cells that await a GPU.
COVERAGE = _by_language(
    {
        "topics": {
            "zh": "有中英两版的主题：{done}/{all}",
            "en": "Topics with a section in both languages: {done} of {all}",
        },
        "missing": {"zh": "还没有的主题", "en": "Topics that have none yet"},
        "nothing": {"zh": "没有。", "en": "None."},
        "awaiting": {"zh": "等待 GPU 录制的代码：{count} 段", "en": "Cells that await a recording on a GPU: {count}"},
        "behind": {"zh": "落后于另一种语言的段落：{count}", "en": "Sections behind the other language: {count}"},
        "top": {"zh": "开头", "en": "beginning"},
        "varies": {"zh": "因运行和机器而异的输出：{count}", "en": "Outputs that vary by run and machine: {count}"},
        "warnings": {"zh": "有意展示的警告：{count}", "en": "Warnings shown on purpose: {count}"},
        "unrecorded": {"zh": "尚未录制", "en": "not recorded yet"},
        "stale": {"zh": "录制时的代码与现在不同", "en": "recorded for an earlier version of this code"},
    }
)


#: What the site adds to pages.
SITE = _by_language(
    {
        "permalink": {"zh": "本节的链接", "en": "Link to this section"},
        "always": {"zh": "总是显示输出", "en": "Always show outputs"},
        "package": {
            "zh": '<a href="{address}">在终端里也能看到，不用联网</a>',
            "en": '<a href="{address}">Also in your terminal, without a network</a>',
        },
        "waiting": {
            "zh": "正在准备这一页，好了会自动显示。",
            "en": "This page is being made; it shows itself when it is ready.",
        },
        "from": {
            "zh": "出自 [{site}]({url})。输出由 {library} 打印。",
            "en": "From [{site}]({url}). The outputs were printed by {library}.",
        },
    }
)


#: Pages as Markdown, for assistants.
ASSISTANTS = _by_language(
    {
        "about": {
            "zh": "每一页都有 Markdown 版：页面地址去掉末尾的 `/`，加上 `.md`；章的首页和网站首页是 `index.md`。"
            "代码下面的输出都由 PyTorch 打印，没有一行是手写的。",
            "en": "Every page exists as Markdown: its address without the final `/`, plus `.md`; the home page and the first "
            "page of a chapter are `index.md`. All outputs below code were printed by PyTorch; none is typed by hand.",
        },
        "package": {
            "zh": '不用联网，运行 `{install}` 后，`python -m pytorch_verbatim "RuntimeError: …"` 会说一条消息是什么意思、怎么办。'
            "`{mcp}` 带有 MCP 服务器：`python -m pytorch_verbatim mcp`。",
            "en": 'Without a network: after `{install}`, `python -m pytorch_verbatim "RuntimeError: …"` says '
            "what a message means and what to do. `{mcp}` brings an MCP server: "
            "`python -m pytorch_verbatim mcp`.",
        },
        "library": {"zh": "输出由 {library} 打印。", "en": "The outputs were printed by {library}."},
        "errors": {
            "zh": "全部报错和警告：出现在哪里、怎么办、哪些版本的 torch 会打印（JSON）",
            "en": "All errors and warnings, with where they are shown, what to do, and which releases of torch print them (JSON)",
        },
        "fields": {
            "zh": "`errors.json` 有 `site`（下面的 `at` 接在它后面）、`torch`（打印全书的版本）、`count` 和 `errors`。一行是一种消息，只有数字不同的算同一种："
            "`message` 是打印的原文（最多 200 个字符），`places` 是出现它的各小节，最对题的在前：`at`、`remedy`（怎么办；没有就读那一页，`title` 是它的标题）、"
            "`runs_with`（打印这条消息的版本运行不了这段代码，这些版本可以）、"
            "`torch`（哪些版本打印它；没有就是全部）、`quoted`（引自源代码，还没有运行到）。",
            "en": "`errors.json` has `site` (each `at` below is relative to it), `torch` (the release that printed the book), "
            "`count` and `errors`. A row is one message; those that differ in numbers alone are one: `message`, as printed (200 characters of it), and "
            "`places`, the sections that show it, best first: `at`, `remedy` (what to do; if there is none, read the page called `title`), "
            "`runs_with` (releases that run this code, where those that print the message cannot), `torch` (the releases that "
            "print it; all if there is none), `quoted` (from the source; no run has printed it).",
        },
        "full": {"zh": "全部条目，一个文件", "en": "All recipes in one file"},
        "chapter": {"zh": "本章全部条目，一个文件", "en": "All recipes of this chapter in one file"},
    }
)


#: The list of errata.
ERRATA = _by_language(
    {
        "said": {"zh": "✗ 常见说法：", "en": "✗ Often said: "},
        "fact": {"zh": "✓ 实际上：", "en": "✓ In fact: "},
        "proof": {"zh": "证据：", "en": "Proof: "},
        "printed": {"zh": "证据的输出", "en": "Output of the proof"},
        "once": {"zh": "曾经如此 · {versions}", "en": "This was so once · {versions}"},
    }
)


#: What an upgrade changes for code, on "What versions changed" and in the package.
UPGRADE = _by_language(
    {
        "missing": {"zh": "新版本里没有了", "en": "missing in the newer release"},
        "gone": {"zh": "不再有了", "en": "no longer there"},
        "new error": {"zh": "可能会报错", "en": "may raise now"},
        "deprecated": {"zh": "已弃用", "en": "deprecated"},
        "changed message": {"zh": "消息不同", "en": "another message"},
        "new warning": {"zh": "新的警告", "en": "a new warning"},
        "message gone": {"zh": "少了一条消息", "en": "a message less"},
        "changed": {"zh": "输出不同", "en": "another output"},
        "new": {"zh": "新版本才有", "en": "only in the newer release"},
        "heading": {"zh": "我的代码会遇到什么", "en": "What changes for my code"},
        "about": {
            "zh": "贴上代码，选好两个版本，列出代码里用到的 PyTorch 名字有哪些不同。只在你的浏览器里读，不运行，也不发送。",
            "en": "Paste code and choose two releases: the PyTorch names in it that differ between them are listed. The code is read in your browser; it is neither run nor sent.",
        },
        "code": {"zh": "代码", "en": "Code"},
        "from": {"zh": "从 torch", "en": "From torch"},
        "to": {"zh": "到", "en": "to"},
        "line": {"zh": "第 {lines} 行", "en": "line {lines}"},
        "more": {"zh": "……页面上还有 {count} 行", "en": "… {count} more lines on the page"},
        "places": {"zh": "另有 {count} 节也是这样", "en": "and in {count} more sections"},
        "summary": {
            "zh": "{names} 个名字；{changes} 处不同，{breaks} 处可能出错",
            "en": "{names} names; {changes} differ, {breaks} may break",
        },
        "unknown": {
            "zh": "代码里还有 {count} 个 torch 的名字本书没有写到：{names}",
            "en": "The book knows nothing of {count} more names of torch in this code: {names}",
        },
        "limits": {
            "zh": "只看书里写到、并且记录过的版本；方法要写出类名才算（`torch.Tensor.sum` 算，`x.sum()` 不算）。",
            "en": "What the book shows is known, in the releases that it has recorded, and no more; a method counts only where its class is written (`torch.Tensor.sum`, not `x.sum()`).",
        },
        "broken": {
            "zh": "数据没有载入。检查网络，再试一次。",
            "en": "The data did not load. Check your connection and try again.",
        },
    }
)


#: The home page: the ways in, and what the book was made with. `more` ends a chapter's index page.
FRONT = _by_language(
    {
        "more": {"zh": "更多", "en": "More"},
        "errors": {"zh": "有一条报错", "en": "An error message"},
        "errors text": {
            "zh": "{count} 条报错和警告的原文，各在哪一节，怎么办",
            "en": "{count} errors and warnings as printed, each with what to do",
        },
        "names": {"zh": "有一个 API 名", "en": "An API name"},
        "names text": {
            "zh": "{count} 个用到的名称，各在哪几页运行过",
            "en": "{count} names, each with the pages that run it",
        },
        "questions": {"zh": "有一个问题", "en": "A question"},
        "questions text": {
            "zh": "{count} 页，每页讲清一件事，按章排列",
            "en": "{count} recipes by chapter, each about one thing",
        },
        "path": {"zh": "刚接触 PyTorch", "en": "New to PyTorch"},
        "path text": {
            "zh": "十步，从空机器到训练好的模型",
            "en": "Ten steps from an empty machine to a trained model",
        },
        "others": {
            "zh": "同样的代码还在另外 {count} 个版本上运行过（{first} 到 {last}），不同的地方都写明。",
            "en": "The same code was also run with {count} other versions, {first} to {last}; pages say where they differ.",
        },
    }
)


#: What stands above a list that can be filtered. The count's mark is the script's, too.
FILTER = _by_language(
    {
        "errors": {"zh": "共 {count} 条", "en": "{count} messages"},
        "names": {"zh": "共 {count} 个名称", "en": "{count} names"},
        "label": {"zh": "筛选", "en": "Filter"},
        "none": {"zh": "没有符合的。整句报错请用搜索。", "en": "Nothing matches. For a whole message, use the search."},
    }
)


#: The glossary's columns.
GLOSSARY = _by_language(
    {
        "own": {"zh": "中文", "en": "English"},
        "other": {"zh": "English", "en": "中文"},
        "third": {"zh": "本站不用", "en": "Note"},
        "page": {"zh": "讲解", "en": "Explained in"},
    }
)


#: The list of errors.
ERRORS = _by_language(
    {
        "known": {"zh": "未在此录制", "en": "not recorded here"},
        "also": {"zh": "也以 {names} 开头", "en": "also with {names}"},
        "messages": {"zh": "{count} 条", "en": "{count} messages"},
        "places": {"zh": "在 {count} 节里", "en": "in {count} places"},
    }
)


#: The book as one file.
EDITIONS = _by_language(
    {
        "locale": {"zh": "zh-CN", "en": "en"},
        "contents": {"zh": "目录", "en": "Contents"},
        "left out": {
            "zh": '…… 这里略去 {count} 行，全文在<a href="{address}">本节的网页</a>上',
            "en": '… {count} lines are left out here; <a href="{address}">the web page</a> has all of them',
        },
        "small": {
            "zh": "全部输出由 {library} 打印。只用来画图和准备数据的代码、报错总表和全文搜索，在网页版（{address}）里。"
            "文字按 CC BY 4.0 许可，代码按 MIT 许可。",
            "en": "All outputs were printed by {library}. The code that only draws or prepares, the list of all errors and a "
            "search are on the web ({address}). The text is licensed under CC BY 4.0, the code under MIT.",
        },
    }
)


#: What `new` asks for, and writes into a page.
SCAFFOLD = _by_language(
    {
        "question": {"zh": "用中文问： ", "en": "The question, in English: "},
        "read on": {"zh": "接着读", "en": "Read on"},
    }
)

#: What `new` leaves to write in a page.
NEW_PAGE = _by_language(
    {
        "description": {"zh": "用一句话回答读者的问题。", "en": "One sentence that answers the reader's question."},
        "answer": {"zh": "开头一两句话直接回答。", "en": "The first one or two sentences answer."},
        "why": {
            "zh": "说明为什么会这样：存储、步幅、计算图、版本号。",
            "en": "Say why it is so: storage, strides, the graph, the version counter.",
        },
        "trap": {
            "zh": "再写容易踩的坑，以及该怎么办。输出出人意料的，可以先让读者猜（`asks=true`）。",
            "en": "Then name the traps, and what to do about them. Where an output surprises, readers may guess first (`asks=true`).",
        },
        "heading": {"zh": "第一步", "en": "The first step"},
        "keywords": {"zh": "读者会用来搜索的词", "en": "what readers would search for"},
    }
)


#: Marks, headings and labels that several parts of the book share.
COMMON = _by_language(
    {
        "colon": {"zh": "：", "en": ": "},
        "stop": {"zh": "。", "en": "."},
        "comma": {"zh": "、", "en": ", "},
        "code": {"zh": "代码", "en": "Code"},
    }
)
