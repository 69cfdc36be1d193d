//! What the tests share: the classes of an installed JDK, a writer of class files, and a seeded
//! random generator.
#![allow(dead_code, reason = "each test program uses a part")]

pub mod build;

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

/// The home of the installed JDK: `JAVA_HOME`, else where `java` on the path leads to.
pub fn java_home() -> Option<PathBuf> {
    if let Some(home) = std::env::var_os("JAVA_HOME") {
        return Some(home.into());
    }
    let path = std::env::var_os("PATH")?;
    let java = std::env::split_paths(&path)
        .map(|dir| dir.join("java"))
        .find(|f| f.is_file())?;
    Some(java.canonicalize().ok()?.parent()?.parent()?.to_owned())
}

/// The home of the installed JDK if it is a JDK 17, whose wording some tests compare with.
pub fn java_home_17() -> Option<PathBuf> {
    let home = java_home()?;
    let release = std::fs::read_to_string(home.join("release")).ok()?;
    let found = release.contains("JAVA_VERSION=\"17");
    if !found {
        eprintln!("the installed JDK isn't a JDK 17: not compared with");
    }
    found.then_some(home)
}

/// Calls `each` with name and bytes of every class of a JDK module, in the archive's order.
/// Without a JDK that has `jmods`, says so and returns 0.
pub fn each_jdk_class(module: &str, mut each: impl FnMut(&str, &[u8])) -> usize {
    let path = java_home().map(|home| home.join("jmods").join(format!("{module}.jmod")));
    let Some(file) = path.and_then(|path| File::open(path).ok()) else {
        eprintln!("no JDK with jmods found (JAVA_HOME or java on PATH): {module} not tested");
        return 0;
    };
    let mut archive = zip::ZipArchive::new(file).expect("a jmod is a zip file");
    let (mut bytes, mut count) = (Vec::new(), 0);
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).expect("readable entry");
        let name = entry.name().expect("a UTF-8 name").into_owned();
        if !name.ends_with(".class") {
            continue;
        }
        bytes.clear();
        entry.read_to_end(&mut bytes).expect("readable entry");
        each(&name, &bytes);
        count += 1;
    }
    count
}

/// SplitMix64: the same numbers on every machine.
pub struct Random(pub u64);

impl Random {
    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `limit`, which isn't 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.number() % limit as u64) as usize
    }
}

/// Does all that can be done with a class file; returns its text. Of what it parses from
/// attributes, errors are fine: only that it returns counts.
pub fn exercise(bytes: &[u8]) -> rjvm_classfile::Result<String> {
    use rjvm_classfile::stackmap::{Frames, initial_frame};
    let class = rjvm_classfile::ClassFile::parse(bytes)?;
    let checked = class.check();
    for method in &class.methods {
        let Some(code) = &method.attributes.code else {
            continue;
        };
        for pc in 0..code.code.len() {
            // Anywhere, not only where instructions begin.
            if let Ok(insn) = rjvm_classfile::opcodes::Insn::decode(&code.code, pc) {
                assert!(insn.next_pc() <= code.code.len());
            }
        }
        if let (Some(table), Ok(initial)) = (&code.stack_map, initial_frame(&class, method)) {
            let mut frames = Frames::new(table, &class.constant_pool, initial);
            while let Ok(Some(_)) = frames.advance() {}
        }
        for (pc, _) in &code.line_numbers {
            code.line_of(*pc);
        }
    }
    for index in 0..class.constant_pool.len() as u16 {
        let pool = &class.constant_pool;
        if pool.get(index).is_err() {
            continue;
        }
        let _ = (pool.str(index), pool.member_ref(index), pool.dynamic(index));
        let _ = (
            pool.module_name(index),
            pool.package_name(index),
            pool.name_and_type(index),
        );
    }
    let mut text = Vec::new();
    rjvm_classfile::dis::disassemble(&class, &mut text).expect("writing to memory");
    let text = String::from_utf8(text).expect("text is UTF-8");
    if let Err(e) = checked {
        let _ = (e.detail(None), e.to_string(), format!("{e:?}"));
    }
    Ok(text)
}

/// Where the system reports, checks that the process never used much memory.
pub fn assert_little_memory_was_used() {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|peak| peak.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
    if let Some(kilobytes) = peak {
        assert!(kilobytes < 300_000, "{kilobytes} kB used");
    }
}
