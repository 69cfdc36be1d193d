#!/usr/bin/env python3
"""A preprocessor of mdBook: turns links of the repository into links of the book.

Pages link to each other, and to sources and examples, as files of the repository. A link to a file that is a page of the
book, or that a page includes, becomes a link to that page. Files beside the pages (pictures) stay as they are. Of a link to
any other file the text is left.
"""

import json
import posixpath
import re
import sys

INCLUDED = re.compile(r"^\{\{#include ([^}]+)\}\}\s*$")
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")


def chapters(items):
    for item in items:
        chapter = item.get("Chapter") if isinstance(item, dict) else None
        if chapter:
            yield chapter
            yield from chapters(chapter["sub_items"])


def place(root, src, path):
    """The file of the repository whose text a page shows: its own, or the one that it includes."""
    own = posixpath.join(src, path)
    with open(posixpath.join(root, own), encoding="utf-8") as file:
        included = INCLUDED.match(file.read())
    return posixpath.normpath(posixpath.join(posixpath.dirname(own), included.group(1))) if included else own


def rewrite(text, link):
    """Applies `link` to the links of a text, but not to what looks like one in code."""
    lines, fence = [], None
    for line in text.split("\n"):
        mark = re.match(r"\s*(```+|~~~+)", line)
        if mark and fence is None:
            fence = mark.group(1)
        elif mark and mark.group(1).startswith(fence):
            fence = None
        elif fence is None:
            line = LINK.sub(link, line)
        lines.append(line)
    return "\n".join(lines)


def main():
    if sys.argv[1:2] == ["supports"]:
        return
    context, book = json.load(sys.stdin)
    root, src = context["root"], context["config"]["book"]["src"]
    pages = [c for c in chapters(book.get("items") or book.get("sections")) if c.get("path")]
    places = {c["path"]: place(root, src, c["source_path"]) for c in pages}
    of_place = {where: path for path, where in places.items()}
    for page in pages:
        here, folder = posixpath.dirname(places[page["path"]]), posixpath.dirname(page["path"])

        def link(match, here=here, folder=folder):
            image, label, target = match.groups()
            file, mark, anchor = target.partition("#")
            if "://" in target or not file:
                return match.group(0)
            where = posixpath.normpath(posixpath.join(here, file))
            if where in of_place:
                file = of_place[where]
            elif where.startswith(src + "/"):
                file = where[len(src) + 1 :]
            else:
                return label
            return f"{image}[{label}]({posixpath.relpath(file, folder or '.')}{mark}{anchor})"

        page["content"] = rewrite(page["content"], link)
    json.dump(book, sys.stdout)


main()
