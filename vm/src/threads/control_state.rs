//! The schedule so far of a VM under control, and the references of it that the collector visits.

use super::operations::ChoicePoint;
use crate::ids::{ClassId, MethodId, Ref, ThreadId};
use hashbrown::HashMap;
use rjvm_ops::{Mode, Op, Place};

/// The state of a thread under control.
#[derive(Default)]
pub(super) struct ThreadPlan {
    /// What it does when it next runs.
    pub(super) pending: Option<Op>,
    /// The object whose monitor that enters; null if it enters none.
    pub(super) monitor: Ref,
    /// The class that it begins to initialize, until it has come to that.
    pub(super) class: Option<ClassId>,
    /// It has its turn for that: it is not asked again.
    pub(super) granted: bool,
    /// Bytecodes it had executed itself at its last operation, and which one there it was.
    pub(super) own: (i64, u32),
    /// What a native of it copies.
    pub(super) copying: Option<Copying>,
}

/// A variable that is copied.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CopiedVariable {
    /// Byte offset in the object that is read.
    pub(crate) from: u32,
    /// In the one that is written.
    pub(crate) to: u32,
    /// The first character of its type's descriptor.
    pub(crate) ty: u8,
    pub(crate) mode: Mode,
}

/// Variables that a native copies, one by one, while others may come between.
#[derive(Clone, Debug)]
pub(crate) struct Copying {
    pub(crate) src: Ref,
    pub(crate) dst: Ref,
    pub(crate) variables: Vec<CopiedVariable>,
    /// How many have been copied.
    pub(crate) next: usize,
    /// The value read for the next element, which is still to be written.
    pub(crate) read: Option<u64>,
    /// No other thread knows `dst`.
    pub(crate) is_new: bool,
    /// The native.
    pub(crate) at: Option<(MethodId, u16)>,
    pub(crate) site: u64,
}

/// A control that natives may begin.
pub(crate) struct OfferedControl {
    /// Bytecodes that may be executed under it.
    pub(super) bytecodes: Option<i64>,
}

/// State of a VM under control.
pub(crate) struct Controlled {
    /// The thread that runs next: the choice at a point.
    pub(super) next: Option<ThreadId>,
    /// The thread that was offered and ran last.
    pub(super) last: Option<ThreadId>,
    pub(super) plans: Vec<ThreadPlan>,
    /// There has been one thread only, except for those of the class library: its operations are ordered before all later
    /// operations of others.
    pub(crate) alone: bool,
    /// The control decides which values reads find.
    pub(crate) memory: bool,
    /// There is one thread only again: no more is notified of its accesses than those to objects that others have touched.
    pub(crate) quiet: bool,
    /// Bytecodes executed when it came under control.
    pub(super) base: i64,
    pub(super) moment: ChoicePoint,
    /// Numbers of objects, given out at first sight.
    pub(super) numbers: HashMap<Ref, u32>,
    pub(super) last_number: u32,
    /// The numbers of objects that are gone, of which the control has not been notified.
    pub(super) gone: Vec<u32>,
    /// Objects that values of the control's name.
    pub(super) kept: Vec<Ref>,
    /// Hashes of the names of methods.
    pub(crate) method_sites: HashMap<crate::ids::MethodId, u64>,
    /// Classes initialized since.
    pub(super) initialized: HashMap<ClassId, Place>,
    /// The outcome of the access that is under way.
    pub(crate) amended: Option<AmendedAccess>,
}

/// What comes of an access otherwise than its bytecode does it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum AmendedAccess {
    /// A read finds this.
    Found(u64),
    /// The value from before a write is restored.
    Stays {
        object: Ref,
        offset: u32,
        ty: u8,
        value: u64,
    },
}

impl Controlled {
    pub(super) fn plan(&mut self, t: ThreadId) -> &mut ThreadPlan {
        let i = t.0 as usize;
        if self.plans.len() <= i {
            self.plans.resize_with(i + 1, ThreadPlan::default);
        }
        &mut self.plans[i]
    }
    /// What a native of a thread copies.
    pub(crate) fn copying(&mut self, t: ThreadId) -> &mut Option<Copying> {
        &mut self.plan(t).copying
    }
    /// Shows the collector the references to update: strong ones.
    pub(crate) fn each_root(&mut self, f: &mut dyn FnMut(&mut Ref)) {
        self.kept.iter_mut().for_each(&mut *f);
        if let Some(AmendedAccess::Stays {
            object, ty, value, ..
        }) = &mut self.amended
        {
            f(object);
            if *ty == b'L' {
                let mut kept = Ref(*value as u32);
                f(&mut kept);
                *value = kept.0.into();
            }
        }
        for plan in &mut self.plans {
            f(&mut plan.monitor);
            let Some(c) = &mut plan.copying else {
                continue;
            };
            f(&mut c.src);
            f(&mut c.dst);
            let of_reference = c.variables.get(c.next).is_some_and(|v| v.ty == b'L');
            if let Some(read) = c.read.as_mut().filter(|_| of_reference) {
                let mut kept = Ref(*read as u32);
                f(&mut kept);
                *read = kept.0.into();
            }
        }
    }
    /// Those objects that `concerns` says have moved or gone.
    pub(crate) fn update(
        &mut self,
        concerns: impl Fn(Ref) -> bool,
        f: &mut dyn FnMut(Ref) -> Option<Ref>,
    ) {
        let old = std::mem::take(&mut self.numbers);
        let mut known: Vec<(u32, Ref)> = old.into_iter().map(|(r, n)| (n, r)).collect();
        known.sort_unstable();
        for (n, r) in known {
            let now = if concerns(r) { f(r) } else { Some(r) };
            match now {
                Some(r) => {
                    self.numbers.insert(r, n);
                }
                None => self.gone.push(n),
            }
        }
    }
}
