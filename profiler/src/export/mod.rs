//! Exporters, one file each. The file's extension chooses; [`FORMATS`] is the one list of them.

pub mod callgrind;
pub mod flat;
pub mod folded;
pub(crate) mod graph;
mod gzip;
pub mod html;
pub mod jfr;
pub mod json;
mod lines;
mod output;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod paths;
pub mod pprof;
mod sources;
pub mod speedscope;
mod text;
pub mod tree;
mod whole;
pub mod xml;

pub use graph::CallGraph;
pub use lines::{LineCosts, by_line, unattributed};
pub use output::Output;
pub use sources::{Sources, costly};
pub use text::{Json as JsonString, Xml as XmlText};
pub use whole::write_whole;

use crate::method::{MethodInfo, readable_names};
use crate::profile::{About, Profile, Totals};
use crate::prune::{Limits, Pruned};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A format profiles can be written in.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// The extension of the format's files, without dot.
    pub extension: &'static str,
    /// A description, for a list of formats.
    pub about: &'static str,
    /// What its readers bear: as much is kept of a profile unless something else is requested. `None`: it has
    /// no contexts that could be left out.
    pub limits: Option<Limits>,
    /// Writes all of a profile, in as many small pieces as is convenient: the writer should be buffered.
    pub write: fn(&Profile, &Settings<'_>, &mut dyn Write) -> io::Result<()>,
    /// The same by the call graph alone, if that is all that is reported.
    pub graph: Option<fn(&CallGraph<'_>, &Settings<'_>, &mut dyn Write) -> io::Result<()>>,
}

impl Format {
    /// Does the format say more if it is given the methods' code?
    pub fn uses_code(&self) -> bool {
        ["xml", "dcg.xml"].contains(&self.extension)
    }

    /// Whether the format has a place for facts about the methods' classes.
    pub fn uses_classes(&self) -> bool {
        self.extension == "jfr"
    }

    /// Writes a profile, as much of it as the settings ask for or else the format's readers bear.
    pub fn write_pruned(
        &self,
        profile: &Profile,
        settings: &Settings<'_>,
        out: &mut dyn Write,
    ) -> io::Result<Option<Pruned>> {
        let limits = self.limits(settings);
        let Some((pruned, what)) = limits.and_then(|limits| profile.pruned(&limits)) else {
            (self.write)(profile, settings, out)?;
            return Ok(None);
        };
        // Methods that no context is of any more are gone, the others are in the same order, those that represent others between them.
        let left = (0u32..).zip(&pruned.methods);
        let mut left = left.filter(|&(_, method)| !method.is_pruned()).peekable();
        let new = |method| Some(left.next_if(|&(_, next)| next == method)?.0);
        let new: Vec<Option<u32>> = profile.methods.iter().map(new).collect();
        // Nothing is known of no method's code, or something of each.
        let mut code = match settings.code {
            [] => Vec::new(),
            _ => vec![Some(xml::Code::default()); pruned.methods.len()],
        };
        for (new, known) in new.iter().zip(settings.code) {
            if let Some(new) = *new {
                code[new as usize].clone_from(known);
            }
        }
        let listings = settings.listings.iter().filter_map(|listing| {
            Some(Listing {
                method: new[listing.method as usize]?,
                instructions: listing.instructions.clone(),
            })
        });
        let listings: Vec<Listing> = listings.collect();
        let settings = Settings {
            code: &code,
            listings: &listings,
            ..*settings
        };
        (self.write)(&pruned, &settings, out)?;
        Ok(Some(what))
    }

    /// How much is kept of a profile: what the settings ask for, or else the format's readers bear. `None`: it has no
    /// contexts.
    pub fn limits(&self, settings: &Settings<'_>) -> Option<Limits> {
        self.limits.map(|own| settings.limits(own))
    }

    /// Does it show source text?
    pub fn shows_sources(&self) -> bool {
        self.extension == "html"
    }
}

/// No limits: the file is small in any case, or its readers open large ones well.
const ALL: Limits = Limits::NONE;

/// A line or two for each context: some ten megabytes.
const TREE: Limits = Limits {
    contexts: Some(100_000),
    ..ALL
};

/// Text with a stack for each context: about thirty megabytes.
const STACKS: Limits = Limits {
    frames: Some(250_000),
    ..ALL
};

/// The same for flame graphs, which show a recursive program better without its recursion.
const FLAMES: Limits = Limits {
    fold_recursion: true,
    ..STACKS
};

