//! `--serve`: a page on loopback that shows a running program: top methods, flame graph, heap, threads and locks, and the
//! changes since a moment. A few requests of HTTP/1.1, each with a connection of its own.
//!
//! Other users of the machine reach loopback too, and so do pages of others in the user's browser: the address ends in a key
//! that only the standard error of the program shows.

use super::error::CommandError;
use super::known::CommandContext;
use super::operations;
use super::probes;
use super::profile;
use super::queue::Queue;
use crate::launcher::report;
use crate::tools::diff::{DiffDisplay, Report, flame};
use rjvm_pages::Scripts;
use rjvm_profiler::export::{Settings, by_path, names};
use rjvm_run::profile::Ready;

use rjvm_profiler::{Flat, Profile, Threads};
use rjvm_vm::Vm;
use rjvm_vm::vm::ProfileMode;
use std::fmt::Write as _;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::thread;
use std::time::Duration;

const BODY: &str = include_str!("serve/page.html");
const STYLE: &str = include_str!("serve/page.css");
const SCRIPT: &str = include_str!("serve/page.js");
/// How long a browser may take to ask, or to take what it is answered.
const PATIENCE: Duration = Duration::from_secs(10);
/// Most bytes of a request.
const MOST: u64 = 64 << 10;
const CUT: &[u8] = b"The request is incomplete, longer than 64 kB, or not text\n";
/// Methods in the table, and rows of the histogram.
const ROWS: usize = 50;

const HTML: &str = "text/html; charset=utf-8";
const TEXT: &str = "text/plain; charset=utf-8";
const JSON: &str = "application/json";

/// What is answered: type and contents, or why not.
type PageResult = Result<(&'static str, Vec<u8>), CommandError>;

/// Opens the page on this port (0: any that is free); its address.
pub fn start(queue: &Queue, port: u16, key: u128) -> io::Result<String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
    let port = listener.local_addr()?.port();
    let path = format!("/{key:032x}/");
    let address = format!("http://127.0.0.1:{port}{path}");
    let served = queue.clone();
    thread::Builder::new()
        .name("rjvm-serve".into())
        .stack_size(1 << 20)
        .spawn(move || serve(&listener, &path, &served))?;
    queue.at_end(move || {
        // ends the listener's wait
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, port));
    });
    Ok(address)
}

fn serve(listener: &TcpListener, path: &str, queue: &Queue) {
    for client in listener.incoming() {
        if queue.is_closed() {
            return;
        }
        match client {
            // one that breaks off is none of the others' business
            Ok(client) => {
                let _ = answer(client, path, queue);
            }
            // no descriptor is left, for now
            Err(_) => thread::sleep(Duration::from_millis(100)),
        }
    }
}

fn answer(mut client: TcpStream, path: &str, queue: &Queue) -> io::Result<()> {
    client.set_read_timeout(Some(PATIENCE))?;
    client.set_write_timeout(Some(PATIENCE))?;
    let request = request(&client)?;
    let answered = request.map(|(first, body)| {
        let mut words = first.split(' ');
        let (method, target) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let wanted = target.strip_prefix(path)?;
        route(method, wanted, body, queue)
    });
    let Some(answered) = answered else {
        return respond(&mut client, "400 Bad Request", TEXT, CUT);
    };
    let (status, kind, body) = match answered {
        Some(Ok((kind, body))) => ("200 OK", kind, body),
        Some(Err(why)) => ("409 Conflict", TEXT, why.to_string().into_bytes()),
        None => ("404 Not Found", TEXT, b"Not found\n".to_vec()),
    };
    respond(&mut client, status, kind, &body)
}

/// The first line and the body of a request; `None`: there is not as much of it as it says.
fn request(client: &TcpStream) -> io::Result<Option<(String, String)>> {
    let mut reader = BufReader::new(client.take(MOST));
    let mut lines = reader.by_ref().lines();
    let first = lines.next().unwrap_or_else(|| Ok(String::new()))?;
    let mut length = Some(0);
    for line in lines {
        let line = line?;
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok();
        }
    }
    let Some(length) = length else {
        return Ok(None);
    };
    let mut body = Vec::new();
    reader.take(length).read_to_end(&mut body)?;
    let whole = body.len() as u64 == length;
    let body = String::from_utf8(body).ok().filter(|_| whole);
    Ok(body.map(|body| (first, body)))
}

fn respond(client: &mut TcpStream, status: &str, kind: &str, body: &[u8]) -> io::Result<()> {
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n",
        body.len()
    );
    client.write_all(head.as_bytes())?;
    client.write_all(body)
}

/// The page that shows the rest.
fn own_page() -> String {
    let head = rjvm_pages::Head {
        title: "rjvm",
        style: STYLE,
        connects: true,
    };
    let body = BODY
        .replace("{{theme}}", rjvm_pages::THEME_BUTTON)
        .replace("{{script}}", &Scripts(&[SCRIPT]).to_string());
    format!("{head}\n{body}")
}

