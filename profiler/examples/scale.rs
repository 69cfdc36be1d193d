//! Measures a profile of many contexts: memory for each, time to write and read.
//!
//! `cargo run --release -p rjvm-profiler --example scale [NODES [FORMAT...]]`, by default 20 million
//! nodes and `rjp`. The tree is grown as the interpreter does, from nodes in an arena: random calls
//! from the call sites of 5000 methods, with a recursion of a million levels among them.

use rjvm_profiler::cct::{Arena, ContextNode, NO_SITE, Walk};
use rjvm_profiler::{Builder, Kind, MethodInfo, Profile, Threads, View, export};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::time::Instant;

const METHODS: u64 = 5_000;
const DEEP: u64 = 1_000_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let nodes: u64 = match args.next() {
        Some(nodes) => nodes.parse()?,
        None => 20_000_000,
    };
    let mut formats: Vec<String> = args.collect();
    if formats.is_empty() {
        formats.push("rjp".into());
    }
    let timed = |what: &str, start: Instant| {
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{what:24}{seconds:7.2} s{:9.0} ns a node",
            seconds * 1e9 / nodes as f64
        );
    };
    let start = Instant::now();
    let mut arena = Arena::new();
    let root = grow(&mut arena, nodes);
    timed("grown", start);
    let bytes = arena.bytes() as f64 / nodes as f64;
    println!("{:24}{bytes:7.1} bytes a node", "arena");

    let start = Instant::now();
    let resolve = |id: u32| {
        let class = format!("com/example/p{}/Class{}", id % 40, id / 20);
        MethodInfo::new(
            &class,
            &format!("method{}", id % 20),
            "(ILjava/lang/String;)V",
            false,
            false,
        )
    };
    let mut builder = Builder::new(Kind::Exact, true, resolve);
    // SAFETY: the arena is alive and nobody changes it.
    builder.thread("main", 1, [unsafe { Walk::new(root) }]);
    let profile = builder.finish()?;
    timed("made a profile", start);
    drop(arena);
    let data = size_of::<rjvm_profiler::Node>();
    println!("{:24}{data:7} bytes a node", "profile");
    println!("{:24}{:7.1} MB", "peak memory so far", peak());

    let start = Instant::now();
    let view = View {
        threads: Threads::Apart,
        call_sites: false,
        ..View::default()
    };
    let plain = profile.view(&view)?.totals();
    timed("view without call sites", start);
    println!("{:24}{:7} nodes", "", plain.nodes);

    let dir = std::env::temp_dir();
    for extension in &formats {
        let Some(format) = export::by_extension(extension) else {
            return Err(format!("no format {extension}").into());
        };
        let path = dir.join(format!("rjvm-scale-{}.{extension}", std::process::id()));
        let start = Instant::now();
        let mut out = BufWriter::with_capacity(1 << 16, File::create(&path)?);
        let written = (format.write)(&profile, &export::Settings::default(), &mut out)
            .and_then(|()| out.flush());
        timed(&format!("written as {extension}"), start);
        let size = path.metadata()?.len() as f64;
        println!("{:24}{:7.1} bytes a node", "file", size / nodes as f64);
        if written.is_ok() && extension == "rjp" {
            let start = Instant::now();
            let again = Profile::read_file(&path)?;
            timed("read", start);
            assert!(again == profile, "the profile is the same");
        }
        std::fs::remove_file(&path)?;
        written?;
    }
    println!("{:24}{:7.1} MB", "peak memory", peak());
    Ok(())
}

/// Peak resident memory of this process in megabytes; 0 where the system does not report.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|l| l.trim().trim_end_matches("kB").trim().parse::<f64>().ok());
    kilobytes.unwrap_or(0.0) / 1000.0
}

/// A tree of so many nodes.
fn grow(arena: &mut Arena, nodes: u64) -> *mut ContextNode {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut random = move |n: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % n
    };
    // SAFETY: all nodes are of this arena.
    unsafe {
        let root = arena
            .new_node(std::ptr::null_mut(), 0, NO_SITE, 2)
            .expect("memory");
        let mut at = root;
        let mut depth = 1u64;
        while arena.nodes() < nodes {
            let left = nodes - arena.nodes();
            let recursing = left < DEEP.min(nodes / 4);
            if recursing || depth < 40 && random(100) < 52 {
                let (method, site) = match recursing {
                    true => (7, 12),
                    // Few call sites in each method, some of them with two targets.
                    false => {
                        let site = random(8);
                        let target = depth * 37 + site * 11 + random(2);
                        (1 + (target % (METHODS - 1)) as u32, 4 * site as u32)
                    }
                };
                // Two child links, as the interpreter gives on average.
                at = arena
                    .find_or_add_child(at, method, site, 1)
                    .expect("memory");
                depth += 1;
                (*at).invocations += 1 + random(1000);
            } else if !ContextNode::parent(at).is_null() {
                at = ContextNode::parent(at);
                depth -= 1;
            }
        }
        // Inclusive counts, children before parents: the walk's order backwards.
        let order: Vec<*const ContextNode> = Walk::new(root).map(|visit| visit.node).collect();
        for &node in order.iter().rev() {
            let node = node.cast_mut();
            (*node).inclusive += random(10_000) as i64;
            let parent = ContextNode::parent(node);
            if !parent.is_null() {
                (*parent).inclusive += (*node).inclusive;
            }
        }
        root
    }
}