/// `go tool pprof` reads it within five seconds, on a busy machine too.
const PPROF: Limits = Limits {
    frames: Some(4_000_000),
    fold_recursion: true,
    ..ALL
};

/// The JDK's tools read some twenty megabytes of stacks, in a few chunks.
const JFR: Limits = Limits {
    frames: Some(4_000_000),
    fold_recursion: true,
    ..ALL
};

/// speedscope shows it within five seconds.
const SPEEDSCOPE: Limits = Limits {
    contexts: Some(150_000),
    fold_recursion: true,
    ..ALL
};

/// How many formats there are.
const NUMBER: usize = 14 + cfg!(feature = "parquet") as usize;

/// All formats, in the order in which messages list them.
pub static FORMATS: [Format; NUMBER] = [
    Format {
        extension: "txt",
        about: "calling-context tree as indented text",
        limits: Some(TREE),
        write: tree::write,
        graph: None,
    },
    Format {
        extension: "flat",
        about: "table of methods",
        limits: None,
        write: flat::write,
        graph: None,
    },
    Format {
        extension: "folded",
        about: "collapsed stacks for flame graphs, weighted by bytecodes",
        limits: Some(FLAMES),
        write: folded::write,
        graph: None,
    },
    Format {
        extension: "paths",
        about: "a line for each calling context: path, calls, self bytecodes",
        limits: Some(STACKS),
        write: paths::write,
        graph: None,
    },
    Format {
        extension: "rjp",
        about: "everything, compact; `rjvm profile` reads it",
        limits: Some(ALL),
        write: |profile, _, out| crate::rjp::write(profile, out),
        graph: None,
    },
    Format {
        extension: "html",
        about: "a report for the browser: flame graph, methods, callers, callees",
        limits: Some(ALL),
        write: html::write,
        graph: None,
    },
    Format {
        extension: "json",
        about: "everything, for scripts",
        limits: Some(ALL),
        write: |profile, _, out| json::write(profile, out),
        graph: None,
    },
    Format {
        extension: "xml",
        about: "calling-context tree in the XML of JP2",
        limits: Some(TREE),
        write: xml::write,
        graph: None,
    },
    Format {
        extension: "dcg.xml",
        about: "dynamic call graph in the XML of JP2",
        limits: Some(ALL),
        write: |profile, settings, out| xml::write_graph(&CallGraph::of(profile), settings, out),
        graph: Some(xml::write_graph),
    },
    Format {
        extension: "pb.gz",
        about: "for pprof, Pyroscope, Parca",
        limits: Some(PPROF),
        write: |profile, _, out| pprof::write(profile, out),
        graph: None,
    },
    Format {
        extension: "pprof",
        about: "the same as .pb.gz",
        limits: Some(PPROF),
        write: |profile, _, out| pprof::write(profile, out),
        graph: None,
    },
    Format {
        extension: "speedscope.json",
        about: "for speedscope.app",
        limits: Some(SPEEDSCOPE),
        write: |profile, _, out| speedscope::write(profile, out),
        graph: None,
    },
    Format {
        extension: "jfr",
        about: "for the JDK's jfr, JDK Mission Control",
        limits: Some(JFR),
        write: |profile, settings, out| {
            let before = match settings.events {
                Some(events) => events.write(out)?,
                None => rjvm_jfr::Numbers::default(),
            };
            jfr::write(profile, before, settings.known, out)
        },
        graph: None,
    },
    Format {
        extension: "callgrind",
        about: "for KCachegrind and callgrind_annotate; also callgrind.out.*",
        limits: Some(ALL),
        write: |profile, _, out| callgrind::write(&CallGraph::of(profile), out),
        graph: Some(|graph, _, out| callgrind::write(graph, out)),
    },
    #[cfg(feature = "parquet")]
    Format {
        extension: "parquet",
        about: "for DuckDB, Spark and other engines that query many profiles at once",
        limits: Some(ALL),
        write: |profile, _, out| parquet::write(profile, out),
        graph: None,
    },
];

/// Why a profile was not written.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The extension belongs to no format, or there is none.
    #[error("{}: {}; a profile can be written as {}", .path.display(), problem(.path), extensions())]
    UnknownFormat {
        /// The path requested.
        path: PathBuf,
    },
    /// Writing failed.
    #[error("{}: cannot write the profile: {error}", .path.display())]
    Io {
        /// The path requested.
        path: PathBuf,
        /// Why.
        #[source]
        error: io::Error,
    },
}

