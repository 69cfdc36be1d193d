//! Source text for reports: the useful lines of the files with methods that cost something.

use crate::method::MethodInfo;
use crate::profile::Profile;
use crate::table::MethodTotals;
use std::collections::BTreeMap;
use std::fmt::Debug;

/// A place where source files are found.
pub trait Sources: Debug {
    /// The text of a file by its path below the root of a source tree, `java/util/HashMap.java`.
    fn text(&self, file: &str) -> Option<String>;
}

/// Bytes of source text that a report holds at most.
pub const MOST: usize = 1 << 20;

/// A method is shown if its own bytecodes are this part of all, an application's also if those below
/// it are.
const LEAST_PART: u64 = 1000;

/// Lines shown before a library method's first and after its last one.
const BEFORE: usize = 10;
const AFTER: usize = 3;

/// Text of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Excerpt {
    /// Its path.
    pub file: String,
    /// Lines that follow each other, and the number of the first of them.
    pub parts: Vec<(u32, String)>,
}

/// What a report shows of the sources.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Chosen {
    /// In the order of the paths.
    pub excerpts: Vec<Excerpt>,
    /// Files that were found, but had no room.
    pub left_out: usize,
    /// Files that were not found, or have fewer lines than their classes say.
    pub missing: usize,
}

/// What the methods of a file have in common.
#[derive(Default)]
struct FileMethods {
    weight: u64,
    app: bool,
    /// First and last lines of the methods.
    spans: Vec<(u32, u32)>,
}

/// The methods that cost enough to be looked at closely, and what they cost.
pub fn costly(profile: &Profile) -> Vec<(u32, u64)> {
    let profile = &*profile.estimated();
    let rows = profile.flat();
    costly_of(&profile.methods, &rows, profile.totals().bytecodes)
}

/// The same by the totals of methods, and of all of them.
pub(crate) fn costly_of(
    methods: &[MethodInfo],
    rows: &[MethodTotals],
    total: u64,
) -> Vec<(u32, u64)> {
    let weight = |row: &MethodTotals| {
        let app = methods[row.method as usize].app;
        let weight = if app { row.inclusive } else { row.bytecodes };
        (row.method, weight)
    };
    let enough = |&(_, weight): &(u32, u64)| {
        weight > 0 && u128::from(weight) * u128::from(LEAST_PART) >= u128::from(total)
    };
    rows.iter().map(weight).filter(enough).collect()
}

/// Chooses among the methods that cost something: application files as a whole, of others those methods.
pub(super) fn choose(
    methods: &[MethodInfo],
    costly: &[(u32, u64)],
    sources: &dyn Sources,
) -> Chosen {
    let mut files: BTreeMap<&str, FileMethods> = BTreeMap::new();
    for &(method, weight) in costly {
        let method = &methods[method as usize];
        let Some(source) = &method.source else {
            continue;
        };
        let lines = || source.lines().iter().map(|row| u32::from(row.1));
        let (Some(first), Some(last)) = (lines().min(), lines().max()) else {
            continue;
        };
        let file = files.entry(source.file()).or_default();
        file.weight = file.weight.max(weight);
        file.app |= method.app;
        file.spans.push((first, last));
    }
    let mut order: Vec<(&str, FileMethods)> = files.into_iter().collect();
    order.sort_by_key(|(_, file)| (!file.app, u64::MAX - file.weight));
    let mut chosen = Chosen::default();
    let mut room = MOST;
    for (file, wanted) in order {
        let text = sources.text(file);
        let Some(parts) = text.and_then(|text| parts(&text, &wanted)) else {
            chosen.missing += 1;
            continue;
        };
        let size = parts.iter().map(|part| part.1.len()).sum();
        match room.checked_sub(size) {
            Some(rest) => room = rest,
            None => {
                chosen.left_out += 1;
                continue;
            }
        }
        let file = file.to_owned();
        chosen.excerpts.push(Excerpt { file, parts });
    }
    chosen.excerpts.sort_by(|a, b| a.file.cmp(&b.file));
    chosen
}

