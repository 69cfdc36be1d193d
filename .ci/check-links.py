#!/usr/bin/env python3
"""Checks the links of a folder of HTML pages: each leads to a file, and to an anchor that is there.

    .ci/check-links.py FOLDER

Links to other sites are not followed. Exit code 1: links are broken, and are listed.
"""

import html.parser
import os
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.anchors, self.links = set(), []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif name in ("href", "src") and value and tag != "base":
                self.links.append(value)


def main():
    top = sys.argv[1]
    pages = {}
    for folder, _, files in os.walk(top):
        for name in files:
            if name.endswith(".html"):
                path = os.path.join(folder, name)
                page = pages[os.path.normpath(path)] = Page()
                with open(path, encoding="utf-8") as file:
                    page.feed(file.read())
    # the page for what is not there has its links relative to a site's root
    pages = {path: page for path, page in pages.items() if os.path.basename(path) not in ("404.html", "toc.html")}
    broken, links = [], 0
    for path, page in sorted(pages.items()):
        for link in page.links:
            target = urllib.parse.urlsplit(link)
            if target.scheme or target.netloc:
                continue
            links += 1
            file = path
            if target.path:
                file = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(target.path)))
            anchor = urllib.parse.unquote(target.fragment)
            if os.path.isdir(file):
                file = os.path.join(file, "index.html")
            if not os.path.exists(file):
                broken.append(f"{path}: {link}: no such file")
            elif anchor and file in pages and anchor not in pages[file].anchors:
                broken.append(f"{path}: {link}: no such anchor")
    print(f"{len(pages)} pages, {links} links, {len(broken)} broken")
    print("\n".join(broken), end="\n" if broken else "")
    # a checker that found nothing to check has checked nothing
    sys.exit(1 if broken or not links else 0)


main()
