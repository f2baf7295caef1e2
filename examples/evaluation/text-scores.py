"""WER, CER and BLEU by hand: edits and common n-grams, counted over the whole corpus."""


# %% edits
def edits(output, reference):
    """Fewest insertions, deletions and substitutions between the two."""
    row = list(range(len(reference) + 1))
    for i, said in enumerate(output, start=1):
        diagonal, row[0] = row[0], i
        for j, meant in enumerate(reference, start=1):
            best = min(row[j] + 1, row[j - 1] + 1, diagonal + (said != meant))
            diagonal, row[j] = row[j], best
    return row[-1]


def error_rate(outputs, references, split):
    pairs = [(split(o), split(r)) for o, r in zip(outputs, references, strict=True)]
    wrong = sum(edits(output, reference) for output, reference in pairs)
    return wrong / sum(len(reference) for _, reference in pairs)


# %% rates
references = ["the cat sat on the mat and slept", "good night"]
outputs = ["the cat sat on a mat and slept", "good knight then"]
print(f"WER {error_rate(outputs, references, str.split):.3f}")
print(f"CER {error_rate(outputs, references, list):.3f}")

# %% mean-of-sentences
rates = [error_rate([o], [r], str.split) for o, r in zip(outputs, references)]
print([round(rate, 3) for rate in rates], f"mean {sum(rates) / len(rates):.3f}")
print("above 1:", error_rate(["no no no no"], ["yes"], str.split))

# %% normalize
import re


def normalize(text):
    return re.sub(r"[^\w\s']", "", text.lower())


said, meant = ["Good night."], ["good night"]
print("as it is:  ", error_rate(said, meant, str.split))
print("normalized:", error_rate([normalize(said[0])], meant, str.split))
said, meant = ["今天天气好"], ["今天天气很好"]
print(f"Chinese: WER {error_rate(said, meant, str.split)}", end=", ")
print(f"CER {error_rate(said, meant, list):.3f}")

# %% bleu
import math
from collections import Counter


def grams(words, n):
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))


def bleu(outputs, references, longest=4):
    """From 0 to 100; one reference for each output, words separated by spaces."""
    both = zip(outputs, references, strict=True)
    pairs = [(output.split(), reference.split()) for output, reference in both]
    logs = 0.0
    for n in range(1, longest + 1):
        hits = sum((grams(o, n) & grams(r, n)).total() for o, r in pairs)
        count = sum(grams(o, n).total() for o, _ in pairs)
        if hits == 0:
            return 0.0
        logs += math.log(hits / count) / longest
    said, meant = (sum(map(len, side)) for side in zip(*pairs))  # words
    return 100 * math.exp(logs + min(0.0, 1 - meant / said))  # too short costs


print(f"BLEU {bleu(outputs, references):.1f}")
repeated = bleu(["the the the the"], references[:1], longest=1)
print(f"repeated: {repeated:.1f}")

# %% short
for output, reference in zip(outputs, references):
    print(f"{output:31} BLEU {bleu([output], [reference]):.1f}")

# %% reference needs="sacrebleu"
import sacrebleu

score = sacrebleu.corpus_bleu(outputs, [references], tokenize="none").score
print(f"by hand {bleu(outputs, references):.4f}, sacrebleu {score:.4f}")

# %% reference-jiwer needs="jiwer"
import jiwer

by_hand = error_rate(outputs, references, str.split)
print(f"by hand {by_hand:.4f}, jiwer {jiwer.wer(references, outputs):.4f}")

# %% checks hidden=true
import random

draws = random.Random(0)


def slowly(output, reference):
    if not output or not reference:
        return len(output) + len(reference)
    rest = slowly(output[1:], reference[1:]) + (output[0] != reference[0])
    return min(rest, slowly(output[1:], reference) + 1, slowly(output, reference[1:]) + 1)


for _ in range(60):
    a, b = ("".join(draws.choices("abc", k=draws.randrange(6))) for _ in range(2))
    assert edits(a, b) == slowly(a, b) == edits(b, a), (a, b)
assert edits([], [1, 2]) == 2 and edits("kitten", "sitting") == 3
assert bleu(references, references) == 100 and bleu(["x y z w"], [references[0]]) == 0
cut = ["the cat sat on the mat"]  # each n-gram is right, but it is too short
assert math.isclose(bleu(cut, references[:1]), 100 * math.exp(1 - 8 / 6))
longer = [references[0] + " again and again"]
assert bleu(longer, references[:1]) < 100

# %% checks-packages needs="sacrebleu" hidden=true
words = "a b c d e f".split()
for _ in range(30):
    said, meant = ([" ".join(draws.choices(words, k=draws.randrange(6, 14))) for _ in range(5)] for _ in range(2))
    said[0] = meant[0]  # some four words in common
    other = sacrebleu.corpus_bleu(said, [meant], tokenize="none").score
    assert math.isclose(bleu(said, meant), other, abs_tol=1e-6)

# %% vowel-signs hidden=true
assert normalize("कि") == normalize("की")  # two words of Hindi
assert normalize("3.5 well-known") == "35 wellknown"