/// The parts of a text that are wanted; `None` if it cannot be the classes' source.
fn parts(text: &str, wanted: &FileMethods) -> Option<Vec<(u32, String)>> {
    // Java's ends of lines: \n, \r\n, \r.
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<&str> = text.lines().collect();
    let last = wanted.spans.iter().map(|span| span.1).max()?;
    if last as usize > lines.len() {
        return None;
    }
    // Ranges of lines from 0, the end exclusive.
    let mut ranges: Vec<(usize, usize)> = match wanted.app {
        true => vec![(0, lines.len())],
        false => wanted
            .spans
            .iter()
            .map(|&(first, last)| {
                let from = (first as usize).saturating_sub(BEFORE + 1);
                (from, (last as usize + AFTER).min(lines.len()))
            })
            .collect(),
    };
    ranges.sort_unstable();
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for (from, to) in ranges {
        match joined.last_mut() {
            Some(before) if from <= before.1 => before.1 = before.1.max(to),
            _ => joined.push((from, to)),
        }
    }
    let part = |(from, to): (usize, usize)| (from as u32 + 1, lines[from..to].join("\n"));
    Some(joined.into_iter().map(part).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::paths;

    fn choose(profile: &Profile, sources: &dyn Sources) -> Chosen {
        super::choose(&profile.methods, &costly(profile), sources)
    }

    #[derive(Debug)]
    struct Numbered(u32);

    impl Sources for Numbered {
        fn text(&self, file: &str) -> Option<String> {
            let line = |n| format!("{file} {n}\r\n");
            (!file.contains("Lost")).then(|| (1..=self.0).map(line).collect())
        }
    }

    /// A profile with a method for each file, which has lines 100 to 110.
    fn profile(text: &str) -> Profile {
        let mut profile = paths::read(&mut text.as_bytes()).unwrap();
        for method in &mut profile.methods {
            let file = format!("{}.java", method.class.rsplit('.').next().unwrap());
            *method = method.clone().with_source(&file, &[(0, 100), (5, 110)]);
        }
        profile
    }

    #[test]
    fn application_files_are_whole_and_others_in_parts() {
        let profile = profile(
            "app.A.m()V\t1\t0\napp.A.m()V;java.B.m()V\t1\t5000\napp.A.m()V;java.C.m()V\t1\t4\n\
             app.A.m()V;java.Lost.m()V\t1\t99\n",
        );
        let chosen = choose(&profile, &Numbered(300));
        let files: Vec<&str> = chosen.excerpts.iter().map(|e| e.file.as_str()).collect();
        assert_eq!(files, ["app/A.java", "java/B.java"]);
        assert_eq!((chosen.left_out, chosen.missing), (0, 1));
        let part = |i: usize| {
            let [(first, text)] = &chosen.excerpts[i].parts[..] else {
                panic!("expected one part");
            };
            (*first, text.lines().count())
        };
        assert_eq!(part(0), (1, 300));
        assert_eq!(part(1), (90, 24));
        assert!(
            chosen.excerpts[1].parts[0]
                .1
                .starts_with("java/B.java 90\njava/B.java 91\n")
        );
        // Text with fewer lines is of something else.
        assert_eq!(choose(&profile, &Numbered(109)).missing, 3);
    }

    #[test]
    fn the_size_is_bounded() {
        let lines: String = (0..40)
            .map(|i| format!("app.A{i}.m()V\t1\t{}\n", 1000 - i))
            .collect();
        let chosen = choose(&profile(&lines), &Numbered(4000));
        let size = |e: &Excerpt| e.parts.iter().map(|p| p.1.len()).sum::<usize>();
        let sum: usize = chosen.excerpts.iter().map(size).sum();
        assert!(sum <= MOST && sum > MOST - 100_000, "{sum}");
        assert_eq!(chosen.excerpts.len() + chosen.left_out, 40);
        // What costs most is there.
        assert!(chosen.excerpts.iter().any(|e| e.file == "app/A0.java"));
        assert!(!chosen.excerpts.iter().any(|e| e.file == "app/A39.java"));
    }
}