fn problem(path: &Path) -> String {
    match path.extension() {
        Some(extension) => format!("unknown profile format '.{}'", extension.display()),
        None => "the name has no extension, which chooses the profile format".to_owned(),
    }
}

/// `.txt, .flat, ... or .paths`
fn extensions() -> String {
    let all: Vec<String> = FORMATS
        .iter()
        .map(|f| format!(".{}", f.extension))
        .collect();
    let (last, rest) = all.split_last().expect("there are formats");
    format!("{} or {last}", rest.join(", "))
}

/// The format with that extension.
pub fn by_extension(extension: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.extension == extension)
}

/// The format for a file, by its extension, the longest one that fits. Files called
/// `callgrind.out` or `callgrind.out.ANYTHING`, as valgrind names them, need none.
pub fn by_path(path: &Path) -> Result<&'static Format, ExportError> {
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or("");
    let fits = |format: &&Format| {
        name.strip_suffix(format.extension)
            .is_some_and(|stem| stem.len() > 1 && stem.ends_with('.'))
    };
    let valgrind = || {
        let rest = name.strip_prefix("callgrind.out")?;
        (rest.is_empty() || rest.starts_with('.')).then(|| by_extension("callgrind"))?
    };
    FORMATS
        .iter()
        .filter(fits)
        .max_by_key(|format| format.extension.len())
        .or_else(valgrind)
        .ok_or_else(|| ExportError::UnknownFormat {
            path: path.to_owned(),
        })
}

/// How a profile is written to a file, beside its format.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings<'a> {
    /// The code of the methods, where it is known, in the order of the profile's methods.
    pub code: &'a [Option<xml::Code>],
    /// Contexts with less than so many hundredths of a percent of the bytecodes, callees included, are folded into
    /// `[pruned]`; the table of methods leaves out those with less.
    pub least: u64,
    /// The greatest number of contexts, instead of what the format's readers bear; in the table of methods, of
    /// these.
    pub most: Option<u64>,
    /// Are contexts kept that the format's readers would not bear?
    pub all: bool,
    /// Texts and XML report files and lines; other formats do so anyway.
    pub lines: bool,
    /// Where reports find the text of source files.
    pub sources: Option<&'a dyn Sources>,
    /// What goes before the profile in JFR files.
    pub events: Option<&'a dyn jfr::Chunks>,
    /// What JFR files record about methods and their classes.
    pub known: Option<&'a dyn jfr::KnownMethods>,
    /// What reports show of the code of some methods, if the executions of bytecodes were counted.
    pub listings: &'a [Listing],
}

/// Instructions of a method as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    /// The method's index in the profile.
    pub method: u32,
    /// Bytecode indices and instructions, in the order of the code.
    pub instructions: Vec<(u16, String)>,
}

impl<'a> Settings<'a> {
    /// How much is kept in a format with its own limits.
    fn limits(&self, own: Limits) -> Limits {
        let own = match self.all || self.most.is_some() {
            true => Limits::NONE,
            false => own,
        };
        Limits {
            least: self.least,
            contexts: self.most.or(own.contexts),
            fold_recursion: own.fold_recursion && self.least == 0,
            ..own
        }
    }

    /// The note about a file that was pruned.
    pub fn reported(&self, pruned: &Pruned) -> String {
        match self.least > 0 || self.most.is_some() {
            true => pruned.to_string(),
            false => format!("{pruned}: --no-prune writes all"),
        }
    }

    /// The code of the profile's method with that index, if it is known.
    pub fn code_of(&self, method: u32) -> Option<&'a xml::Code> {
        self.code.get(method as usize)?.as_ref()
    }
}

/// Writes a profile to a file, in the format its extension asks for, as much as the format's readers bear.
pub fn write_file(profile: &Profile, path: &Path) -> Result<Option<Pruned>, ExportError> {
    Output::of(path)?.write(profile, &Settings::default())
}

/// Readable names of all methods, with file and line behind a separator if they are wanted.
pub fn names(methods: &[MethodInfo], settings: &Settings<'_>, separator: &str) -> Vec<String> {
    let mut names = readable_names(methods);
    if settings.lines {
        for (name, method) in names.iter_mut().zip(methods) {
            if let Some(place) = method.place() {
                name.push_str(&format!("{separator}({place})"));
            }
        }
    }
    names
}

/// `(HashMap.java:123)`, the place of a call in its caller, if it is known and wanted; else nothing.
fn call_place(settings: &Settings<'_>, caller: Option<&MethodInfo>, site: u32) -> String {
    let place = || {
        let source = caller?.source.as_ref()?;
        Some(format!("({})", source.place(Some(source.line(site)?))))
    };
    match settings.lines {
        true => place().unwrap_or_default(),
        false => String::new(),
    }
}

