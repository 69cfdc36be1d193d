//! `--serve`: a page on loopback shows a running program, to who knows its key.
#![cfg(unix)]

use crate::common;
use crate::common::live::{PATIENCE, classes, end, has, serve, serve_with, start};
use crate::common::run::{Run, vm};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// The answer to a request.
pub(crate) fn ask(host: &str, request: &str) -> String {
    let mut client = TcpStream::connect(host).expect("it listens");
    let _ = client.write_all(format!("{request}\r\nHost: x\r\n\r\n").as_bytes());
    let _ = client.shutdown(std::net::Shutdown::Write);
    let mut answer = Vec::new();
    let _ = client.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn a_profile_that_is_switched_on_later_is_written_at_the_end() {
    let name = "live-serve-later";
    let (running, host, key) = serve_with(name, &["-o", "p.txt"]);
    let file = common::work_dir().join("run").join(name).join("tmp/p.txt");
    has(
        &ask(&host, &format!("POST /{key}start HTTP/1.1")),
        &["Contexts are recorded"],
    );
    let begin = Instant::now();
    let flame = || ask(&host, &format!("GET /{key}top HTTP/1.1"));
    while !flame().contains("Busy.work(long)") && begin.elapsed() < PATIENCE {}
    end(running);
    let text = std::fs::read_to_string(&file).expect("the profile is written");
    has(&text, &["Busy.work(long)"]);
}

#[test]
fn a_page_shows_a_running_program() {
    let (running, host, key) = serve("live-serve");
    let (begin, host) = (Instant::now(), host.as_str());
    assert!(
        host.starts_with("127.0.0.1:") && key.len() == 33,
        "{host} {key}"
    );
    let get = |what: &str| ask(host, &format!("GET /{key}{what} HTTP/1.1"));
    let post = |what: &str| ask(host, &format!("POST /{key}{what} HTTP/1.1"));
    has(&get("top"), &["409 Conflict", "The profile is not started"]);
    has(
        &get("status"),
        &["200 OK", "\"profile\":\"off\"", "\"program\":\"Busy\""],
    );
    // nothing runs without the page that was requested
    let port = host.rsplit(':').next().expect("a port");
    let other = Run::new(&vm(), "live-serve-busy").arg(format!("--serve={port}"));
    let other = other.arg("-cp").arg(classes()).args(["Busy", "1"]).finish();
    assert_eq!((other.exit, other.out().as_str()), (1, ""));
    has(
        &other.err(),
        &[&format!("--serve: port {port} is not available: ")],
    );
    has(&post("start"), &["200 OK", "Contexts are recorded"]);
    has(&get("diff"), &["409 Conflict", "No moment is marked"]);
    has(&post("mark"), &["200 OK"]);
    has(&get("threads"), &["Full thread dump", "Busy.main("]);
    has(&get("heap"), &["tenured generation", "class name (module)"]);
    has(&get("flame"), &["<title>Busy</title>"]);
    let differs = loop {
        let shown = get("diff");
        // it may have executed nothing since
        if shown.contains("Busy.work(long)") || begin.elapsed() > PATIENCE {
            break shown;
        }
    };
    has(&differs, &["<!DOCTYPE html>", "Busy.work(long)"]);
    // without the key, or with what is no request, there is nothing
    for request in [
        "GET / HTTP/1.1",
        "GET /status HTTP/1.1",
        "POST /00/stop HTTP/1.1",
        "",
        "x",
    ] {
        has(&ask(host, request), &["404 Not Found"]);
    }
    has(&get("stop"), &["404 Not Found"]);
    has(&get("status"), &["\"profile\":\"exact\""]);
    // what a browser makes of it
    let chromium = "/usr/bin/chromium";
    if Path::new(chromium).exists() {
        let scratch = common::work_dir().join("live-chromium");
        let got = Command::new("timeout")
            .args([
                "60",
                chromium,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
            ])
            .args([
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
            ])
            .args(["--disable-sync", "--virtual-time-budget=5000", "--dump-dom"])
            .arg(format!("--user-data-dir={}", scratch.display()))
            .arg(format!("http://{host}/{key}#top"))
            .output()
            .expect("timeout starts");
        let text = String::from_utf8_lossy(&got.stdout).into_owned();
        has(
            &text,
            &[
                "<title>Busy (rjvm)</title>",
                "<td>Busy.work(long)</td>",
                "profile exact, ",
                "id=\"to-top\" type=\"button\" role=\"tab\" aria-controls=\"top\" aria-selected=\"true\"",
            ],
        );
    } else {
        common::not_checked("chromium is not installed");
    }
    has(&post("stop"), &["Contexts are not recorded from"]);
    end(running);
    assert!(
        TcpStream::connect(host).is_err(),
        "the page goes with the program"
    );
}

#[test]
fn runs_that_stand_for_themselves_are_not_served() {
    for option in ["--deterministic", "-Xrs", "--record=x.rec"] {
        let run = Run::new(&vm(), &format!("live-unserved{option}"));
        let got = run
            .args(["--serve", option, "-cp"])
            .arg(classes())
            .arg("Busy")
            .finish();
        assert_eq!(got.exit, 1, "{option}");
        has(&got.err(), &["--serve cannot be combined with"]);
    }
    end(start("served-twice", &["--serve=0"], &["Locks"]));
}
