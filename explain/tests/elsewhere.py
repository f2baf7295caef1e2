"""Collects messages that are not the book's: of Python, its libraries, and PyTorch's own that no page has.

Each line of `SNIPPETS` is run, and what it raises is kept in `elsewhere.json`, with the versions that raised it. Run it
with a Python that has some of the packages; those of another stay: ``python explain/tests/elsewhere.py``.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import io
import json
import sys
import warnings
from pathlib import Path

FILE = Path(__file__).with_name("elsewhere.json")
NAMES = {"sklearn": "scikit-learn", "PIL": "pillow", "yaml": "PyYAML"}

SNIPPETS = {
    "python": """
int('3.5')
float('abc')
[][0]
(1, 2)[5]
{}['epoch']
{'a': 1}.pop('b')
undefined_name
None.shape
'abc'.to('cuda')
[1, 2].size()
len(5)
1 + 'a'
'a' + 1
[1] + (2,)
1 / 0
1.0 // 0
5 % 0
10 ** 400 * 1.0
open('/nowhere/config.yaml')
open('/')
open('/proc/self/mem/x')
import not_there
from os import not_there
import os.not_there
a, b = 1, 2, 3
a, b, c = 1, 2
a, b = 5
next(iter([]))
iter(5)
5()
'abc'()
None[0]
None['a'] = 1
(1, 2)[0] = 3
'abc'[0] = 'd'
range(1, 2, 0)
int([])
int(None)
float(None)
list(5)
dict([1])
dict([(1, 2, 3)])
set([[]])
{[]: 1}
hash({})
max([])
min(())
sum(['a'])
sorted([1, 'a'])
abs('a')
ord('ab')
chr(-1)
bytes([300])
b'\\xff'.decode()
'é'.encode('ascii')
'%d' % 'a'
'%s %s' % 'a'
'{}{}'.format(1)
'{a}'.format()
'{:d}'.format('a')
f"{1:z}"
eval('1 +')
eval('(')
exec('if 1:\\nx')
exec('return 1')
exec(' x = 1\\ny = 2\\n  z')
compile('a b', 'x.py', 'exec')
(lambda x: x)()
(lambda x: x)(1, 2)
(lambda x: x)(y=1)
print(end=1)
object().x
object().x = 1
type('A', (), {})(1)
isinstance(1, 1)
issubclass(1, int)
super().x
getattr(1, 'not_there')
del undefined_name
assert 1 == 2, 'sizes differ'
assert False
raise Exception('failed')
raise ValueError
raise KeyError('weight_decay')
raise NotImplementedError
raise TimeoutError('timed out')
raise OSError(28, 'No space left on device')
raise MemoryError
raise ConnectionResetError(104, 'Connection reset by peer')
raise BrokenPipeError(32, 'Broken pipe')
raise KeyboardInterrupt
__import__('json').loads('{')
__import__('json').loads("{'a': 1}")
__import__('json').loads('')
__import__('json').loads('[1, 2')
__import__('json').dumps(object())
__import__('json').dumps({(1, 2): 3})
__import__('pickle').loads(b'')
__import__('pickle').loads(b'garbage')
__import__('pickle').dumps(lambda: 1)
__import__('re').compile('(')
__import__('re').compile('*')
__import__('struct').unpack('i', b'a')
__import__('datetime').datetime.strptime('x', '%Y')
__import__('datetime').date(2020, 13, 1)
__import__('decimal').Decimal('x')
__import__('fractions').Fraction(1, 0)
__import__('math').sqrt(-1)
__import__('math').log(0)
__import__('math').factorial(-1)
__import__('random').choice([])
__import__('random').sample([1], 2)
__import__('socket').create_connection(('127.0.0.1', 1))
__import__('subprocess').run(['false'], check=True)
__import__('subprocess').run(['not-there'])
__import__('shutil').rmtree('/nowhere')
__import__('os').mkdir('/tmp')
__import__('zipfile').ZipFile('/dev/null')
__import__('gzip').decompress(b'abc')
__import__('base64').b64decode('a')
__import__('csv').reader(5)
__import__('configparser').ConfigParser()['x']
__import__('urllib.request').request.urlopen('x')
__import__('importlib').import_module('.x')
__import__('queue').Queue().get_nowait()
__import__('concurrent.futures').futures.ThreadPoolExecutor(0)
__import__('asyncio').run(5)
__import__('argparse').ArgumentParser(exit_on_error=False).parse_args(['--lr'])
__import__('collections').namedtuple('A', 'a b')(1)
__import__('enum').Enum('E', 'A')('x')
__import__('pathlib').Path('/a').relative_to('/b')
__import__('copy').deepcopy(__import__('threading').Lock())
__import__('ast').literal_eval('a()')
__import__('statistics').mean([])
""",
    "numpy": """
