//! Running VMs that the JDK's tools look into. The programs are in `tests/live`.

use super::run::{Outcome, Run, Running, vm};
use super::{files_with_extension, jdk, tests_dir, work_dir};
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long anything may take.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The programs.
pub fn classes() -> PathBuf {
    let sources = files_with_extension(&tests_dir().join("live"), "java");
    let api = tests_dir().join("../java/agent-api/rjvm-agent.jar");
    let api = api.to_string_lossy();
    jdk::compile("live", &sources, &["-cp", &api], Path::new("none"))
}

/// Starts one that says when it is ready.
pub fn start(name: &str, options: &[&str], program: &[&str]) -> Running {
    let run = Run::new(&vm(), &format!("live-{name}"));
    let mut running = run
        .args(options)
        .arg("-cp")
        .arg(classes())
        .args(program)
        .start();
    assert!(running.wait_for_stdout("ready", PATIENCE), "{name}");
    running
}

/// Starts `Busy` with a page: it, the page's address, and its key with a slash behind.
pub fn serve(name: &str) -> (Running, String, String) {
    serve_with(name, &[])
}

/// The same with more options.
pub fn serve_with(name: &str, options: &[&str]) -> (Running, String, String) {
    let run = Run::new(&vm(), name).args(options);
    let err = run.dir().join("../stderr");
    let running = run.args(["--serve", "-cp"]).arg(classes());
    let running = running.args(["Busy", "100000000"]).start();
    let begin = Instant::now();
    let address = loop {
        let text = std::fs::read_to_string(&err).unwrap_or_default();
        if let Some(line) = text
            .lines()
            .find_map(|l| l.strip_prefix("rjvm: note: http://"))
        {
            break line.to_owned();
        }
        assert!(begin.elapsed() < PATIENCE, "{text}");
        std::thread::sleep(Duration::from_millis(5));
    };
    let (host, key) = address.split_once('/').expect("a key");
    (running, host.to_owned(), key.to_owned())
}

/// Sends it a signal.
pub fn signal(running: &Running, number: i32) {
    // SAFETY: signals a child that has not been waited for.
    unsafe { libc::kill(running.id() as i32, number) };
}

/// Ends it.
pub fn end(running: Running) -> Outcome {
    signal(&running, libc::SIGTERM);
    running.finish(PATIENCE)
}

/// What one of the JDK's tools prints on both streams, and whether it is content.
pub fn tool(name: &str, args: &[&str]) -> (bool, String) {
    let got = Command::new(jdk::tool(name))
        .args(jdk::short_lived_tool())
        .args(args)
        .env_remove("JAVA_TOOL_OPTIONS")
        .output()
        .expect("the JDK has its tools");
    let text = [got.stdout, got.stderr].concat();
    (
        got.status.success(),
        String::from_utf8_lossy(&text).into_owned(),
    )
}

/// Is all of this in the text?
pub fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in:\n{text}");
    }
}

/// Where it listens.
pub fn socket(pid: u32) -> PathBuf {
    PathBuf::from(format!("/tmp/.java_pid{pid}"))
}

/// Attaches as the JDK's tools do.
pub fn attach(running: &Running) {
    let trigger = format!("/proc/{0}/cwd/.attach_pid{0}", running.id());
    std::fs::write(&trigger, "").expect("the working directory is writable");
    signal(running, libc::SIGQUIT);
    let begin = Instant::now();
    while !socket(running.id()).exists() {
        assert!(begin.elapsed() < PATIENCE, "nobody opens");
        std::thread::sleep(Duration::from_millis(2));
    }
    std::fs::remove_file(&trigger).expect("it was there");
}

/// Sends one request, and returns the answer.
pub fn ask(pid: u32, strings: [&str; 5]) -> String {
    let request: String = strings.iter().map(|s| format!("{s}\0")).collect();
    let mut answer = String::new();
    // nothing is answered by a program that has come to its end
    let _ = UnixStream::connect(socket(pid)).and_then(|mut client| {
        client.write_all(request.as_bytes())?;
        client.read_to_string(&mut answer)
    });
    answer
}

/// Runs `Phases` and has a tool do something at each of its pauses; the folder that it runs in, and what both print. (What the
/// program prints on standard error is in the file `err` there.)
pub fn phases(name: &str, options: &[&str], at: [&[&str]; 3]) -> (PathBuf, String) {
    let dir = work_dir().join("run").join(format!("live-phases-{name}"));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("the target directory is writable");
    let mut child = Command::new(vm())
        .current_dir(&dir)
        .args(options)
        .arg("-cp")
        .arg(classes())
        .arg("Phases")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(std::fs::File::create(dir.join("err")).expect("a file"))
        .spawn()
        .expect("rjvm starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    let mut out = String::new();
    for (pause, commands) in ["first", "second", "third"].into_iter().zip(at) {
        loop {
            let line = lines.next().expect("it goes on").expect("text");
            if line == pause {
                break;
            }
            out.push_str(&line);
        }
        for command in commands {
            let (good, text) = tool("jcmd", &[&child.id().to_string(), command]);
            assert!(good, "{command}: {text}");
            out.push_str(&text.replace(&child.id().to_string(), "PID"));
        }
        input.write_all(b"x").expect("it reads");
    }
    lines.for_each(|l| out.push_str(&l.expect("text")));
    assert!(child.wait().expect("it ends").success());
    (dir, out)
}
