//! Where methods are in their source files.

use crate::method::printable;
use std::sync::Arc;

/// Where a method is in its source file, as its class file reports (JVMS §4.7.10, §4.7.12).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Source {
    file: Arc<str>,
    lines: Box<[(u16, u16)]>,
}

impl Source {
    /// `class` is the binary name with dots, `file` the name of the file without its folder, as in
    /// the attribute `SourceFile`; `rows` are those of the `LineNumberTable`: bytecode index and line.
    /// Of several rows for one index the last one holds.
    pub fn new(class: &str, file: &str, rows: &[(u16, u16)]) -> Source {
        let folder = class.rfind('.').map_or(0, |dot| dot + 1);
        let file = class[..folder].replace('.', "/") + &printable(file);
        Source::of_path(&file, rows.to_vec())
    }

    /// The same with the file's path below the root of a source tree.
    pub(crate) fn of_path(path: &str, mut rows: Vec<(u16, u16)>) -> Source {
        rows.reverse();
        rows.sort_by_key(|row| row.0);
        rows.dedup_by_key(|row| row.0);
        // A row that says what the one before said already.
        rows.dedup_by_key(|row| row.1);
        Source {
            file: path.into(),
            lines: rows.into(),
        }
    }

    /// Path of the file below the root of a source tree: `java/util/HashMap.java`.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The file's name without its folder.
    pub fn file_name(&self) -> &str {
        self.file.rsplit('/').next().unwrap_or(&self.file)
    }

    /// Pairs of bytecode index and line, by ascending index; each holds up to the next one.
    pub fn lines(&self) -> &[(u16, u16)] {
        &self.lines
    }

    /// The line of the bytecode at an index; `None` if the class file doesn't report.
    pub fn line(&self, index: u32) -> Option<u32> {
        let after = self.lines.partition_point(|row| u32::from(row.0) <= index);
        let row = self.lines[..after].last()?;
        Some(row.1.into())
    }

    /// The line of the method's first bytecode.
    pub fn first_line(&self) -> Option<u32> {
        self.lines.first().map(|row| row.1.into())
    }

    /// `HashMap.java:123`, or `HashMap.java` if no line is known.
    pub fn place(&self, line: Option<u32>) -> String {
        match line {
            Some(line) => format!("{}:{line}", self.file_name()),
            None => self.file_name().to_owned(),
        }
    }

    /// Uses the text of another one's path if it is the same.
    pub(crate) fn share_file(&mut self, other: &Source) {
        if self.file == other.file {
            self.file = other.file.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_hold_up_to_the_next_row() {
        let source = Source::new("a.b.C$D", "C.java", &[(9, 20), (2, 10), (4, 10), (9, 21)]);
        assert_eq!(source.file(), "a/b/C.java");
        assert_eq!(source.file_name(), "C.java");
        assert_eq!(source.lines(), [(2, 10), (9, 21)]);
        let lines = [0, 2, 8, 9, 70_000].map(|index| source.line(index));
        assert_eq!(lines, [None, Some(10), Some(10), Some(21), Some(21)]);
        assert_eq!(source.first_line(), Some(10));
        assert_eq!(source.place(source.line(3)), "C.java:10");
        let unknown = Source::new("C", "x\ty.kt", &[]);
        assert_eq!(unknown.file(), "x\\u0009y.kt");
        assert_eq!(unknown.first_line(), None);
        assert_eq!(unknown.place(None), "x\\u0009y.kt");
    }
}