/// `None`: there is nothing under this name.
fn route(method: &str, name: &str, body: String, queue: &Queue) -> Option<PageResult> {
    let of: fn(&mut Vm, &mut CommandContext, &str) -> PageResult = match (method, name) {
        ("GET", "") => return Some(Ok((HTML, own_page().into_bytes()))),
        ("GET", "status") => |vm, known, _| Ok((JSON, status(vm, known).into_bytes())),
        ("GET", "top") => |vm, known, _| Ok((JSON, top(&so_far(vm, known)?).into_bytes())),
        ("GET", "flame") => |vm, known, _| Ok((HTML, page(&so_far(vm, known)?))),
        ("GET", "heap") => |vm, _, _| Ok((TEXT, heap(vm).into_bytes())),
        ("GET", "threads") => |vm, _, _| Ok((TEXT, operations::threads(vm, true).into_bytes())),
        ("GET", "diff") => |vm, known, _| Ok((HTML, difference(vm, known)?)),
        ("GET", "probes") => |vm, known, _| message(probes::reported(vm, known, None)),
        ("POST", "probes/add") => |vm, known, text| message(probes::add(vm, known, "probe", text)),
        ("POST", "probes/remove") => |vm, known, number| message(known.probes.remove(vm, number)),
        ("POST", "start") => |vm, _, _| message(profile::start(vm, &Default::default())),
        ("POST", "stop") => |vm, known, _| message(profile::stop(vm, known)),
        ("POST", "reset") => |vm, known, _| message(profile::reset(vm, known)),
        ("POST", "mark") => |vm, known, _| {
            known.marked = Some(so_far(vm, known)?);
            Ok((TEXT, b"The moment is marked\n".to_vec()))
        },
        _ => return None,
    };
    let over = Err(CommandError::Unfit("The program has ended\n"));
    Some(
        queue
            .ask(move |vm, known| of(vm, known, &body))
            .unwrap_or(over),
    )
}

fn message<E: Into<CommandError>>(done: Result<String, E>) -> PageResult {
    done.map(|text| (TEXT, text.into_bytes())).map_err(E::into)
}

/// What has been counted so far, as the command line wants to see it.
fn so_far(vm: &mut Vm, known: &CommandContext) -> Result<Profile, CommandError> {
    if vm.recorded_contexts() == ProfileMode::Off && vm.switches_of_contexts() == 0 {
        return Err(CommandError::Unfit("The profile is not started"));
    }
    let config = profile::wanted(vm, known, &Default::default())?;
    let wanted = report::wanted(vm, &config, Threads::Merged);
    let profile = Ready::so_far(vm).shown(vm, wanted).profile();
    Ok(profile?)
}

fn status(vm: &mut Vm, known: &CommandContext) -> String {
    let (contexts, _) = vm.contexts_recorded();
    serde_json::json!({
        "program": known.config.program(),
        "profile": profile::described(vm.recorded_contexts()),
        "bytecodes": vm.bytecodes_now(),
        "contexts": contexts,
        "heap": vm.heap_used(),
        "heap_max": vm.heap_max(),
        "threads": vm.live_threads().len(),
    })
    .to_string()
}

fn top(profile: &Profile) -> String {
    let flat = Flat::of(profile);
    let names = names(&flat.methods, &Settings::default(), "");
    let row = |m: &rjvm_profiler::MethodTotals| {
        serde_json::json!({
            "name": names[m.method as usize], "self": m.bytecodes, "inclusive": m.inclusive, "calls": m.calls,
        })
    };
    let methods: Vec<_> = flat.lines.iter().take(ROWS).map(row).collect();
    serde_json::json!({ "total": flat.totals.bytecodes, "methods": methods }).to_string()
}

/// The report with the flame graph.
fn page(profile: &Profile) -> Vec<u8> {
    let mut out = Vec::new();
    let format = by_path(Path::new("x.html")).expect("a format");
    // nothing fails in memory
    let _ = format.write_pruned(profile, &Settings::default(), &mut out);
    out
}

fn difference(vm: &mut Vm, known: &mut CommandContext) -> Result<Vec<u8>, CommandError> {
    let now = so_far(vm, known)?;
    let Some(before) = &known.marked else {
        return Err(CommandError::Unfit(
            "No moment is marked. Click \"mark this moment\": this tab then shows the changes since",
        ));
    };
    let shown = DiffDisplay {
        by: "self",
        limit: ROWS,
        full_paths: false,
    };
    let different = |_| CommandError::Unfit("cannot compare the two moments");
    let report = Report::new(before, &now, &[], &shown).map_err(different)?;
    let mut out = Vec::new();
    let _ = flame::write(&report, &mut out);
    Ok(out)
}

fn heap(vm: &mut Vm) -> String {
    let mut out = vm.heap_spaces();
    let histogram = operations::histogram(vm, false);
    out.push('\n');
    for line in histogram.lines().take(ROWS + 2) {
        let _ = writeln!(out, "{line}");
    }
    out
}
