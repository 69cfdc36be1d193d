//! Heap dumps: binary from the VM, and as text from those.

use super::error::HprofError;
use super::text::date;
use crate::file_error::FileError;
use rjvm_heapdump::{Dump, Holder, ObjectId, RootKind, Value};
use rjvm_vm::Vm;
use rjvm_vm::heap::dump::DumpContents;
use std::fmt::Write;
use std::path::Path;

/// Writes a file in binary, a new one or over an existing one.
pub fn write(vm: &mut Vm, path: &str, contents: &DumpContents) -> Result<(), HprofError> {
    let message = |e| HprofError::File(FileError::at(path)(e));
    match std::fs::remove_file(path) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => return Err(message(e)),
        _ => {}
    }
    match vm.write_hprof(path.as_bytes(), contents) {
        Ok(_) => Ok(()),
        Err(e) => Err(message(std::io::Error::from_raw_os_error(e.0))),
    }
}

/// `HEAP DUMP` as text, by way of a binary file beside the one that is written.
pub fn text(vm: &mut Vm, path: &str, now: i64, out: &mut String) -> Result<(), HprofError> {
    let binary = format!("{path}.heap");
    let contents = DumpContents {
        heap: true,
        samples: None,
        gzip: None,
    };
    let written = write(vm, &binary, &contents).and_then(|()| {
        let wrong = |e| HprofError::Dump(binary.clone(), e);
        let mut dump = Dump::open(Path::new(&binary)).map_err(wrong)?;
        listed(&mut dump, now, out).map_err(wrong)
    });
    let _ = std::fs::remove_file(&binary);
    written
}

fn listed(dump: &mut Dump, now: i64, out: &mut String) -> Result<(), rjvm_heapdump::Error> {
    let _ = writeln!(
        out,
        "HEAP DUMP BEGIN ({} objects, {} bytes) {}",
        dump.objects(),
        dump.heap_bytes(),
        date(now)
    );
    for r in dump.roots() {
        let id = dump.address(r.object);
        let _ = match r.kind {
            RootKind::Thread => {
                let thread = super::names::FIRST_THREAD + r.thread;
                writeln!(
                    out,
                    "ROOT {id:x} (kind=<thread>, id={thread}, trace={})",
                    r.frame
                )
            }
            RootKind::Frame => {
                let thread = super::names::FIRST_THREAD + r.thread;
                let frame = r.frame;
                writeln!(
                    out,
                    "ROOT {id:x} (kind=<Java stack>, thread={thread}, frame={frame})"
                )
            }
            RootKind::Class => {
                let name = dump.as_class(r.object).map_or("", |c| c.name.as_str());
                writeln!(out, "ROOT {id:x} (kind=<system class>, name={name})")
            }
            RootKind::Monitor => writeln!(out, "ROOT {id:x} (kind=<busy monitor>)"),
            _ => writeln!(out, "ROOT {id:x} (kind=<unknown>)"),
        };
    }
    let traces = rjvm_heapdump::traces(dump)?;
    for o in 0..dump.objects() {
        object(dump, o, traces[o as usize], out)?;
    }
    out.push_str("HEAP DUMP END\n");
    Ok(())
}

fn object(
    dump: &mut Dump,
    o: ObjectId,
    trace: u32,
    out: &mut String,
) -> Result<(), rjvm_heapdump::Error> {
    let (id, size) = (dump.address(o), dump.size(o));
    if let Some(class) = dump.as_class(o) {
        let _ = writeln!(out, "CLS {id:x} (name={}, trace={trace})", class.name);
        if let Some(s) = class.super_class {
            let _ = writeln!(out, "\tsuper\t\t{:x}", dump.classes()[s as usize].id);
        }
        if class.loader != 0 {
            let _ = writeln!(out, "\tloader\t\t{:x}", class.loader);
        }
        for (name, value) in dump.static_references(o) {
            let _ = writeln!(out, "\tstatic {name}\t{value:x}");
        }
        return Ok(());
    }
    let class = &dump.classes()[dump.class_of(o) as usize];
    let (name, class_id) = (class.name.clone(), class.id);
    match (name.strip_suffix("[]"), dump.length(o)?) {
        (Some(element), Some(len)) => {
            let of = match class_id {
                0 => String::new(),
                id => format!("@{id:x}"),
            };
            let _ = writeln!(
                out,
                "ARR {id:x} (sz={size}, trace={trace}, nelems={len}, elem type={element}{of})"
            );
            for (i, to) in dump.elements(o)? {
                if let Holder::Element(i) = i {
                    let _ = writeln!(out, "\t[{i}]\t\t{to:x}");
                }
            }
        }
        _ => {
            let _ = writeln!(
                out,
                "OBJ {id:x} (sz={size}, trace={trace}, class={name}@{class_id:x})"
            );
            for (_, field, value) in dump.fields(o)? {
                if let Value::Object(to @ 1..) = value {
                    let tab = if field.len() < 8 { "\t" } else { "" };
                    let _ = writeln!(out, "\t{field}\t{tab}{to:x}");
                }
            }
        }
    }
    Ok(())
}
