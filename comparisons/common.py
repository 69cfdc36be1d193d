"""The common parts of the comparisons: JDKs, class paths from Maven Central, measured runs, tables in Markdown.

Everything that is downloaded or built is below target/comparisons. Nothing of it is committed.
"""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
import urllib.error
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, os.path.join(ROOT, "benches"))
from compare import jdks  # noqa: E402

WORK = os.environ.get("RJVM_COMPARISONS", os.path.join(ROOT, "target/comparisons"))
DOCS = os.path.join(ROOT, "docs/comparisons")
RJVM = os.environ.get("RJVM", os.path.join(ROOT, "target/release/rjvm"))


class NotServed(Exception):
    """Maven could not resolve the dependencies; the message is Maven's first error."""


def coordinate(text):
    """The XML of `group:artifact[:version[:classifier]][@type]`."""
    text, _, kind = text.partition("@")
    parts = text.split(":")
    xml = f"<groupId>{parts[0]}</groupId><artifactId>{parts[1]}</artifactId>"
    if len(parts) > 2 and parts[2]:
        xml += f"<version>{parts[2]}</version>"
    if len(parts) > 3:
        xml += f"<classifier>{parts[3]}</classifier>"
    if kind:
        xml += f"<type>{kind}</type>"
    return xml


def pom(deps, parent=None, bom=None):
    managed = ""
    if bom:
        managed = (
            f"<dependencyManagement><dependencies><dependency>{coordinate(bom + '@pom')}"
            "<scope>import</scope></dependency></dependencies></dependencyManagement>"
        )
    above = f"<parent>{coordinate(parent)}<relativePath/></parent>" if parent else ""
    listed = "".join(f"<dependency>{coordinate(d)}</dependency>" for d in deps)
    return (
        f"<project><modelVersion>4.0.0</modelVersion>{above}<groupId>comparison</groupId>"
        f"<artifactId>comparison</artifactId><version>1</version>{managed}<dependencies>{listed}</dependencies></project>\n"
    )


def listing(name, text):
    """The file with the class path of a POM."""
    key = hashlib.sha256(text.encode()).hexdigest()[:12]
    return os.path.join(WORK, name, f"cp-{key}.txt")


def class_paths(wanted):
    """Resolves pairs of a name and `deps` in one run of Maven. What that can't resolve is left to [`class_path`]."""
    poms = [(name, pom(deps)) for name, deps in wanted if deps]
    poms = [(name, text) for name, text in poms if not os.path.exists(listing(name, text))]
    if len(poms) < 6:
        return
    batch = os.path.join(WORK, f"batch-{os.getpid()}")
    shutil.rmtree(batch, ignore_errors=True)
    modules = [f"m{i}" for i in range(len(poms))]
    for module, (_, text) in zip(modules, poms):
        text = text.replace("<artifactId>comparison<", f"<artifactId>{module}<")
        write(os.path.join(batch, module, "pom.xml"), text)
    listed = "".join(f"<module>{m}</module>" for m in modules)
    write(
        os.path.join(batch, "pom.xml"),
        "<project><modelVersion>4.0.0</modelVersion><groupId>comparison</groupId><artifactId>batch</artifactId>"
        f"<version>1</version><packaging>pom</packaging><modules>{listed}</modules></project>\n",
    )
    subprocess.run(
        ["mvn", "-q", "-B", "-fae", "dependency:build-classpath", "-Dmdep.outputFile=cp.txt", "-Dmdep.includeScope=runtime"],
        cwd=batch, capture_output=True, text=True, timeout=3600,
    )
    for module, (name, text) in zip(modules, poms):
        made = os.path.join(batch, module, "cp.txt")
        if os.path.exists(made):
            os.makedirs(os.path.join(WORK, name), exist_ok=True)
            os.rename(made, listing(name, text))


def class_path(name, deps, parent=None, bom=None):
    """The jar files of `deps` and all that they need. Maven runs once for each different list."""
    if not deps:
        return []
    text = pom(deps, parent, bom)
    folder = os.path.join(WORK, name)
    os.makedirs(folder, exist_ok=True)
    listed = listing(name, text)
    key = os.path.basename(listed)[3:-4]
    refused = os.path.join(folder, f"refused-{key}.txt")
    if os.path.exists(refused):
        raise NotServed(read(refused))
    if not os.path.exists(listed):
        build = os.path.join(folder, "pom")
        os.makedirs(build, exist_ok=True)
        write(os.path.join(build, "pom.xml"), text)
        out = subprocess.run(
            ["mvn", "-q", "-B", "dependency:build-classpath", f"-Dmdep.outputFile={listed}.part", "-Dmdep.includeScope=runtime"],
            cwd=build, capture_output=True, text=True, timeout=900,
        )
        if out.returncode != 0:
            errors = [line for line in out.stdout.splitlines() if "ERROR" in line]
            first = re.sub(r"\x1b\[[\d;]*m|\[ERROR\] ", "", errors[0] if errors else "Maven failed").strip()
            first = re.sub(r"Failed to execute goal .*?: (?=Could|Execution)|https?://\S+", "", first)
            missing = re.search(r"Could not find artifact \S+", first)
            first = missing[0] if missing else first
            write(refused, first[:300])
            raise NotServed(first[:300])
        os.rename(listed + ".part", listed)
    return [p for p in read(listed).strip().split(":") if p]


