"""Programs of a few lines, from the files of small/.

A section begins with `== NAME`. Lines with coordinates in Maven Central, options (`@...`) and imports follow; after `--` come the
statements of `main`, after `++` members of its class. The options:

    @jvm OPTIONS            options of the JVM
    @args ARGUMENTS         arguments of the program
    @main CLASS ARGUMENTS   what runs instead of the statements, which are then input: {sources}, {classes}, {home} stand for folders
    @package NAME           the package of the class; otherwise it has none
    @agent JAR OPTIONS      -javaagent, by the name of a file of the class path
    @processors COORDINATE  annotation processors
    @file PATH TEXT         a file on the class path; `\\n` is an end of a line
    @source PATH TEXT       a file in {sources}
    @stdin TEXT             the standard input
    @drop PATTERN           lines of the output that differ from run to run
    @jdks NUMBERS           JDKs that run it; otherwise 17 and 25
"""

import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))

TEMPLATE = """%simport java.util.*;
%s
public class Small {
    public static void main(String[] args) throws Exception {
%s
    }
%s
    static void picture(java.awt.image.BufferedImage image) {
        var sum = new java.util.zip.CRC32();
        for (int y = 0; y < image.getHeight(); y++)
            for (int x = 0; x < image.getWidth(); x++)
                for (int shift = 0; shift < 32; shift += 8) sum.update(image.getRGB(x, y) >>> shift);
        System.out.println(image.getWidth() + " x " + image.getHeight() + ", pixels " + Long.toHexString(sum.getValue()));
    }
}
"""


class Small:
    """A section: `name`, `deps`, `options` by name (a list of texts each), and the `source` of its class."""

    def __init__(self, text):
        head, _, body = text.partition("\n--\n")
        body, _, members = body.partition("\n++\n")
        lines = head.split("\n")
        self.name = lines[0].strip()
        self.deps, self.options, imports = [], {}, []
        for line in lines[1:]:
            if line.startswith("@"):
                name, _, value = line[1:].partition(" ")
                self.options.setdefault(name, []).append(value)
            elif line.startswith("import "):
                imports.append(line)
            elif line.strip():
                self.deps.append(line.strip())
        package = self.text("package")
        self.main = f"{package}.Small" if package else "Small"
        self.source = TEMPLATE % (f"package {package};\n" if package else "", "\n".join(imports), body.rstrip(), members.rstrip())

    def words(self, name):
        return [w for value in self.options.get(name, []) for w in value.split()]

    def text(self, name):
        values = self.options.get(name)
        return values[0] if values else None

    def files(self, name):
        """Paths and texts of `@file` or `@source`."""
        for value in self.options.get(name, []):
            path, _, text = value.partition(" ")
            yield path, text.replace("\\n", "\n")


def sections():
    folder = os.path.join(HERE, "small")
    for file in ("natives.txt", "formats.txt", "libraries.txt", "tools.txt"):
        with open(os.path.join(folder, file), encoding="utf-8") as f:
            for text in re.split(r"^== ", f.read() + "\n", flags=re.M)[1:]:
                # an empty body ends with the text
                yield Small(text if "\n--\n" in text else text.rstrip() + "\n")
