//! Faults: how a VM ends when it cannot continue for a reason outside the program. A panic
//! inside the VM (its own, a native's, an agent's, the host's) is caught where the VM was entered; what
//! the machine refuses that no Java exception represents ends it in order. Either way the VM is dead:
//! it runs nothing any more, but reports its fault, counts and samples, and can be dropped.
//!
//! Nothing else in the process changes: a panic that is caught here is not printed, and one outside a
//! VM goes to the process's own hook.

use std::any::Any;
use std::backtrace::{Backtrace, BacktraceStatus};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

/// Whose fault it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// A panic: a mistake in the VM, or in a native, agent or host of the embedder.
    Panic,
    /// The machine has no more of what the VM needs, and no exception could report the program.
    Exhausted,
}

/// Why a VM is dead.
#[derive(Clone, Debug)]
pub struct Fault {
    /// Whose fault it is.
    pub kind: FaultKind,
    /// What happened.
    pub message: String,
    /// Source file, line and column of the panic, if the process's hook of panics is still the VM's.
    pub place: Option<String>,
    /// Name of the Java thread that ran.
    pub thread: Option<String>,
    /// Its Java stack, the innermost frame first: `java.lang.Object.wait(Object.java:338)`.
    pub stack: Vec<String>,
    /// The stack of the VM itself, if `RUST_BACKTRACE` asks for it.
    pub backtrace: Option<String>,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(place) = &self.place {
            write!(f, "\n  in {place}")?;
        }
        if let Some(thread) = &self.thread {
            write!(f, "\n  thread \"{thread}\"")?;
        }
        for frame in &self.stack {
            write!(f, "\n\tat {frame}")?;
        }
        if let Some(backtrace) = &self.backtrace {
            write!(f, "\n{backtrace}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}

/// A panic that was caught.
#[derive(Debug, Default)]
pub struct Caught {
    /// Its message.
    pub message: String,
    /// Source file, line and column, if known.
    pub place: Option<String>,
    pub(crate) backtrace: Option<String>,
}

impl fmt::Display for Caught {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Some(place) => write!(f, "{} ({place})", self.message),
            None => f.write_str(&self.message),
        }
    }
}

thread_local! {
    /// How many calls of [`contain`] this thread is in.
    static INSIDE: Cell<u32> = const { Cell::new(0) };
    /// What the hook was notified of the last panic in one.
    static LAST: RefCell<Option<Caught>> = const { RefCell::new(None) };
}

/// Counts a call of [`contain`].
struct Inside;

impl Inside {
    fn enter() -> Inside {
        INSIDE.set(INSIDE.get() + 1);
        Inside
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        INSIDE.set(INSIDE.get() - 1);
    }
}

/// Runs `f`; a panic in it is caught, and not printed.
pub fn contain<T>(f: impl FnOnce() -> T) -> Result<T, Caught> {
    listen();
    let inside = Inside::enter();
    let result = panic::catch_unwind(AssertUnwindSafe(f));
    drop(inside);
    result.map_err(|payload| {
        let reported = LAST.take().unwrap_or_default();
        let message = message(&*payload).unwrap_or(reported.message);
        // dropping what somebody threw could panic again
        std::mem::forget(payload);
        Caught {
            message,
            ..reported
        }
    })
}

fn message(payload: &(dyn Any + Send)) -> Option<String> {
    let text = payload.downcast_ref::<&str>().map(|s| s.to_string());
    text.or_else(|| payload.downcast_ref::<String>().cloned())
}

/// Puts a hook before the process's own, once: only a hook learns a panic's place.
fn listen() {
    static ONCE: Once = Once::new();
    if std::thread::panicking() {
        // hooks cannot be set now
        return;
    }
    ONCE.call_once(|| {
        let others = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if INSIDE.try_with(Cell::get).is_ok_and(|n| n > 0) {
                remember(info);
            } else {
                others(info);
            }
        }));
    });
}

fn remember(info: &PanicHookInfo<'_>) {
    let backtrace = Backtrace::capture();
    let caught = Caught {
        message: info
            .payload_as_str()
            .unwrap_or("a panic without words")
            .into(),
        place: info.location().map(|place| place.to_string()),
        backtrace: (backtrace.status() == BacktraceStatus::Captured).then(|| backtrace.to_string()),
    };
    LAST.set(Some(caught));
}
