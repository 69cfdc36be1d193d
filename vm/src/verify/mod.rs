//! Verification of class files (JVMS 4.9, 4.10), and the shapes of frames the translator needs.
//!
//! Class files of version 50 and later are verified by [type checking](typecheck), older ones by
//! [inference]; version 50 gets a second chance with the latter, as its compilers
//! didn't always get the `StackMapTable` right.

mod changing;
mod error;
mod flow;
mod flow_state;
mod frame;
pub mod infer;
pub mod inference;
mod known;
mod members;
mod pace;
mod plain;
pub mod slots;
mod steps;
mod sub;
pub mod typecheck;
pub mod types;
pub mod world;

pub use error::VerifyFailure;
pub use infer::{FrameTypes, SlotKind, label_frames};

use inference::{PausedMethod, VerifyStop};
use known::KnownMembers;
use rjvm_classfile::ClassFile;
use std::cell::Cell;
use typecheck::ClassContext;
use types::Questions;
use world::{World, answer};

/// How far the verification of a class has come: loading a class may run Java code, after which
/// verification starts again, and a request may ask the VM to stop.
pub struct Progress<C> {
    /// The method to continue with.
    method: usize,
    /// Its type check, with the questions assumed answered with yes.
    checked: Option<Result<(), VerifyFailure>>,
    questions: Questions,
    /// How many of them are answered.
    answered: usize,
    /// What the type checker had to say, when inference has its turn.
    failed: Option<VerifyFailure>,
    /// Where inference was stopped in the method.
    paused: Option<Box<PausedMethod<C>>>,
    /// When the type check is stopped it begins again at the last stack map frame that it has come to, since there the
    /// state is what the frame says. That is how many frames it had come to by then.
    from: usize,
    /// So that it comes to an end, it does so much before it looks whether to stop again.
    patience: usize,
}

impl<C> Default for Progress<C> {
    fn default() -> Progress<C> {
        Progress {
            method: 0,
            checked: None,
            questions: Questions::default(),
            answered: 0,
            failed: None,
            paused: None,
            from: 0,
            patience: 0,
        }
    }
}

/// Verifies a class file; `name` is the run-time name of its class.
pub fn verify<W: World>(
    w: &mut W,
    cf: &ClassFile,
    name: &str,
    job: &mut Progress<W::Class>,
) -> Result<Result<(), VerifyFailure>, W::Error> {
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
        match inference::verify_method(w, cf, name, method, &mut job.paused) {
            Ok(()) => job.method += 1,
            Err(VerifyStop::Load(e)) => return Err(e),
            // after a second opinion that is no better, the first one's words are
            Err(VerifyStop::Failure(f)) if f.class == "java/lang/OutOfMemoryError" => {
                return Ok(Err(f));
            }
            Err(VerifyStop::Failure(f)) => {
                let message = job.failed.take().map_or(f.message, |first| first.message);
                return Ok(Err(VerifyFailure { message, ..f }));
            }
        }
    }
    Ok(Ok(()))
}

fn type_check<W: World>(
    w: &mut W,
    cf: &ClassFile,
    name: &str,
    job: &mut Progress<W::Class>,
) -> Result<Result<(), VerifyFailure>, W::Error> {
    let (supers, interfaces) = (w.supers(), w.interfaces());
    let mut members = KnownMembers::default();
    while let Some(method) = cf.methods.get(job.method) {
        let stopped = Cell::new(0);
        let mut check = |w: &W, q: &mut Questions, from: usize, patience: usize| {
            let stops = |done: usize| {
                let stops = done > patience && w.is_requested();
                if stops {
                    stopped.set(done);
                }
                stops
            };
            let cx = ClassContext {
                cf,
                this: name,
                supers: &supers,
                interfaces: &interfaces,
                is_protected: &|c, n, d, m| w.is_protected(c, n, d, m),
                memory: w.memory(),
                stops: &stops,
            };
            typecheck::check_method(&cx, method, from, q, &mut members)
        };
        if job.checked.is_none() {
            job.questions.most = w.memory();
            let checked = check(w, &mut job.questions, job.from, job.patience);
            if stopped.get() > 0 {
                // what has been asked is not asked again
                match job.questions.frame > job.from {
                    true => job.from = job.questions.frame,
                    false => job.patience = stopped.get() * 2,
                }
                w.breathe()?;
                continue;
            }
            if job.questions.fails.is_some() {
                return Ok(checked);
            }
            job.checked = Some(checked);
        }
        while let Some(q) = job.questions.list.get(job.answered) {
            if !answer(w, q)? {
                // once more, from where it was asked
                job.questions.fails = Some(job.answered);
                job.from = job.questions.first_requested(job.answered);
                job.checked = None;
                break;
            }
            job.answered += 1;
        }
        if job.questions.fails.is_some() {
            continue;
        }
        if let Some(Err(f)) = job.checked.take() {
            return Ok(Err(f));
        }
        job.method += 1;
        (job.from, job.patience, job.questions.frame) = (0, 0, 0);
    }
    Ok(Ok(()))
}

#[cfg(test)]
mod tests;
