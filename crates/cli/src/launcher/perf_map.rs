//! The file in which Linux's `perf` looks for the names of code that it finds in no library: `/tmp/perf-PID.map`, with a line for
//! each piece of code: address and bytes in hexadecimal, and a name.

use rjvm_vm::interp::Compilation;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// The compiled code that there is, by address.
#[derive(Default)]
pub struct PerfMap {
    pieces: BTreeMap<u64, (u64, String)>,
    /// Lines are written as methods are compiled.
    live: Option<File>,
    failed: Option<io::Error>,
}

impl PerfMap {
    /// Where the map of this process is.
    pub fn file() -> PathBuf {
        format!("/tmp/perf-{}.map", std::process::id()).into()
    }
    /// A map that is written while the program runs.
    ///
    /// # Errors
    /// The file cannot be made.
    pub fn live() -> io::Result<PerfMap> {
        Ok(PerfMap {
            live: Some(create()?),
            ..PerfMap::default()
        })
    }
    /// A method has been compiled, or has not.
    pub fn add(&mut self, compilation: &Compilation<'_>) {
        let Ok(code) = compilation.outcome else {
            return;
        };
        let (from, bytes) = (code.address, code.bytes as u64);
        let name = format!("{}.{}", compilation.class, compilation.method);
        if let Some(file) = &mut self.live {
            let line = text(from, bytes, &name);
            if let Err(e) = file.write_all(line.as_bytes()) {
                (self.live, self.failed) = (None, Some(e));
            }
        }
        // what was there before has been discarded
        let before = self.pieces.range(..from + bytes).rev();
        let gone: Vec<u64> = before
            .take_while(|(at, piece)| *at + piece.0 > from)
            .map(|(at, _)| *at)
            .collect();
        for at in gone {
            self.pieces.remove(&at);
        }
        self.pieces.insert(from, (bytes, name));
    }
    /// Writes the map, unless that has been done.
    ///
    /// # Errors
    /// The file cannot be written, or could not be.
    pub fn finish(&mut self) -> io::Result<()> {
        if let Some(e) = self.failed.take() {
            return Err(e);
        }
        if self.live.is_some() {
            return Ok(());
        }
        let mut out = BufWriter::new(create()?);
        for (from, (bytes, name)) in &self.pieces {
            out.write_all(text(*from, *bytes, name).as_bytes())?;
        }
        out.flush()
    }
}

fn text(from: u64, bytes: u64, name: &str) -> String {
    format!("{from:x} {bytes:x} {name}\n")
}

/// A new file: the folder is everybody's, and a link of that name is not followed.
fn create() -> io::Result<File> {
    let file = PerfMap::file();
    match std::fs::remove_file(&file) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    File::create_new(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rjvm_vm::interp::CompiledCode;

    fn add(map: &mut PerfMap, address: u64, bytes: usize, method: &str) {
        let outcome = Ok(CompiledCode {
            address,
            bytes,
            instructions: (1, 1),
        });
        map.add(&Compilation {
            at: 0,
            class: "C",
            method,
            bytecode: 1,
            outcome,
        });
    }

    #[test]
    fn code_takes_the_place_of_what_was_there() {
        let mut map = PerfMap::default();
        add(&mut map, 0x100, 0x20, "a");
        add(&mut map, 0x120, 0x20, "b");
        add(&mut map, 0x140, 0x20, "c");
        add(&mut map, 0x130, 0x10, "d");
        let names = |map: &PerfMap| {
            let lines = map.pieces.iter().map(|(at, p)| text(*at, p.0, &p.1));
            lines.collect::<String>()
        };
        assert_eq!(names(&map), "100 20 C.a\n130 10 C.d\n140 20 C.c\n");
        add(&mut map, 0x100, 0x60, "e");
        assert_eq!(names(&map), "100 60 C.e\n");
    }
}