np.zeros((2, 3)) @ np.zeros((2, 3))
np.zeros(3) + np.zeros(4)
np.zeros((2, 3)).reshape(4, 4)
np.zeros(3)[5]
np.zeros((2, 2))[0, 0, 0]
np.concatenate([np.zeros((2, 3)), np.zeros((3, 4))])
np.stack([np.zeros(2), np.zeros(3)])
np.array([[1, 2], [3]])
np.array([1, 2]) if np.array([1, 2]) else 0
np.linalg.inv(np.zeros((2, 2)))
np.linalg.inv(np.zeros((2, 3)))
np.linalg.cholesky(-np.eye(2))
np.zeros(3).astype('flot32')
np.dtype('x9')
np.einsum('ij,jk', np.zeros((2, 3)), np.zeros((2, 3)))
np.load('/nowhere.npy')
np.random.choice([], 1)
np.random.choice(3, 5, replace=False)
np.random.default_rng(-1)
np.arange(1, 2, 0)
np.split(np.zeros(5), 2)
np.squeeze(np.zeros((2, 2)), axis=0)
np.swapaxes(np.zeros(2), 0, 3)
np.expand_dims(np.zeros(2), 5)
np.zeros(-1)
np.zeros(3).item()
np.float32('a')
np.int8(300)
np.broadcast_to(np.zeros(3), (2, 2))
np.argmax([])
np.max(np.array([]))
np.cross(np.zeros(4), np.zeros(4))
np.bool
np.not_there
np.zeros(3).not_there
np.unravel_index(9, (2, 2))
np.pad(np.zeros(2), 1, mode='x')
np.interp(1, [1, 2], [1])
np.polyfit([], [], 1)
np.frombuffer(b'abc', dtype='i4')
""",
    "sklearn": """
__import__('sklearn.linear_model').linear_model.LinearRegression().predict([[1]])
__import__('sklearn.linear_model').linear_model.LinearRegression().fit([1, 2], [1, 2])
__import__('sklearn.linear_model').linear_model.LinearRegression().fit([[1], [2]], [1])
__import__('sklearn.linear_model').linear_model.LinearRegression().fit([[float('nan')]], [1])
__import__('sklearn.linear_model').linear_model.LogisticRegression().fit([[1], [2]], [1, 1])
__import__('sklearn.linear_model').linear_model.LogisticRegression(C=-1).fit([[1], [2]], [0, 1])
__import__('sklearn.preprocessing').preprocessing.StandardScaler().transform([[1]])
__import__('sklearn.model_selection').model_selection.train_test_split([1])
__import__('sklearn.model_selection').model_selection.train_test_split([1, 2], test_size=5)
__import__('sklearn.model_selection').model_selection.KFold(1)
__import__('sklearn.metrics').metrics.accuracy_score([1], [1, 2])
__import__('sklearn.metrics').metrics.roc_auc_score([1, 1], [0.1, 0.2])
__import__('sklearn.cluster').cluster.KMeans(5).fit([[1], [2]])
__import__('sklearn.neighbors').neighbors.KNeighborsClassifier(5).fit([[1]], [1]).predict([[1]])
__import__('sklearn.preprocessing').preprocessing.LabelEncoder().fit(['a']).transform(['b'])
""",
    "pandas": """