/// `n` of `total` in hundredths of a percent, rounded half up.
fn share(n: u64, total: u64) -> u64 {
    match u128::from(total) {
        0 => 0,
        total => ((u128::from(n) * 10_000 + total / 2) / total) as u64,
    }
}

/// `n` of `total` as `12.34`.
pub(crate) fn percent(n: u64, total: u64) -> String {
    let share = share(n, total);
    format!("{}.{:02}", share / 100, share % 100)
}

/// What the counters of contexts and methods are called in headings.
pub(crate) fn count_name(kind: crate::Kind) -> &'static str {
    match kind {
        crate::Kind::Exact => "calls",
        crate::Kind::Samples => "samples",
    }
}

/// Widths of the columns for allocated objects and bytes, if they were recorded.
fn allocation_widths(recorded: bool, totals: &Totals) -> Option<(usize, usize)> {
    recorded.then(|| {
        let sum = totals.allocated;
        let width = |n: u64, title: &str| n.to_string().len().max(title.len());
        (width(sum.objects, "objects"), width(sum.bytes, "bytes"))
    })
}

/// A note on pruned contexts, for formats with a place for comments.
fn pruned(profile: &Profile) -> impl Iterator<Item = &str> {
    crate::prune::about(&profile.about)
}

/// The first lines of texts for people.
fn heading(what: &str, kind: crate::Kind, totals: &Totals, about: &About) -> String {
    let count = count_name(kind);
    let note = match kind {
        crate::Kind::Exact => "",
        crate::Kind::Samples => {
            "\nBytecodes of contexts and methods are estimates: all bytecodes times the share of samples."
        }
    };
    let unit = match (crate::weighed::unit(about), totals.bytecodes) {
        ("bytecodes", 1) => "bytecode",
        (unit, _) => unit,
    };
    let kind = match kind {
        crate::Kind::Exact => "exact",
        crate::Kind::Samples => "sampled",
    };
    let plural = |n: u64| if n == 1 { "" } else { "s" };
    let pruned = crate::prune::about(about);
    let pruned: String = pruned.map(|text| format!("\n{text}")).collect();
    format!(
        "{what} ({kind}): {} {unit}, {} {}, {} calling context{}, {} thread{}{note}{pruned}",
        totals.bytecodes,
        totals.invocations,
        if totals.invocations == 1 {
            &count[..count.len() - 1]
        } else {
            count
        },
        totals.nodes,
        plural(totals.nodes),
        totals.threads,
        plural(totals.threads),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_chooses_the_format() {
        for format in &FORMATS {
            let path = PathBuf::from(format!("a.b/c.{}", format.extension));
            assert_eq!(by_path(&path).unwrap().extension, format.extension);
        }
        for (path, extension) in [
            ("x.speedscope.json", "speedscope.json"),
            ("x.pb.json", "json"),
            ("x.dcg.xml", "dcg.xml"),
            ("callgrind.out", "callgrind"),
            ("a/callgrind.out.123", "callgrind"),
            ("callgrind.out.folded", "folded"),
        ] {
            assert_eq!(by_path(Path::new(path)).unwrap().extension, extension);
        }
        for path in [".json", "json", "x.gz", "xjson", "callgrind.output"] {
            assert!(by_path(Path::new(path)).is_err(), "{path}");
        }
        let message = |path| by_path(Path::new(path)).unwrap_err().to_string();
        assert!(message("x/y.svg").starts_with(
            "x/y.svg: unknown profile format '.svg'; a profile can be written as .txt, .flat, "
        ));
        assert_eq!(message("x/y.svg").matches(", .").count(), FORMATS.len() - 2);
        assert!(message("profile").contains("no extension"));
    }

    #[test]
    fn a_file_that_cannot_be_written_is_named() {
        let error = write_file(&Profile::default(), Path::new("/no/such/dir/x.txt")).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("/no/such/dir/x.txt: cannot write the profile: ")
        );
    }

    #[test]
    fn percentages_are_rounded_without_floats() {
        assert_eq!(percent(1, 3), "33.33");
        assert_eq!(percent(2, 3), "66.67");
        assert_eq!(percent(5, 5), "100.00");
        assert_eq!(percent(0, 0), "0.00");
        assert_eq!(percent(u64::MAX, u64::MAX), "100.00");
    }
}
