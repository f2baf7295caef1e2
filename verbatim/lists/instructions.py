"""Whether a sentence says what to do: it begins with an instruction, or with a condition that one follows. Pure.

Words decide. English begins an instruction with its verb. Chinese puts first what it speaks of (目标写成 Long), so
there a sentence must only have a word of doing, and its twin decides.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from verbatim.lists.places import first_sentence

#: Verbs that begin an instruction.
_VERBS = (
    "accept access add adjust align allocate allow annotate append apply ask assign average avoid begin bound "
    "break bring broadcast build call cast center change check choose clamp clean clear click clip clone close "
    "collect combine compare compile compute concatenate configure confirm connect convert copy correct count "
    "create crop cut decide declare decode decorate define delete derive detach disable divide do don't download "
    "draw drop edit embed enable encode end estimate evaluate exclude expand expect export extract feed fetch "
    "fill filter find finish fit fix flatten follow force format free freeze gather get give go group grow guard "
    "handle hold ignore implement import include increase index inherit initialize insert install join keep label "
    "leave let limit list load look loop lower make map mark mask match measure mend merge minimize move multiply "
    "name never normalize note number omit open order overwrite pack pad pass patch permute pick pin place pool prefer "
    "prepare preprocess print process profile pull push put quantize raise read rebuild recompute record recreate "
    "redirect reduce refer register reinstall reload remove rename renumber repeat replace report request reserve "
    "reset reshape resize restart restore restrict retrain return reuse rewrite round run save say scale search "
    "see select send separate set shard share shift shorten show silence skip slice sort specify split squeeze "
    "stack start stay stop store subclass subtract sum supply swap switch synchronize take tell test tie tokenize "
    "train transpose treat trim truncate try turn unfreeze uninstall unpack unsqueeze update upgrade use validate "
    "verify view wait warm watch weight wrap write zero "
)
#: Those that are nouns, too, and only begin an instruction if its object follows.
_NOUNS = "index load map mask number process record report scale stack view weight"
_OBJECT = (
    r"(?= (?:(?:the|an?|all|as|both|by|each|every|from|it|more|no|once|one|only|that|them|what|with|your)\b|`|\[))"
)
_VERB = (
    rf"(?:(?:{'|'.join(word for word in _VERBS.split() if word not in _NOUNS.split())})(?![\w'-])"
    rf"|(?:{'|'.join(_NOUNS.split())}){_OBJECT})"
)
#: What may stand before the verb.
_BESIDES = r"(?:(?:also|always|at least|better|either|first|instead|just|likewise|now|only|rather|so|then|there),? )*"
#: What begins a condition, a purpose or a place, behind which the instruction comes.
_CONDITION = (
    r"(?:after|against|among|as|at|before|below|between|by|during|else|except|for|from|here|if|in|inside|instead|of|on|"
    r"once|otherwise|outside|over|since|through|to|unless|until|when|where|wherever|whenever|while|with|within|without)\b"
)
_ENGLISH_INSTRUCTION = re.compile(rf"{_BESIDES}{_VERB}|{_CONDITION}[^.(]*?[,:;] {_BESIDES}{_VERB}", re.IGNORECASE)
#: Words of doing in Chinese.
_CHINESE_INSTRUCTION = re.compile(
    r"[要用写把改换加传先让给去装看查按照设放搬转读存补减删选调试取拆填升]|不必|不能|别|只|应|可以|直接|保持|保存|忽略|重新|打印|检查|导出|导入|"
    r"跳过|循环|注册|声明|允许|启动|创建|更新|安装|训练|抽取|打包|包装|完成"
)
_CODE_SPAN = re.compile(r"`+([^`]*)`+")


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Yield position and text of each sentence of Chinese or English Markdown."""
    position = 0
    while rest := text[position:].lstrip():
        position = len(text) - len(rest)
        sentence = first_sentence(rest)
        yield position, sentence
        position += len(sentence)


def instructs(sentence: str, language: str) -> bool:
    """Whether a sentence begins with an instruction, or with a condition that one follows."""
    if language == "zh":
        return bool(_CHINESE_INSTRUCTION.search(sentence))
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", sentence).lstrip('*_“"')
    return bool(_ENGLISH_INSTRUCTION.match(_CODE_SPAN.sub("`x`", plain)))
