//! What a VM under control knows of its schedule so far, and what of that the collector has to be shown.

use super::control::{Control, Moment};
use crate::ids::{ClassId, Ref, ThreadId};
use hashbrown::HashMap;
use rjvm_explore::{Op, Place};

/// What is known of a thread under control.
#[derive(Default)]
pub(super) struct Plan {
    /// What it does when it next runs.
    pub(super) pending: Option<Op>,
    /// The object whose monitor that enters; null if it enters none.
    pub(super) monitor: Ref,
    /// It has its turn for that: it is not asked again.
    pub(super) granted: bool,
    /// Bytecodes it had executed itself at its last operation, and which one there it was.
    pub(super) own: (i64, u32),
}

/// State of a VM under control.
pub(crate) struct Controlled {
    /// `None` while it is being asked.
    pub(super) control: Option<Box<dyn Control>>,
    /// Who runs next: what was chosen at a point.
    pub(super) next: Option<ThreadId>,
    /// The thread that was offered and ran last.
    pub(super) last: Option<ThreadId>,
    pub(super) plans: Vec<Plan>,
    /// There has been one thread only, but for those of the class library: what it does is ordered with all that others will do.
    pub(crate) alone: bool,
    /// What reads find is the control's to say.
    pub(crate) memory: bool,
    /// There is one thread only again: no more is told of its accesses than those to objects that others have touched.
    pub(crate) quiet: bool,
    /// Bytecodes executed when it came under control.
    pub(super) base: i64,
    pub(super) moment: Moment,
    /// Numbers of objects, given out at first sight.
    pub(super) numbers: HashMap<Ref, u32>,
    pub(super) last_number: u32,
    /// Those of objects that are gone, of which the control has not been told.
    pub(super) gone: Vec<u32>,
    /// Objects that values of the control's name.
    pub(super) kept: Vec<Ref>,
    /// Hashes of the names of methods that have asked for monitors.
    pub(crate) monitor_sites: HashMap<crate::ids::MethodId, u64>,
    /// Classes initialized since.
    pub(super) initialized: HashMap<ClassId, Place>,
    /// What becomes of the access that is under way.
    pub(crate) amended: Option<Amended>,
}

/// What comes of an access otherwise than its bytecode does it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Amended {
    /// A read finds this.
    Found(u64),
    /// What was there before a write is there again.
    Stays {
        object: Ref,
        offset: u32,
        ty: u8,
        value: u64,
    },
}

impl Controlled {
    pub(super) fn plan(&mut self, t: ThreadId) -> &mut Plan {
        let i = t.0 as usize;
        if self.plans.len() <= i {
            self.plans.resize_with(i + 1, Plan::default);
        }
        &mut self.plans[i]
    }
    /// The collector shows what is to be updated: strong ones.
    pub(crate) fn each_root(&mut self, f: &mut dyn FnMut(&mut Ref)) {
        self.kept.iter_mut().for_each(&mut *f);
        if let Some(Amended::Stays {
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
        self.plans.iter_mut().for_each(|p| f(&mut p.monitor));
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
