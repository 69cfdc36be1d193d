//! What views and filters show of contexts that are still in their arena: asked context by context while they are
//! visited, so that nothing is copied to leave something out.

use crate::cct::{ContextNode, TRUNCATED};
use crate::filter::Filter;
use crate::method::MethodInfo;
use crate::profile::{Ids, Part, View};
use std::collections::HashMap;

/// How the view and the filters treat a method.
#[derive(Clone, Copy, Default)]
struct MethodVisibility {
    /// The view shows it, with any caller.
    shown: bool,
    /// It shows it if the application calls it.
    by_application: bool,
    application: bool,
    /// The filters show it.
    listed: bool,
}

/// What becomes of a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placement {
    /// Is it shown?
    pub shown: bool,
    /// Does the view show it, whatever filters do?
    pub viewed: bool,
    /// Its counts are its own, or those of the nearest shown caller; else they vanish.
    pub kept: bool,
    /// The same of what the view hides and this context has called.
    pub keeps: bool,
}

impl Placement {
    /// The place above the first contexts.
    pub const TOP: Placement = Placement {
        shown: true,
        viewed: true,
        kept: true,
        keeps: true,
    };
}

/// Decides which contexts are shown.
pub(crate) struct Lens {
    /// By the VM's ids.
    methods: Vec<MethodVisibility>,
    truncated: MethodVisibility,
    /// The counts of what the view hides vanish, and of what the filters hide.
    drops_library: bool,
    drops_filtered: bool,
    /// Contexts below so many shown ones are hidden.
    depth: usize,
    /// Are calls from native methods and the VM shown as roots?
    pub upcalls: bool,
    /// Are allocations among what hidden contexts leave to their callers?
    pub allocations: bool,
    /// Are the bytecodes that hidden contexts leave to their callers reported by call site?
    pub sites: bool,
    /// The bytecodes that vanish or are shown elsewhere, of those that shown contexts count for themselves and what they call.
    pub lost: HashMap<*const ContextNode, u64>,
}

impl Lens {
    /// What view and filters show of these methods; recursion is not folded.
    pub fn new(view: &View, filter: &Filter, methods: &[MethodInfo], ids: &Ids) -> Lens {
        let known = |index: u32| {
            let Some(method) = methods.get(index as usize) else {
                return MethodVisibility::default();
            };
            let seen = !method.native || view.natives;
            MethodVisibility {
                shown: seen && (view.part == Part::All || method.app),
                by_application: seen && method.native,
                application: method.app,
                listed: filter.shows(method),
            }
        };
        let deepest = match filter.fold_recursion {
            true => None,
            false => filter.max_depth,
        };
        Lens {
            methods: ids.all().map(known).collect(),
            truncated: known(ids.truncated()),
            drops_library: view.part == Part::ApplicationOnly,
            drops_filtered: filter.drop_hidden,
            depth: deepest.map_or(usize::MAX, |depth| depth.max(1) as usize),
            upcalls: false,
            allocations: false,
            sites: false,
            lost: HashMap::new(),
        }
    }

    #[inline]
    fn known(&self, id: u32) -> MethodVisibility {
        match id {
            TRUNCATED => self.truncated,
            id => self.methods[id as usize],
        }
    }

    /// What becomes of a context of this method, called from one of that method which has this place and is, as the shown ones above
    /// it are, one of `depth`.
    #[inline]
    pub fn place(&self, method: u32, caller: Option<(u32, Placement)>, depth: usize) -> Placement {
        let known = self.known(method);
        let (by, above) = match caller {
            Some((caller, place)) => (self.known(caller).application, place),
            None => (false, Placement::TOP),
        };
        let viewed = known.shown || known.by_application && by;
        let shown = viewed && known.listed && depth < self.depth;
        let keeps = match viewed {
            true => shown || !self.drops_filtered,
            false => above.keeps,
        };
        Placement {
            shown,
            viewed,
            kept: keeps && (viewed || !self.drops_library),
            keeps,
        }
    }
}
