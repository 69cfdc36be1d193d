//! Classes with random damage get the same verdict as from the installed JDK, word for word.

use super::TestLibrary;
use crate::classpath::{Jdk, Search};
use rjvm_classfile::ClassFile;
use std::path::{Path, PathBuf};
use std::process::Command;

fn jdk() -> Jdk {
    let jdk = Search::usual(None, |name| std::env::var_os(name)).find();
    jdk.expect("a JDK is installed")
}

/// A fresh directory, removed at the end.
struct TempDir(PathBuf);

impl TempDir {
    fn new(name: &str) -> TempDir {
        let name = format!("rjvm-verify-{name}-{}", std::process::id());
        let dir = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&dir);
        std::fs::create_dir_all(&dir).unwrap();
        TempDir(dir)
    }
}

impl Drop for TempDir {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn run(program: &str, args: &[&str], dir: &Path) {
    let program = jdk().home().join("bin").join(program);
    let out = Command::new(program)
        .args(args)
        .current_dir(dir)
        .output()
        .unwrap();
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
}

/// Compiles the samples into `dir`, for class files of this version without what came later.
fn compile(dir: &Path, version: u8) {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/verify/tests/samples");
    let mut sample = std::fs::read_to_string(samples.join("Sample.java")).unwrap();
    while version < 52
        && let Some(begin) = sample.find("// since 52")
    {
        let end = sample[begin..].find("// end").expect("an end for it");
        sample.replace_range(begin..begin + end + "// end".len(), "");
    }
    std::fs::write(dir.join("Sample.java"), sample).unwrap();
    let file = |f: &str| samples.join(f).to_str().unwrap().to_string();
    let files = [file("Shape.java"), file("Judge.java"), file("p/Base.java")];
    let mut args = vec!["-XDstringConcat=inline", "-d", ".", "Sample.java"];
    args.extend(files.iter().map(String::as_str));
    run("javac", &args, dir);
}

/// A generator of random numbers.
struct RandomNumbers(u64);

impl RandomNumbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }
}

/// Where the code of each method and its stack map begin in the file, and how long they are.
fn places(bytes: &[u8]) -> Vec<(usize, usize, Option<(usize, usize)>)> {
    let cf = ClassFile::parse(bytes).unwrap();
    let mut out = Vec::new();
    for m in &cf.methods {
        let Some(code) = &m.attributes.code else {
            continue;
        };
        let mut head = Vec::new();
        head.extend(code.max_stack.to_be_bytes());
        head.extend(code.max_locals.to_be_bytes());
        head.extend((code.code.len() as u32).to_be_bytes());
        head.extend(&code.code);
        let find = |needle: &[u8], from: usize| {
            let at = bytes[from..]
                .windows(needle.len())
                .position(|w| w == needle);
            at.unwrap() + from
        };
        let at = find(&head, 0);
        let map = code.stack_map.as_ref().map(|map| {
            let mut head = (map.len() as u32).to_be_bytes().to_vec();
            head.extend(&map[..]);
            (find(&head, at) + 4, map.len())
        });
        out.push((at, code.code.len(), map));
    }
    out
}

/// Damages one method of the class.
fn damage(bytes: &[u8], random: &mut RandomNumbers) -> Vec<u8> {
    let places = places(bytes);
    let (at, len, map) = places[random.below(places.len())];
    let mut b = bytes.to_vec();
    for _ in 0..1 + random.below(2) {
        match (random.below(12), map) {
            (0, _) => b[at + 1] = random.below(6) as u8,
            (1, Some((map, len))) => b[map + random.below(len)] = random.below(256) as u8,
            (2 | 3, Some((map, len))) => b[map + random.below(len)] ^= 1 << random.below(4),
            (4 | 5, _) => b[at + 8 + random.below(len)] ^= 1 << random.below(3),
            (6, _) => {
                let (i, j) = (random.below(len), random.below(len));
                b[at + 8 + i] = b[at + 8 + j];
            }
            _ => b[at + 8 + random.below(len)] = random.below(202) as u8,
        }
    }
    b
}

/// The verdicts of the JDK on the classes.
fn judge(dir: &Path, classes: &[Vec<u8>]) -> Vec<String> {
    let cases = dir.join("cases");
    let _ = std::fs::remove_dir_all(&cases);
    std::fs::create_dir_all(&cases).unwrap();
    for (i, b) in classes.iter().enumerate() {
        std::fs::write(cases.join(format!("{i}.class")), b).unwrap();
    }
    run("java", &["-Xshare:auto", "-cp", ".", "Judge", "cases"], dir);
    let all = std::fs::read(cases.join("verdicts")).unwrap();
    let mut all: Vec<String> = String::from_utf8_lossy(&all)
        .split('\0')
        .map(str::to_string)
        .collect();
    all.pop();
    assert_eq!(all.len(), classes.len());
    all
}

fn library(dir: &Path) -> TestLibrary {
    let mut library = TestLibrary::new();
    for name in ["Sample", "Shape", "p/Base"] {
        let bytes = std::fs::read(dir.join(format!("{name}.class"))).unwrap();
        library.extra.insert(name.into(), bytes);
    }
    library
}

fn verdict(library: &mut TestLibrary, bytes: &[u8]) -> String {
    library.extra.insert("Sample".into(), bytes.to_vec());
    library.index.remove("Sample");
    match library.verify("Sample") {
        Ok(()) => "ok".into(),
        Err(f) => format!("{}\n{}", f.class, f.message),
    }
}

/// Compares the verdicts (all) and their words (nearly all: they vary with the build of the JDK) on `count` damaged classes of this version.
fn compare(version: u8, count: usize, seed: u64) {
    let temp = TempDir::new(&format!("{version}-{seed}"));
    compile(&temp.0, version);
    let mut original = std::fs::read(temp.0.join("Sample.class")).unwrap();
    original[7] = version;
    let mut random = RandomNumbers(seed);
    let cases: Vec<Vec<u8>> = (0..count).map(|_| damage(&original, &mut random)).collect();
    let expected = judge(&temp.0, &cases);
    let mut library = library(&temp.0);
    let (mut bad, mut different, mut worded) = (0, Vec::new(), Vec::new());
    for (i, (b, expected)) in cases.iter().zip(&expected).enumerate() {
        bad += usize::from(expected != "ok");
        if is_of_the_parser(expected) {
            continue;
        }
        let ours = verdict(&mut library, b);
        let kind = |verdict: &str| verdict.lines().next().map(str::to_string);
        if ours != *expected {
            let list = match kind(&ours) == kind(expected) {
                true => &mut worded,
                false => &mut different,
            };
            list.push(format!(
                "case {i}\n--- the JDK:\n{expected}\n--- here:\n{ours}\n"
            ));
        }
    }
    for (what, list, most) in [
        ("differ", &different, 0),
        ("are worded differently", &worded, count / 50),
    ] {
        let n = list.len();
        assert!(n <= most, "{n} of {count} {what}\n{}", list.join("\n"));
    }
    assert!(bad * 3 > count, "{bad}");
}

/// The results of the passes before verification.
fn is_of_the_parser(verdict: &str) -> bool {
    verdict.contains("Arguments can't fit into locals")
}

#[test]
fn type_checking_judges_like_the_jdk() {
    compare(61, 1000, 1042);
}

#[test]
fn inference_judges_like_the_jdk() {
    compare(49, 1000, 1007);
}

#[test]
fn failover_judges_like_the_jdk() {
    compare(50, 1000, 1003);
}
