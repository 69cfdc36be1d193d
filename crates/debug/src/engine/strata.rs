//! Lines of other languages that were compiled by way of Java, as a `SourceDebugExtension` (JSR 45) maps them. Steps by line go by
//! them, as HotSpot's agent does: by the stratum that the debugger has named, or else by the one that the class names.

use rjvm_classfile::CodeAttribute;
use std::collections::BTreeMap;

/// The stratum that is Java's own: its lines are those of the class file.
const JAVA: &str = "Java";

/// A row of a stratum's lines: `file` and lines of the other language for lines of the Java source.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Row {
    file: u32,
    first: u32,
    java: u32,
    /// The first Java line behind them.
    end: u32,
    /// Java lines for each line.
    increment: u32,
}

/// The strata of a class.
#[derive(Default)]
pub(super) struct Strata<'a> {
    default: &'a str,
    rows: BTreeMap<&'a str, Vec<Row>>,
}

impl<'a> Strata<'a> {
    /// Reads a map; `None` if it is none.
    fn read(map: &'a str) -> Option<Strata<'a>> {
        let mut lines = map.lines();
        if lines.next()?.trim() != "SMAP" {
            return None;
        }
        let default = lines.nth(1)?.trim();
        let mut strata = Strata {
            default,
            rows: BTreeMap::new(),
        };
        let (mut stratum, mut file, mut in_lines) = (JAVA, 0, false);
        for line in lines {
            if let Some(section) = line.strip_prefix('*') {
                in_lines = section.starts_with('L');
                if let Some(name) = section.strip_prefix('S') {
                    stratum = name.trim();
                    strata.rows.entry(stratum).or_default();
                    file = 0;
                }
                if section.starts_with('E') {
                    break;
                }
            } else if in_lines {
                let row = row(line.trim(), &mut file)?;
                strata.rows.entry(stratum).or_default().push(row);
            }
        }
        Some(strata)
    }
    /// The rows that steps go by; none for Java's own lines.
    fn wanted(&self, named: Option<&str>) -> Option<&[Row]> {
        // every class has it, whether or not the map names it
        if named == Some(JAVA) {
            return None;
        }
        let of = |name: &str| self.rows.get_key_value(name);
        let found = named.and_then(of).or_else(|| of(self.default));
        let (name, rows) = found?;
        (*name != JAVA).then_some(rows)
    }
}

/// `first[#file][,count]:java[,increment]`; without a file, it is the last one named.
fn row(line: &str, file: &mut u32) -> Option<Row> {
    let (of, java) = line.split_once(':')?;
    let (of, count) = of.split_once(',').unwrap_or((of, "1"));
    let (first, number) = of.split_once('#').unwrap_or((of, ""));
    if !number.is_empty() {
        *file = number.parse().ok()?;
    }
    let (java, increment) = java.split_once(',').unwrap_or((java, "1"));
    let (count, increment): (u32, u32) = (count.parse().ok()?, increment.parse().ok()?);
    let java: u32 = java.parse().ok()?;
    if increment == 0 {
        return None;
    }
    Some(Row {
        file: *file,
        first: first.parse().ok()?,
        java,
        end: java.saturating_add(count.saturating_mul(increment)),
        increment,
    })
}

/// Where lines begin in a method, in the order of its table, if a `SourceDebugExtension` maps them: index and line, with the
/// file in the high half. Java lines that it does not map belong to the line before them.
pub(super) fn mapped_lines(
    map: &str,
    named: Option<&str>,
    code: &CodeAttribute,
) -> Option<Vec<(u16, u32)>> {
    let strata = Strata::read(map)?;
    let rows = strata.wanted(named)?;
    let mapped = code.line_numbers.iter().filter_map(|&(start, java)| {
        let java = u32::from(java);
        let row = rows.iter().find(|r| (r.java..r.end).contains(&java))?;
        let line = row.first.saturating_add((java - row.java) / row.increment);
        Some((start, line.wrapping_add(row.file << 16)))
    });
    let mut lines: Vec<(u16, u32)> = mapped.collect();
    lines.dedup_by_key(|l| l.1);
    Some(lines)
}

/// The line at an index, by such a table. Bytecodes before the first line belong to it.
pub(super) fn line_in(lines: &[(u16, u32)], bci: u16) -> Option<u32> {
    let behind = lines.iter().skip(1).take_while(|l| l.0 <= bci).count();
    lines.get(behind).map(|l| l.1)
}

#[cfg(test)]
mod tests {
    use super::{Row, Strata, line_in, row};

    const MAP: &str = "SMAP\nHi.java\nJSP\n*S JSP\n*F\n+ 0 a.jsp\np/a.jsp\n1 b.jsp\n*L\n1#0,3:5,2\n7#1:20\n9:30\n*S Other\n*L\n1#1:1\n*E\n";

    #[test]
    fn rows_are_read_with_the_file_named_last() {
        let strata = Strata::read(MAP).expect("a map");
        let rows = strata.wanted(None).expect("of JSP");
        let all: Vec<_> = rows
            .iter()
            .map(|r| (r.file, r.first, r.java, r.end))
            .collect();
        assert_eq!(all, [(0, 1, 5, 11), (1, 7, 20, 21), (1, 9, 30, 31)]);
        assert_eq!(rows[0].increment, 2);
    }

    #[test]
    fn the_stratum_is_the_named_one_or_the_default() {
        let strata = Strata::read(MAP).expect("a map");
        assert_eq!(strata.wanted(Some("Other")).map(<[Row]>::len), Some(1));
        assert_eq!(strata.wanted(Some("Absent")).map(<[Row]>::len), Some(3));
        assert!(strata.wanted(Some("Java")).is_none());
        let java = Strata::read("SMAP\nHi.java\nJava\n*S Java\n*L\n1:1\n*E\n").expect("a map");
        assert!(java.wanted(None).is_none());
    }

    #[test]
    fn what_is_no_map_has_no_lines() {
        assert!(Strata::read("").is_none());
        assert!(Strata::read("SMAP\nonly").is_none());
        assert!(Strata::read("SMAP\nA\nB\n*S B\n*L\nx:1\n").is_none());
        assert_eq!(row("1,2:3,x", &mut 0), None);
    }

    #[test]
    fn lines_begin_at_their_first_bytecode() {
        let lines = [(4, 10), (8, 11)];
        let of = |bci| line_in(&lines, bci);
        assert_eq!(
            [of(0), of(4), of(7), of(8), of(99)].map(Option::unwrap),
            [10, 10, 10, 11, 11]
        );
        assert_eq!(line_in(&[], 3), None);
    }
}