pd.DataFrame({'a': [1]})['b']
pd.DataFrame({'a': [1]}).b
pd.DataFrame({'a': [1, 2], 'b': [1]})
pd.DataFrame({'a': [1]}).append({'a': 2})
pd.DataFrame({'a': [1]}).iloc[5]
pd.DataFrame({'a': [1]}).loc[5]
pd.DataFrame({'a': [1]}).drop('b', axis=1)
pd.DataFrame({'a': [1]}).merge(pd.DataFrame({'b': [1]}))
pd.DataFrame({'a': [1]}).set_index('x')
pd.DataFrame({'a': ['x']}).astype(int)
pd.DataFrame({'a': [1]}) if pd.DataFrame({'a': [1]}) else 0
pd.read_csv('/nowhere.csv')
pd.read_csv(__import__('io').StringIO(''))
pd.read_csv(__import__('io').StringIO('a,b\\n1,2,3,4\\n5'))
pd.to_datetime('x')
pd.Series([1, 2]).reshape(2)
pd.Series([1, 2])['a']
pd.concat([])
pd.DataFrame([1, 2], columns=['a', 'b'])
pd.DataFrame({'a': [1]}).groupby('z')
pd.Series(['a']).astype('category').cat.rename_categories(['x', 'y'])
pd.to_numeric('abc')
""",
    "matplotlib": """
__import__('matplotlib.pyplot').pyplot.plot([1, 2], [1])
__import__('matplotlib.pyplot').pyplot.imshow([1, 2])
__import__('matplotlib.pyplot').pyplot.plot([1], 'zz')
__import__('matplotlib.pyplot').pyplot.subplot(0)
__import__('matplotlib.pyplot').pyplot.savefig('/nowhere/x.png')
__import__('matplotlib.pyplot').pyplot.style.use('x')
""",
    "PIL": """
__import__('PIL.Image').Image.open('/nowhere.jpg')
__import__('PIL.Image').Image.open(__import__('io').BytesIO(b'x'))
__import__('PIL.Image').Image.new('X', (1, 1))
""",
    "yaml": """
yaml.safe_load('a: [')
yaml.safe_load('a: b: c')
""",
    "torch": """
torch.fft.fft(torch.zeros(2), dim=5, norm='x')
torch.stft(torch.zeros(2, 2, 2), 4)
torch.istft(torch.zeros(3, 4), 4)
torch.linalg.eig(torch.zeros(2, 3))
torch.histc(torch.zeros(3), bins=-1)
torch.bincount(torch.tensor([-1]))
torch.combinations(torch.zeros(2, 2))
torch.cdist(torch.zeros(2), torch.zeros(2))
torch.renorm(torch.zeros(3), 1, 0, 1)
torch.vander(torch.zeros(2, 2))
torch.bucketize(torch.zeros(2), torch.zeros(2, 2))
torch.cummax(torch.zeros(2), 5, 7)
torch.nn.functional.grid_sample(torch.zeros(1, 1, 2, 2), torch.zeros(1, 2, 2, 3))
torch.nn.functional.affine_grid(torch.zeros(1), (1, 1))
torch.nn.functional.pixel_shuffle(torch.zeros(1, 3, 2, 2), 2)
torch.nn.functional.fold(torch.zeros(1, 3, 3), (2, 2), (2, 2))
torch.nn.PixelUnshuffle(3)(torch.zeros(1, 1, 4, 4))
torch.polygamma(-1, torch.zeros(1))
torch.cumulative_trapezoid(torch.zeros(2), torch.zeros(5))
torch.block_diag(torch.zeros(1, 1, 1))
""",
}


def raised(package: str, line: str) -> str:
    """Return what a line raises, as Python prints it; empty if it raises nothing."""
    scope: dict[str, object] = {"__name__": "__main__"}
    if package != "python":
        exec({"numpy": "import numpy as np", "pandas": "import pandas as pd"}.get(package, f"import {package}"), scope)
    try:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            exec(line.replace("\\\\n", "\\n"), scope)
    except BaseException as error:
        kind = type(error)
        name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
        return f"{name}: {error}" if str(error) else name
    return ""


def main() -> None:
    """Write what all snippets raise whose package is here."""
    warnings.simplefilter("ignore")
    found = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    for package, lines in SNIPPETS.items():
        try:
            __import__("sys" if package == "python" else package)
        except ImportError:
            continue
        version = (
            sys.version.split()[0] if package == "python" else importlib.metadata.version(NAMES.get(package, package))
        )
        told = (raised(package, line) for line in lines.strip().splitlines())
        found[package] = {"version": version, "messages": sorted({one for one in told if one})}
    FILE.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