def read(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


def wrapped(text):
    """Markdown with paragraphs of up to 140 columns. Tables, lists, headings and code keep their lines."""
    blocks = []
    for block in text.split("\n\n"):
        plain = not re.match(r"\s*([|#*]|- |```)", block) and "\n|" not in block
        blocks.append(textwrap.fill(block, 140, break_long_words=False, break_on_hyphens=False) if plain else block)
    return "\n\n".join(blocks).rstrip("\n") + "\n"


def write(path, text):
    if path.endswith(".md"):
        text = wrapped(text)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def javac(home, sources, out, cp=(), flags=(), processors=()):
    """Compiles `sources` to the folder `out`, unless a newer result is there."""
    stamp = os.path.join(out, ".stamp")
    key = hashlib.sha256(repr([home, [read(s) for s in sources], list(cp), list(flags), list(processors)]).encode()).hexdigest()
    if os.path.exists(stamp) and read(stamp) == key:
        return
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    command = [os.path.join(home, "bin/javac"), "-g", "-nowarn", "-d", out, *flags]
    if cp:
        command += ["-cp", ":".join(cp)]
    if processors:
        command += ["-processorpath", ":".join(processors)]
    done = subprocess.run([*command, *sources], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError("javac: " + done.stderr[:2000])
    write(stamp, key)


class Run:
    """The result of a command: `out`, `err`, `code`, and `cpu` and `wall` in seconds, `rss` in MB; `late` if it was stopped."""


def run(command, timeout, cwd=None, env=None, ask=None, stdin=None):
    """Runs `command`. `ask(port)` is called when it prints `ready PORT`; the answers that it yields are added to the output, then
    the process gets SIGTERM. `first` is the time of the first one, in seconds since the start."""
    begin = time.monotonic()
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
        cwd=cwd, env=env, start_new_session=True,
    )
    done = Run()
    done.late, done.first = False, None

    def stop():
        done.late = True
        os.killpg(process.pid, signal.SIGKILL)

    timer = threading.Timer(timeout, stop)
    timer.start()
    errors = []
    drain = threading.Thread(target=lambda: errors.append(process.stderr.read()))
    drain.start()
    if stdin:
        process.stdin.write(stdin)
        process.stdin.close()
    lines = []
    for line in process.stdout:
        line = line.decode("utf-8", "replace")
        ready = re.match(r"ready (\d+)$", line.strip()) if ask else None
        if ready:
            lines.append("ready\n")
            for answer in ask(int(ready[1])):
                done.first = done.first or time.monotonic() - begin
                lines.append(answer + "\n")
            process.send_signal(signal.SIGTERM)
        else:
            lines.append(line)
    drain.join()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = 0
    done.out = "".join(lines)
    done.err = b"".join(errors).decode("utf-8", "replace")
    done.code = os.waitstatus_to_exitcode(status)
    done.cpu = usage.ru_utime + usage.ru_stime
    done.wall = time.monotonic() - begin
    done.rss = usage.ru_maxrss / 1024
    return done


def get(port, path):
    """The status and body of an answer to GET."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=300) as answer:
            return f"{answer.status} {answer.read().decode()}"
    except urllib.error.HTTPError as e:
        return f"{e.code} {e.read().decode()}"
    except OSError as e:
        return f"no answer: {e}"


def java_version(home):
    with open(os.path.join(home, "release"), encoding="utf-8") as f:
        return re.search(r'JAVA_VERSION="([^"]+)', f.read())[1]


def rjvm_version():
    out = subprocess.run([RJVM, "--version"], capture_output=True, text=True).stdout
    found = re.search(r"rjvm \(build ([^,)]+)", out)
    built = time.strftime("%Y-%m-%d", time.gmtime(os.path.getmtime(RJVM)))
    return f"rjvm {found[1] if found else '?'} (built {built})"


def table(header, rows):
    rule = "|" + "|".join("---" if i == 0 else "---:" if name.endswith(" ") else "---" for i, name in enumerate(header)) + "|"
    lines = ["| " + " | ".join(h.strip() for h in header) + " |", rule]
    lines += ["| " + " | ".join(str(c) for c in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"
