//! `sites -o x.parquet`: the sites of a dump as rows of the table that profiles are written as.

use super::super::ToolProblem;
use clap::ArgMatches;
use rjvm_heapdump::{Dump, Site};
use std::path::Path;

/// Writes sites to a file.
#[cfg(feature = "parquet")]
pub fn write(
    dump: &Dump,
    sites: &[Site],
    matches: &ArgMatches,
    file: &Path,
) -> Result<(), ToolProblem> {
    use rjvm_profiler::export::parquet::{HeapSite, write_heap};
    use rjvm_profiler::{Allocation, MethodInfo};
    is_parquet(file)?;
    let row = |site: &Site| {
        let frames = dump.stack(site.trace);
        let lines: Vec<String> = frames.iter().map(ToString::to_string).collect();
        let method = frames.first().map(|frame| {
            let (class, descriptor) = (&frame.class, &frame.descriptor);
            let native = frame.line == -3;
            let method = MethodInfo::new(class, &frame.method, descriptor, native, false);
            let method = match frame.source.is_empty() {
                true => method,
                false => method.with_source(&frame.source, &[]),
            };
            (
                method,
                u32::try_from(frame.line).ok().filter(|&line| line > 0),
            )
        });
        HeapSite {
            class: dump.classes()[site.class as usize].name.clone(),
            method,
            stack: lines.join("\n"),
            live: Allocation {
                objects: site.objects,
                bytes: site.bytes,
            },
            allocated: site
                .allocated
                .map(|(objects, bytes)| Allocation { objects, bytes }),
        }
    };
    let rows: Vec<HeapSite> = sites.iter().map(row).collect();
    let mut out = Vec::new();
    write_heap(super::super::combine::labels(matches)?, &rows, &mut out)?;
    std::fs::write(file, out).map_err(|e| ToolProblem::Message(format!("{}: {e}", file.display())))
}

/// Says that there is no such format.
#[cfg(not(feature = "parquet"))]
pub fn write(_: &Dump, _: &[Site], _: &ArgMatches, file: &Path) -> Result<(), ToolProblem> {
    is_parquet(file)?;
    Err(ToolProblem::Message(format!(
        "{}: this rjvm was built without the feature parquet",
        file.display()
    )))
}

fn is_parquet(file: &Path) -> Result<(), ToolProblem> {
    match file.extension().is_some_and(|e| e == "parquet") {
        true => Ok(()),
        false => Err(ToolProblem::Message(format!(
            "{}: rjvm can write sites only as .parquet",
            file.display()
        ))),
    }
}
