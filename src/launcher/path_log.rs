//! `--path-log`: writes down where a run is at certain bytecodes, so that two runs can be compared (`divergence`).

use super::config::Config;
use super::flags::Problem;
use crate::divergence::{Record, Spec};
use rjvm_vm::Vm;
use rjvm_vm::interp::{At, Place};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// `--path-log=every:from:until:main|start:file`
pub fn set(c: &mut Config, text: &str) -> Result<(), Problem> {
    let wrong = || {
        let said = format!("--path-log={text}: every:from:until:main|start:file is expected");
        Problem::Own(said)
    };
    let parts: Vec<&str> = text.splitn(5, ':').collect();
    let [every, from, until, begin, file] = parts[..] else {
        return Err(wrong());
    };
    let number = |n: &str| n.parse::<u64>().map_err(|_| wrong());
    let spec = Spec {
        every: number(every)?.max(1),
        from: number(from)?,
        until: number(until)?,
        whole: begin == "start",
    };
    c.vm.traces_path = true;
    if !spec.whole {
        c.vm.places.push(Place {
            name: String::new(),
            at: At::Main,
            arrival: 1,
        });
    }
    c.path_log = Some((spec, file.into()));
    Ok(())
}

/// A log that is being written.
#[derive(Clone)]
pub struct Log(Arc<Mutex<Inner>>);

struct Inner {
    out: BufWriter<File>,
    /// Bytecodes before those that are counted; none: it has not begun.
    base: Option<i64>,
}

/// Begins the log, if there is to be one.
///
/// # Errors
/// It can't be written.
pub fn start(vm: &mut Vm, config: &Config) -> io::Result<Option<Log>> {
    let Some((spec, file)) = config.path_log.clone() else {
        return Ok(None);
    };
    let log = Log(Arc::new(Mutex::new(Inner {
        out: BufWriter::new(File::create(file)?),
        base: spec.whole.then_some(0),
    })));
    let first = if spec.from > 0 { spec.from } else { spec.every };
    let first = i64::try_from(first.min(spec.until)).ok();
    if spec.whole {
        vm.set_fuel(first);
    }
    let kept = log.clone();
    vm.on_stop(Box::new(move |vm, reached| {
        if !reached.places.is_empty() {
            kept.with(|log| log.base = Some(vm.bytecodes()));
            vm.restart_path();
            vm.set_fuel(first);
            return true;
        }
        let now = kept.write(vm, false);
        let left = spec.until.saturating_sub(now).min(spec.every);
        vm.set_fuel(i64::try_from(left).ok());
        left > 0
    }));
    Ok(Some(log))
}

impl Log {
    fn with<T>(&self, f: impl FnOnce(&mut Inner) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
    /// Writes where the VM is; the bytecodes up to there.
    fn write(&self, vm: &mut Vm, ended: bool) -> u64 {
        let place = if ended { 0 } else { vm.place_hash() };
        self.with(|log| {
            let Some(base) = log.base else {
                return 0;
            };
            let record = Record {
                bytecodes: (vm.bytecodes() - base) as u64,
                path: vm.path(),
                place,
                ended,
            };
            // who compares finds the log too short
            let _ = log.out.write_all(&record.bytes());
            let _ = log.out.flush();
            record.bytecodes
        })
    }
    /// The run is over: by itself, unless it has been stopped.
    pub fn finish(&self, vm: &mut Vm) {
        if vm.stopped_thread().is_none() {
            self.write(vm, true);
        }
    }
}
