//! The program that tests of debuggers debug, in a virtual machine that they attach to. Programs and scripts are in `tests/live/debug`.

use super::{jdk, tests_dir, work_dir};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How long anything may take.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A file of `tests/live/debug`.
pub fn source(name: &str) -> PathBuf {
    tests_dir().join("live/debug").join(name)
}

/// The program that is debugged, the client, and (in `new`) other class files of the program.
pub fn classes() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let sources = [source("Shop.java"), source("JdiClient.java")];
        let none = Path::new("none");
        let classes = jdk::compile("debug", &sources, &["-g"], none);
        let text = std::fs::read_to_string(&sources[0]).expect("a source");
        map_lines(&classes.join("Mapped.class"), &text);
        let folder = work_dir().join("debug-variants");
        let variants = [
            ("new", text.replace("\"one\"", "\"two\"")),
            (
                "new/more",
                text.replace(
                    "class Version {",
                    "class Version {\n    static void other() {\n    }\n",
                ),
            ),
            (
                "new/marks",
                text.replace("\"one\"", "\"\" + new Shop(\"marks\").mark"),
            ),
        ];
        for (name, text) in variants {
            let dir = folder.join(name);
            std::fs::create_dir_all(&dir).expect("the target directory is writable");
            let file = dir.join("Shop.java");
            std::fs::write(&file, text).expect("the target directory is writable");
            let made = jdk::compile(
                &format!("debug-made-{}", name.replace('/', "-")),
                &[file],
                &["-g"],
                none,
            );
            jdk::copy_tree(&made, &dir);
        }
        classes
    })
}

/// Gives a class file a `SourceDebugExtension` (JSR 45) for the lines of `Mapped.run`: two are one line, one is none.
fn map_lines(class: &Path, source: &str) {
    let mut bytes = std::fs::read(class).expect("a class file");
    if bytes.windows(4).any(|w| w == b"SMAP") {
        return;
    }
    let at = source.lines().position(|l| l.contains("int a = n + 1"));
    let first = at.expect("the line") + 1;
    let (next, last) = (first + 3, first + 4);
    let map = format!(
        "SMAP\nShop.java\nMini\n*S Mini\n*F\n1 shop.mini\n*L\n10#1,1:{first},2\n11:{next}\n12:{last}\n*E\n"
    );
    // a constant more, behind the others
    let count = u16::from_be_bytes([bytes[8], bytes[9]]);
    let mut end = 10;
    for _ in 1..count {
        end += match bytes[end] {
            1 => 3 + usize::from(u16::from_be_bytes([bytes[end + 1], bytes[end + 2]])),
            9..=12 => 5,
            7 | 8 => 3,
            tag => panic!("a constant of tag {tag}"),
        };
    }
    let name = b"SourceDebugExtension";
    let mut constant = vec![1, 0, name.len() as u8];
    constant.extend(name);
    // the only attribute of the class, the last thing in the file, is the name of its source
    let attributes = bytes.len() - 10;
    assert_eq!(bytes[attributes..attributes + 2], [0, 1], "one attribute");
    bytes[attributes + 1] = 2;
    bytes.extend(count.to_be_bytes());
    bytes.extend((map.len() as u32).to_be_bytes());
    bytes.extend(map.as_bytes());
    bytes[8..10].copy_from_slice(&(count + 1).to_be_bytes());
    bytes.splice(end..end, constant);
    std::fs::write(class, bytes).expect("the target directory is writable");
}

/// The folder with the other class files.
pub fn new_classes() -> PathBuf {
    classes();
    work_dir().join("debug-variants/new")
}

/// A virtual machine that a debugger may attach to.
pub struct Debuggee {
    process: Child,
    pub port: u16,
    out: BufReader<std::process::ChildStdout>,
}

/// A program of a JDK, in a clean environment.
pub fn command(program: &Path, home: &Path) -> Command {
    let mut command = Command::new(program);
    command.env("JAVA_HOME", home).env("LC_ALL", "C.UTF-8");
    for name in [
        "JAVA_TOOL_OPTIONS",
        "JDK_JAVA_OPTIONS",
        "LD_LIBRARY_PATH",
        "CLASSPATH",
    ] {
        command.env_remove(name);
    }
    command.current_dir(tests_dir().join("live/debug"));
    command
}

impl Debuggee {
    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.process.id()
    }
    /// Starts the program and waits until the virtual machine listens.
    pub fn start(program: &Path, home: &Path, suspend: &str, options: &[&str]) -> Debuggee {
        let agent =
            format!("-agentlib:jdwp=transport=dt_socket,server=y,suspend={suspend},address=0");
        let mut process = command(program, home)
            .arg(agent)
            .args(options)
            .arg("-cp")
            .arg(classes())
            .arg("Shop")
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut out = BufReader::new(process.stdout.take().expect("piped"));
        let mut line = String::new();
        out.read_line(&mut line).expect("text");
        let port = line.strip_prefix("Listening for transport dt_socket at address: ");
        let port = port.unwrap_or_else(|| panic!("{line:?}")).trim();
        Debuggee {
            port: port.parse().expect("a port"),
            process,
            out,
        }
    }
    /// What it prints, and its exit code.
    pub fn end(mut self) -> (String, i32) {
        let begin = Instant::now();
        while self.process.try_wait().expect("a child").is_none() {
            if begin.elapsed() > PATIENCE {
                let _ = self.process.kill();
                panic!("the program does not end");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let (mut out, mut err) = (String::new(), String::new());
        self.out.read_to_string(&mut out).expect("text");
        let mut errors = self.process.stderr.take().expect("piped");
        errors.read_to_string(&mut err).expect("text");
        let status = self.process.wait().expect("a child");
        // whether it listens again before it ends is a matter of time
        let lines = out
            .lines()
            .filter(|l| !l.starts_with("Listening for transport"));
        let out: String = lines.map(|l| format!("{l}\n")).collect();
        (out + &err, status.code().unwrap_or(-1))
    }
}

impl Drop for Debuggee {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
