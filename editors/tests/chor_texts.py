"""Writes every `.chor` file, and every block of `chor` in Markdown, into a folder: FOLDER ROOT..."""

import pathlib
import re
import sys

BLOCK = re.compile(r"^( *)(`{3,})chor\b[^\n]*\n(.*?)^\1\2\s*$", re.S | re.M)


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    number = 0
    for root in map(pathlib.Path, sys.argv[2:]):
        for path in [root] if root.is_file() else sorted(root.rglob("*")):
            if path.suffix == ".chor":
                texts = [path.read_text()]
            elif path.suffix == ".md":
                texts = [block.group(3) for block in BLOCK.finditer(path.read_text())]
            else:
                continue
            for text in texts:
                (folder / f"{number:05}-{path.stem}.chor").write_text(text)
                number += 1


main()
