//! All HTML pages that rjvm writes or serves are made of one kit, have what readers without eyes or mouse need, and fit their
//! windows.
#![cfg(unix)]

use crate::common::explored::explore;
use crate::common::live::{classes, end, serve};
use crate::common::not_checked;
use crate::common::tool::{self, rjvm};
use crate::live_serve::ask;
use rjvm_pages::{SCRIPT, STYLE};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The pages by name, as files of this folder.
fn pages() -> (PathBuf, Vec<&'static str>) {
    let dir = tool::folder("live", "pages");
    let classes = classes();
    let path = ["-cp", classes.to_str().expect("a name"), "Busy", "1"];
    let run = |options: &[&str]| {
        let (_, err, code) = rjvm(&dir, &[options, &path].concat());
        assert_eq!(code, 0, "{options:?}: {err}");
    };
    run(&[
        "--profile=exact",
        "--quiet",
        "-o",
        "report.html",
        "-o",
        "a.rjp",
    ]);
    run(&["why", "-o", "why.html", "--deterministic"]);
    run(&["search", "-o", "search.html"]);
    let diff = ["profile", "diff", "a.rjp", "a.rjp", "-o", "diff.html"];
    let (_, err, code) = rjvm(&dir, &diff);
    assert_eq!(code, 0, "{err}");
    let options = ["-o", "explore.html", "--iterations=50"];
    assert_eq!(explore(&dir, &options, &["LostUpdate"]).2, 1);
    let (running, host, key) = serve("live-pages");
    let answer = ask(&host, &format!("GET /{key} HTTP/1.1"));
    end(running);
    let (_, page) = answer.split_once("\r\n\r\n").expect("a body");
    std::fs::write(dir.join("serve.html"), page).expect("it is written");
    let names = ["report", "why", "search", "diff", "explore", "serve"];
    (dir, names.to_vec())
}

fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("{from}"));
    let (part, _) = rest.split_once(to).unwrap_or_else(|| panic!("{to}"));
    part
}

/// Each declaration with its selector; rules for windows of some size are left out.
fn declarations(style: &str) -> BTreeSet<(String, String)> {
    let mut found = BTreeSet::new();
    let (mut depth, mut text, mut selector) = (0, String::new(), String::new());
    for c in style.chars() {
        match c {
            '{' => {
                depth += 1;
                let name = text.rsplit("*/").next().unwrap_or(&text).trim();
                if depth == 1 && name.starts_with('@') {
                    depth = 100;
                }
                selector = name.into();
                text.clear();
            }
            '}' => {
                if depth == 1 {
                    let all = text.split(';').map(str::trim).filter(|d| !d.is_empty());
                    found.extend(all.map(|d| (selector.clone(), d.to_owned())));
                }
                depth = match depth {
                    100 => 0,
                    d => d - 1,
                };
                text.clear();
            }
            c => text.push(c),
        }
    }
    found
}

#[test]
fn rules_are_read() {
    let found = declarations("a { b: c; d: e; }\n@media x {\n f { g: h; }\n}\n/* i */ j { k: l }");
    let found: Vec<_> = found.iter().map(|(s, d)| format!("{s} {d}")).collect();
    assert_eq!(found, ["a b: c", "a d: e", "j k: l"]);
}

/// What a page reports to the page around it: elements that are wider than the window and not in one that scrolls, controls
/// without a name.
const MEASURED: &str = "<script>setTimeout(() => {
    const all = [...document.querySelectorAll('body *')];
    const scrolls = (e) => e && e !== document.body && (getComputedStyle(e).overflowX !== 'visible' || scrolls(e.parentElement));
    const wide = all.filter((e) => {
        const box = e.getBoundingClientRect();
        return box.width > 0 && box.right > innerWidth + 1 && !scrolls(e.parentElement);
    });
    const named = (e) => e.labels?.length || e.ariaLabel || e.getAttribute('aria-labelledby') || e.title || e.textContent.trim();
    const bare = all.filter((e) => e.matches('input, select, textarea, button, iframe, [tabindex=\"0\"]') && !named(e));
    const list = (elements) => elements.slice(0, 9).map((e) => `${e.localName}#${e.id}.${e.getAttribute('class')}`).join(' ');
    const scroll = document.documentElement.scrollWidth > innerWidth ? 'scrolls sideways' : '';
    parent.postMessage(`${[scroll, list(wide), list(bare)].filter(Boolean).join(' | ') || 'fits'}`, '*');
}, 3000)</script>";

