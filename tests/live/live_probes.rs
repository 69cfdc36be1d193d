//! Probes of a running program: added, asked and removed by `jcmd`, and over HTTP.
//!
//! The programs are in `tests/live`.
#![cfg(unix)]

use crate::common::live::{PATIENCE, attach, end, has, phases, serve, start, tool};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Instant;

#[test]
fn probes_come_and_go_while_the_program_runs() {
    let (dir, out) = phases(
        "probes",
        &[],
        [
            &[
                "Probe.list",
                "Probe.add entry:Phases::work /arg0 < 50/ { @[arg0] = count() }",
                "Probe.add 'entry:Phases::work { @n = sum(arg0); printf(\"%d\\n\", arg0) }'",
                "Probe.list",
            ],
            &["Probe.print 1", "Probe.remove 2", "Probe.print"],
            &["Probe.remove 1", "Probe.list"],
        ],
    );
    has(
        &out,
        &[
            "There are no probes\nPID:\nProbe 1 added\nPID:\nProbe 2 added\nPID:\n\
             1: entry:Phases::work /arg0 < 50/ { @[arg0] = count() }\n\
             2: entry:Phases::work { @n = sum(arg0); printf(\"%d\\n\", arg0) }\n",
            // from the first pause to the second
            "PID:\n@[0]: 1\n@[1]: 1\n@[2]: 1\n@[3]: 1\n@[40]: 1\n",
            "PID:\n60\n0\n1\n2\n3\n40\n@n: 106\n",
            "PID:\n1: entry:Phases::work /arg0 < 50/ { @[arg0] = count() }\n@[0]: 1\n",
            // to the third
            "PID:\n@[40]: 2\n@[0]: 1\n@[1]: 1\n@[2]: 1\n@[3]: 1\n@[10]: 1\n",
        ],
    );
    assert_eq!(out.matches("There are no probes\n").count(), 2, "{out}");
    let err = std::fs::read_to_string(dir.join("err")).expect("it was written");
    assert_eq!(err, "");
}

#[test]
fn what_is_left_is_reported_at_the_end_and_nothing_is_counted_differently() {
    let profile = ["--profile=exact", "-o", "x.paths"];
    let (alone, plain) = phases("probes-alone", &profile, [&[], &[], &[]]);
    let given = "--probe=entry:Phases::thrower { @given = count() }";
    let options = [&profile[..], &[given]].concat();
    let (probed, out) = phases(
        "probes-left",
        &options,
        [
            &[
                "Probe.add around:Phases::work { @left[thread] = max(elapsed) } alloc:.. { @[class] = count() }",
            ],
            &["Probe.list", "Probe.print 1"],
            &["Probe.add exception:.. { @late = count() }"],
        ],
    );
    has(
        &out,
        &[
            "1: entry:Phases::thrower { @given = count() }\n2: around:",
            "\n@given: ",
        ],
    );
    has(&out, &[&plain[plain.find("sum ").expect("a sum")..]]);
    let read = |dir: &std::path::Path| std::fs::read(dir.join("x.paths")).expect("a profile");
    assert!(read(&alone) == read(&probed));
    let err = std::fs::read_to_string(probed.join("err")).expect("it was written");
    has(
        &err,
        &["@given: ", "@left[main]: ", "@left[other]: ", "@late: "],
    );
}

#[test]
fn mistakes_are_reported_with_their_column() {
    let running = start("probe-mistakes", &[], &["Busy", "100000000"]);
    attach(&running);
    let pid = running.id().to_string();
    for (command, message) in [
        (
            "Probe.add entry:Busy::work { @[argo] = count() }",
            "Probe.add:1:22: unknown name 'argo'; did you mean 'arg0'?\n",
        ),
        ("Probe.add", "The argument 'probe' is mandatory."),
        (
            "Probe.remove 7",
            "There is no probe 7: there are no probes\n",
        ),
        (
            "Probe.print x",
            "There is no probe x: there are no probes\n",
        ),
    ] {
        let (good, text) = tool("jcmd", &[&pid, command]);
        has(&text, &[message]);
        assert!(!good, "{text}");
    }
    // the program may be over before the answer is on its way
    let _ = tool("jcmd", &[&pid, "Probe.add entry:Busy::work { stop() }"]);
    let outcome = running.finish(PATIENCE);
    assert_eq!(outcome.exit, 0);
    has(
        &outcome.err(),
        &["rjvm: note: Probe.add:1:20: stop() after "],
    );
}

#[test]
fn the_page_has_probes() {
    let (running, host, key) = serve("live-probes-serve");
    let begin = Instant::now();
    let request = |text: &str| {
        let mut client = TcpStream::connect(&host).expect("it listens");
        client.write_all(text.as_bytes()).expect("it reads");
        let _ = client.shutdown(Shutdown::Write);
        let mut answer = String::new();
        client.read_to_string(&mut answer).expect("an answer");
        answer
    };
    // half a probe is none
    for (length, body) in [("99", "entry:Busy::work { @ = count() }"), ("x", "")] {
        let text =
            format!("POST /{key}probes/add HTTP/1.1\r\nContent-Length: {length}\r\n\r\n{body}");
        has(&request(&text), &["400 Bad Request", "is incomplete"]);
    }
    let ask = |method: &str, what: &str, body: &str| {
        let length = body.len();
        request(&format!(
            "{method} /{key}{what} HTTP/1.1\r\nContent-Length: {length}\r\n\r\n{body}"
        ))
    };
    has(
        &ask("GET", "probes", ""),
        &["200 OK", "There are no probes"],
    );
    let wrong = ask("POST", "probes/add", "entry:Busy::work { @ = cuont() }");
    has(
        &wrong,
        &[
            "409 Conflict",
            "probe:1:24: unknown function 'cuont'",
            "\n                           ^^^^^",
        ],
    );
    let added = ask("POST", "probes/add", "entry:Busy::work { @ = max(arg0) }");
    has(&added, &["200 OK", "Probe 1 added"]);
    while !ask("GET", "probes", "").ends_with("1: entry:Busy::work { @ = max(arg0) }\n@: 1000\n") {
        assert!(begin.elapsed() < PATIENCE);
    }
    has(&ask("POST", "probes/remove", "1"), &["200 OK", "@: 1000"]);
    has(
        &ask("POST", "probes/remove", "1"),
        &["409 Conflict", "There is no probe 1"],
    );
    has(&ask("GET", "probes", ""), &["There are no probes"]);
    has(&ask("POST", "probes", ""), &["404 Not Found"]);
    end(running);
}
