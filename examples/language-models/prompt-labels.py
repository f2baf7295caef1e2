"""Train on the answers only: labels of -100 where the prompt is."""

# %% labels
import torch
import torch.nn.functional as F

PAD, END, IGNORE = 0, 1, -100


def make_batch(prompts, answers):
    """Lists of ids -> ids and labels, (batch, time), padded on the right."""
    pairs = list(zip(prompts, answers, strict=True))
    texts = [[*prompt, *answer] for prompt, answer in pairs]
    longest = max(len(text) for text in texts)
    ids = torch.full((len(texts), longest), PAD)
    labels = torch.full((len(texts), longest), IGNORE)
    for row, ((prompt, _), text) in enumerate(zip(pairs, texts)):
        ids[row, : len(text)] = torch.tensor(text)
        answer = slice(len(prompt), len(text))
        labels[row, answer] = ids[row, answer]
    return ids, labels


prompts = [[5, 6, 7], [5, 8]]
answers = [[20, END], [21, 22, 23, 24, END]]
ids, labels = make_batch(prompts, answers)
print(ids)
print(labels)

# %% shift
pairs = zip(ids[0, :-1].tolist(), labels[0, 1:].tolist())
print("input -> target:", *(f"{x}->{y}" for x, y in pairs))

# %% mean
torch.manual_seed(0)
logits = torch.randn(2, 7, 30)  # (batch, time, vocabulary); yours: model(ids)
flat, targets = logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten()
loss = F.cross_entropy(flat, targets)  # ignore_index=-100 is the default
losses = F.cross_entropy(flat, targets, reduction="none").view(2, 6)
counts = (labels[:, 1:] != IGNORE).sum(dim=1)
print("labels that count:", counts.tolist())
by_hand = losses.sum() / counts.sum()
print(f"the loss {loss:.4f}, sum / {counts.sum()}: {by_hand:.4f}")
print(f"mean of the answers' means: {(losses.sum(dim=1) / counts).mean():.4f}")

# %% everything
everything = ids.masked_fill(ids == PAD, IGNORE)  # the prompt is learned, too
total = (everything[:, 1:] != IGNORE).sum()
print(f"of {total} targets with the prompt, {counts.sum()} are the answers'")

# %% tokenizer needs="transformers" fold=true
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast

words = "<s> </s> <|user|> <|assistant|> two and three ? five plus one six".split()
splitter = Tokenizer(models.WordLevel({word: i for i, word in enumerate(words)}, unk_token="</s>"))
splitter.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
splitter.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 0)])
tokenizer = PreTrainedTokenizerFast(tokenizer_object=splitter, bos_token="<s>", eos_token="</s>", pad_token="</s>")
tokenizer.chat_template = (
    "{{ bos_token }}"
    "{% for message in messages %}"
    "{{ ' <|' + message.role + '|> ' }}"
    "{% if message.role == 'assistant' %}"
    "{% generation %}{{ message.content + ' ' + eos_token }}{% endgeneration %}"
    "{% else %}{{ message.content }}{% endif %}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ ' <|assistant|>' }}{% endif %}"
)

# %% chat needs="transformers"
chat = [
    {"role": "user", "content": "two and three ?"},
    {"role": "assistant", "content": "five"},
    {"role": "user", "content": "plus one ?"},
    {"role": "assistant", "content": "six"},
]
print(tokenizer.apply_chat_template(chat, tokenize=False))
options = dict(return_dict=True, return_tensors="pt")
options["return_assistant_tokens_mask"] = True
batch = tokenizer.apply_chat_template(chat, **options)
labels = batch["input_ids"].masked_fill(batch["assistant_masks"] == 0, IGNORE)
learned = labels[labels != IGNORE]
print("labels:", labels[0].tolist())
print("learned:", tokenizer.convert_ids_to_tokens(learned))

# %% generation-prompt needs="transformers"
plain = dict(return_dict=False, return_tensors="pt")
write = tokenizer.apply_chat_template
prompt = write(chat[:-1], add_generation_prompt=True, **plain)
whole = write(chat, **plain)
length = prompt.shape[1]
print("the prompt is its beginning:", torch.equal(whole[:, :length], prompt))
print("the answer:", tokenizer.convert_ids_to_tokens(whole[0, length:]))

# %% start-twice needs="transformers"
text = tokenizer.apply_chat_template(chat, tokenize=False)
name = tokenizer.convert_ids_to_tokens
for special in (True, False):
    ids = tokenizer(text, add_special_tokens=special)["input_ids"]
    print(f"add_special_tokens={special}:", name(ids)[:3])

# %% merged needs="transformers"
from tokenizers import decoders, trainers

bpe = Tokenizer(models.BPE())
bpe.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
bpe.decoder = decoders.ByteLevel()
trainer = trainers.BpeTrainer(vocab_size=300, show_progress=False)
bpe.train_from_iterator(["answer: yes", "answer: no"] * 9, trainer)
print("together:  ", bpe.encode("answer: yes").tokens)
print("separately:", bpe.encode("answer: ").tokens + bpe.encode("yes").tokens)

# %% claims hidden=true
for sizes in ([(3, 2), (2, 5)], [(1, 1)], [(4, 1), (1, 9), (6, 6)]):
    some = [list(range(2, 2 + first)) for first, _ in sizes], [[9] * second for _, second in sizes]
    made, wanted = make_batch(*some)
    assert (wanted[:, 1:] != IGNORE).sum(dim=1).tolist() == [second for _, second in sizes]
    assert torch.equal(wanted[wanted != IGNORE], made[wanted != IGNORE])
    scores = torch.randn(*made.shape, 12, requires_grad=True)
    F.cross_entropy(scores[:, :-1].flatten(0, 1), wanted[:, 1:].flatten()).backward()
    assert ((scores.grad != 0).any(dim=-1).sum(dim=1) == torch.tensor([second for _, second in sizes])).all()

# %% chat-claims hidden=true needs="transformers"
whole_template = tokenizer.chat_template
for keyword in ("{% generation %}", "{% endgeneration %}"):
    tokenizer.chat_template = tokenizer.chat_template.replace(keyword, "")
bare = tokenizer.apply_chat_template(chat, **options)
assert (bare["assistant_masks"] == 0).all()  # a template without the keyword
assert torch.equal(bare["input_ids"], batch["input_ids"])
tokenizer.chat_template = whole_template

# %% other-inputs hidden=true
lists = make_batch([[5, 6, 7], [5, 8]], [[20, END], [21, END]])
for kind in (tuple, torch.tensor):  # tensors of equal length must not be added
    given = [[kind(ids) for ids in part] for part in ([[5, 6, 7], [5, 8]], [[20, END], [21, END]])]
    assert all(torch.equal(one, other) for one, other in zip(make_batch(*map(iter, given)), lists))
try:
    make_batch([[5], [6]], [[7]])
except ValueError as error:
    assert "shorter" in str(error)
else:
    raise AssertionError("a prompt without an answer was dropped")