/// What Chromium finds in each page at each width: page, width, report.
fn measured(dir: &Path, names: &[&str]) -> Option<Vec<String>> {
    let chromium = "/usr/bin/chromium";
    if !Path::new(chromium).exists() {
        not_checked("chromium is not installed");
        return None;
    }
    let mut frames = String::new();
    for name in names {
        let page = std::fs::read_to_string(dir.join(format!("{name}.html"))).expect("a page");
        std::fs::write(dir.join(format!("{name}-m.html")), page + MEASURED).expect("it is written");
        for width in [390, 800, 1600] {
            frames += &format!(
                "<iframe name=\"{name} {width}\" width=\"{width}\" height=\"844\" style=\"border:0\" src=\"{name}-m.html\"></iframe>\n"
            );
        }
    }
    let around = format!(
        "<!DOCTYPE html><html><body><ol></ol><script>addEventListener('message', (e) => {{
            const frame = [...document.querySelectorAll('iframe')].find((f) => f.contentWindow === e.source);
            const line = document.createElement('li');
            line.textContent = `${{frame.name}}: ${{e.data}}`;
            document.querySelector('ol').append(line);
        }})</script>{frames}</body></html>"
    );
    let file = dir.join("around.html");
    std::fs::write(&file, around).expect("it is written");
    let got = Command::new("timeout")
        .args(["120", chromium, "--headless", "--no-sandbox"])
        .args(["--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-sync"])
        .args(["--disable-component-update", "--window-size=1700,1000"])
        .args(["--virtual-time-budget=20000", "--dump-dom"])
        .arg(format!(
            "--user-data-dir={}",
            dir.join("chromium").display()
        ))
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("timeout starts");
    let text = String::from_utf8_lossy(&got.stdout).into_owned();
    let lines = between(&text, "<ol>", "</ol>").split("<li>").skip(1);
    Some(lines.map(|l| l.replace("</li>", "")).collect())
}

#[test]
fn pages_are_made_of_one_kit_and_fit_their_windows() {
    let (dir, names) = pages();
    let kit = declarations(STYLE);
    assert!(kit.len() > 80, "{}", kit.len());
    for name in &names {
        let page = std::fs::read_to_string(dir.join(format!("{name}.html"))).expect("a page");
        for part in [STYLE, SCRIPT] {
            assert_eq!(page.matches(part).count(), 1, "{name}: the kit");
        }
        for part in [
            "<!DOCTYPE html>",
            "<html lang=\"en\">",
            "<meta name=\"viewport\"",
            "<h1",
            "<main",
            "id=\"theme\"",
        ] {
            assert_eq!(page.matches(part).count(), 1, "{name}: {part}");
        }
        assert!(!between(&page, "<title>", "</title>").is_empty(), "{name}");
        let style = between(&page, "/* this page */", "</style>");
        let own = declarations(style);
        let again: Vec<_> = own.intersection(&kit).collect();
        assert!(again.is_empty(), "{name} repeats the kit: {again:?}");
        let script = between(&page, "// this page", "</script>");
        for copy in ["prefers-color-scheme", "dataset.theme", "const $ ="] {
            assert!(!style.contains(copy), "{name}: {copy}");
            assert!(!script.contains(copy), "{name}: {copy}");
        }
        let ours = own.iter().filter(|d| d.0.starts_with(":root"));
        assert_eq!(ours.count(), 0, "{name}: colours are the kit's");
    }
    let Some(found) = measured(&dir, &names) else {
        return;
    };
    assert_eq!(found.len(), 3 * names.len(), "{found:#?}");
    let bad: Vec<_> = found.iter().filter(|l| !l.ends_with(": fits")).collect();
    assert!(bad.is_empty(), "{bad:#?}");
}
