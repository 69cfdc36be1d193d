#!/usr/bin/env python3
"""Writes what of a crate's rustdoc JSON says what its interface is, without texts and places, as .json.gz.

    .ci/strip-api.py FROM.json TO.json.gz
"""

import gzip
import json
import sys

with open(sys.argv[1]) as file:
    api = json.load(file)
for item in api["index"].values():
    item["docs"] = item["span"] = None
for crate in api["external_crates"].values():
    crate["path"] = ""
text = json.dumps(api, separators=(",", ":"), sort_keys=True).encode()
with open(sys.argv[2], "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=0) as packed:
    packed.write(text)
