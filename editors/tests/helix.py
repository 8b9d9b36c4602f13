"""Reads Helix's settings: every language has a server that is described, and no name is used twice."""

import sys
import tomllib

with open(sys.argv[1], "rb") as file:
    settings = tomllib.load(file)

servers = settings["language-server"]
assert servers["choros"] == {"command": "choros", "args": ["lsp"]}, servers
languages = settings["language"]
names = [language["name"] for language in languages]
assert len(names) == len(set(names)), names
for language in languages:
    known = {"name", "grammar", "scope", "file-types", "roots", "comment-token", "language-servers"}
    unknown = set(language) - known
    assert not unknown, f"{language['name']} has {unknown}"
    assert language["scope"].startswith("source."), language
    assert language["file-types"], language
    for server in language["language-servers"]:
        assert server in servers, f"{language['name']} wants {server}"
colours = {language.get("grammar") for language in languages}
for grammar in settings["grammar"]:
    assert grammar["name"] in colours, grammar
    assert {"path", "git"} & set(grammar["source"]), grammar
print(f"{len(languages)} languages")
