//! `rjvm debug` as a person uses it: conditions and counts of stops, frames, and a terminal with keys.

use super::travel::{classes, compare};
use crate::common::run::vm;
use crate::common::{not_checked, tests_dir};
use std::process::Command;

#[test]
fn conditions_counts_and_frames() {
    compare(
        "conditions",
        &[],
        &["Walk"],
        &[
            "break Walk.square if n == 3",
            "c",
            "where",
            "info locals",
            "up",
            "print n",
            "up",
            "print i",
            "print i + walk.squares[2]",
            "info locals",
            "list",
            "up",
            "down",
            "frame 0",
            "down",
            "print n",
            "frame x",
            "condition 1 n > 3",
            "info break",
            "c",
            "print n",
            "rc",
            "condition 1",
            "ignore 1 3",
            "c",
            "print n",
            "frame 2",
            "set i = 4",
            "frame 1",
            "c",
            "ignore 1 0",
            "ignore 1",
            "ignore 2 1",
            "condition 2 n > 1",
            "condition 1 n >",
            "break Walk.add if",
            "break Walk.add if n ==",
            "info break",
        ],
    );
}

/// Types into a session in a terminal: each text when others have appeared. Prints all that the terminal got.
const TYPES: &str = r#"
import os, pty, re, select, sys, time
P = '(rjvm) '
keys = [
    ((P,), 'bre\tWalk.add\r'),                     # completes the command
    (('1: break Walk.add', P), 'c\r'),
    (('Walk.add(', P), 'p this.squa\t\t'),         # lists a field and a method
    (('squares',), '\x15p own\r'),                 # instead of that line
    (('\n7\r\n', P), '\x1b[A\r'),                  # the line before
    (('\n7\r\n', P), 'delete\r'),
    ((P,), 'c\r'),
    (('exit code 0', P), 'quit\r'),
] if sys.argv[1] == 'keys' else [
    ((P,), 'c\r'),
    (('c',), 1.0),
    ((), '\x03'),                                  # ends the search
    (('interrupted', P), 'print 40 + 2\r'),        # and not the session
    (('\n42\r\n', P), '\x03'),                     # gives a line up
    ((P,), 'quit\r'),
]
pid, terminal = pty.fork()
if pid == 0:
    os.environ['TERM'] = 'xterm'
    os.environ.pop('NO_COLOR', None)
    os.execv(sys.argv[2], sys.argv[2:])
all, seen, begun = '', 0, time.time()
def read(seconds):
    global all
    if select.select([terminal], [], [], seconds)[0]:
        try: data = os.read(terminal, 65536)
        except OSError: return False
        if not data: return False
        all += data.decode('utf-8', 'replace')
    return True
for texts, key in keys:
    for wanted in texts:
        while wanted not in all[seen:]:
            if not read(1) or time.time() - begun > 120: sys.exit('no ' + repr(wanted) + ' in ' + repr(all[seen:]))
        seen = all.index(wanted, seen) + len(wanted)
    if isinstance(key, float): time.sleep(key)
    else: os.write(terminal, key.encode())
while read(10): pass
print(all)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"#;

/// What the terminal gets; none without Python.
fn typed(what: &str, main: &[&str]) -> Option<String> {
    let mut command = Command::new("python3");
    command.args(["-c", TYPES, what]).arg(vm());
    let sources = tests_dir().join("causes/travel");
    command
        .arg("debug")
        .arg(format!("--source-path={}", sources.display()));
    command.arg("-cp").arg(classes()).args(main);
    let Ok(got) = command.output() else {
        not_checked("python3 is not installed");
        return None;
    };
    let text = String::from_utf8_lossy(&got.stdout).into_owned();
    let errors = String::from_utf8_lossy(&got.stderr);
    assert!(got.status.success(), "{}: {errors}\n{text}", got.status);
    Some(text)
}

#[test]
fn keys_edit_complete_and_recall_lines() {
    let Some(text) = typed("keys", &["Walk"]) else {
        return;
    };
    assert!(text.contains("1: break Walk.add"), "{text}");
    // both names that complete the word are shown
    assert!(
        text.contains("square") && text.contains("squares"),
        "{text}"
    );
    // the position is bold, the source line has a colour
    assert!(
        text.contains("\x1b[1m") && text.contains("\x1b[36m"),
        "{text}"
    );
}

#[test]
fn an_interrupt_ends_a_search_and_not_the_session() {
    if let Some(text) = typed("interrupt", &["Rounds", "2000000000"]) {
        let after = text.split_once("interrupted").expect("it was waited for").1;
        // the program is where it was: at the beginning, or at a checkpoint after it
        assert!(after.contains("Rounds."), "{text}");
    }
}
