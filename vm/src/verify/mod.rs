//! Verification of class files (JVMS 4.9, 4.10), and the shapes of frames the translator needs.
//!
//! Class files of version 50 and later are verified by [type checking](typecheck), older ones by
//! [inference]; version 50 gets a second chance with the latter, as its compilers
//! didn't always get the `StackMapTable` right.

mod error;
mod flow;
mod frame;
pub mod infer;
pub mod inference;
mod members;
mod steps;
mod sub;
pub mod typecheck;
pub mod types;
pub mod world;

pub use error::Failure;
pub use infer::{FrameTypes, Kind, label_frames};

use crate::ids::{ClassId, LoaderId};
use crate::throw::{R, Throw};
use crate::vm::{Extensions, Vm};
use hashbrown::HashMap;
use inference::Stop;
use rjvm_classfile::ClassFile;
use typecheck::Context;
use types::Questions;
use world::{VmWorld, World, answer};

/// How far the verification of a class has come: loading a class may run Java code, after which
/// verification starts again.
#[derive(Default)]
pub struct Progress {
    /// The method to go on with.
    method: usize,
    /// Its type check, with the questions assumed answered with yes.
    checked: Option<Result<(), Failure>>,
    questions: Questions,
    /// How many of them are answered.
    answered: usize,
    /// What the type checker had to say, when inference has its turn.
    failed: Option<Failure>,
}

/// Where [`Progress`] of classes is kept in the VM.
const JOBS: &str = "verify";

/// Verifies a class that is about to be linked: throws VerifyError or ClassFormatError. May end in
/// an upcall (a class has to be loaded) with `Resume::Again`.
pub fn verify_class(vm: &mut Vm, c: ClassId) -> R<()> {
    let Some(cf) = vm.class(c).cf.clone() else {
        return Ok(());
    };
    if !is_eligible(vm, c) {
        return Ok(());
    }
    let name = vm.name(c);
    let cf = vm.linker.take_unverified(c, &cf);
    let mut job = jobs(vm).remove(&c).unwrap_or_default();
    match verify(&mut VmWorld::new(vm, c), &cf, &name, &mut job) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(f)) => Err(Throw::msg(f.class, f.message)),
        Err(e) => {
            jobs(vm).insert(c, job);
            vm.linker.keep_unverified(c, cf);
            Err(e)
        }
    }
}

/// Forgets classes that are being unloaded.
pub(crate) fn forget(ext: &mut Extensions, lives: impl Fn(ClassId) -> bool) {
    if let Some(jobs) = ext.get_mut(JOBS)
        && let Some(jobs) = jobs.downcast_mut::<HashMap<ClassId, Progress>>()
    {
        jobs.retain(|&c, _| lives(c));
    }
}

/// Verifies a class file that is to give class `c` new code. May end in an upcall as [`verify_class`]; it
/// begins anew then.
pub(crate) fn verify_file(vm: &mut Vm, c: ClassId, cf: &ClassFile) -> R<()> {
    let name = vm.name(c);
    match verify(
        &mut VmWorld::new(vm, c),
        cf,
        &name,
        &mut Progress::default(),
    )? {
        Ok(()) => Ok(()),
        Err(f) => Err(Throw::msg(f.class, f.message)),
    }
}

fn jobs(vm: &mut Vm) -> &mut HashMap<ClassId, Progress> {
    let any = vm
        .ext
        .entry(JOBS)
        .or_insert_with(|| Box::new(HashMap::<ClassId, Progress>::new()));
    if !any.is::<HashMap<ClassId, Progress>>() {
        *any = Box::new(HashMap::<ClassId, Progress>::new());
    }
    any.downcast_mut().expect("just made sure of")
}

/// Whether a class is verified: not the JDK's own of the boot loader unless asked for, and not the accessors that
/// reflection generates, which break the rules of access on purpose.
fn is_eligible(vm: &Vm, c: ClassId) -> bool {
    let k = vm.class(c);
    let trusted = k.loader == LoaderId::BOOT && !k.given;
    let wanted = match trusted {
        true => vm.options.verify_boot,
        false => vm.options.verify_app,
    };
    let mut s = vm.class(c).super_class;
    while wanted && let Some(k) = s {
        let k = vm.class(k);
        if k.loader == LoaderId::BOOT && &*k.name == "jdk/internal/reflect/MagicAccessorImpl" {
            return false;
        }
        s = k.super_class;
    }
    wanted
}

/// Verifies a class file; `name` is the run-time name of its class.
pub fn verify<W: World>(
    w: &mut W,
    cf: &ClassFile,
    name: &str,
    job: &mut Progress,
) -> R<Result<(), Failure>> {
    if cf.major >= 50 && job.failed.is_none() {
        match type_check(w, cf, name, job)? {
            Err(f) if f.failover && cf.major == 50 => {
                job.method = 0;
                job.failed = Some(f);
            }
            done => return Ok(done),
        }
    }
    while let Some(method) = cf.methods.get(job.method) {
        match inference::verify_method(w, cf, name, method) {
            Ok(()) => job.method += 1,
            Err(Stop::Throw(t)) => return Err(t),
            // after a second opinion that is no better, the first one's words stand
            Err(Stop::Failure(f)) => {
                let message = job.failed.take().map_or(f.message, |first| first.message);
                return Ok(Err(Failure { message, ..f }));
            }
        }
    }
    Ok(Ok(()))
}

fn type_check<W: World>(
    w: &mut W,
    cf: &ClassFile,
    name: &str,
    job: &mut Progress,
) -> R<Result<(), Failure>> {
    while let Some(method) = cf.methods.get(job.method) {
        let check = |w: &W, q: &mut Questions| {
            let cx = Context {
                cf,
                this: name,
                supers: w.supers(),
                interfaces: w.interfaces(),
                is_protected: &|c, n, d, m| w.is_protected(c, n, d, m),
            };
            typecheck::check_method(&cx, method, q)
        };
        if job.checked.is_none() {
            job.checked = Some(check(w, &mut job.questions));
        }
        while let Some(q) = job.questions.list.get(job.answered) {
            if !answer(w, q)? {
                job.questions.fails = Some(job.answered);
                return Ok(check(w, &mut job.questions));
            }
            job.answered += 1;
        }
        if let Some(Err(f)) = job.checked.take() {
            return Ok(Err(f));
        }
        job.method += 1;
    }
    Ok(Ok(()))
}

#[cfg(test)]
mod tests;
