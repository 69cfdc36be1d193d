//! Instruments at instructions that name a member by its name: they are only in methods whose class file names it. So a debugger
//! that watches hundreds of fields changes the few methods with these fields, and not all methods hundreds of times.

use super::ids::Index;
use super::spec::Members;
use crate::ids::MethodId;
use crate::vm::Vm;
use hashbrown::HashMap;
use rjvm_classfile::{ClassFile, ConstantPool};
use std::sync::Arc;

/// Which class files have been found to name the members of which instruments.
#[derive(Default)]
pub(super) struct Namers(HashMap<(Index, *const ClassFile), bool>);

impl Namers {
    fn name(&mut self, i: Index, members: &Members, file: &Arc<ClassFile>) -> bool {
        let at = (i, Arc::as_ptr(file));
        *(self.0.entry(at)).or_insert_with(|| names(&file.constant_pool, members))
    }
}

/// Whether a pool has a constant of such a member.
fn names(pool: &ConstantPool, members: &Members) -> bool {
    let Members::Called { name, descriptor } = members else {
        return true;
    };
    let is = |c: rjvm_classfile::Constant| {
        let (_, name_and_type) = c.member()?;
        let (n, d) = pool.name_and_type(name_and_type).ok()?;
        Some(n == &**name && d == &**descriptor)
    };
    pool.iter().any(|c| is(c) == Some(true))
}

impl Vm {
    /// Whether an instrument may have an instruction in a method, or in an old body of it.
    pub(super) fn may_name(&self, i: Index, m: MethodId, known: &mut Namers) -> bool {
        let placed = self.instruments.get(i);
        let Some(members @ Members::Called { .. }) = placed.and_then(|p| p.at.members()) else {
            return true;
        };
        let mut bodies = std::iter::once(m).chain(self.bodies_of(m));
        bodies.any(|m| {
            let code = self.method(m).code();
            code.is_some_and(|code| known.name(i, members, code.cf))
        })
    }
    /// A method has got another body, which may name what the old one did not.
    pub(crate) fn instrument_body(&mut self, m: MethodId) {
        if self.instruments.is_empty() {
            return;
        }
        let called = |i: &Index| {
            let members = self.instruments.get(*i).and_then(|p| p.at.members());
            let is_in = self.instruments.of(m);
            matches!(members, Some(Members::Called { .. }))
                && is_in.is_none_or(|of| !of.inside.contains(i))
        };
        let all = self.instruments.iter().map(|(i, _)| i);
        let absent: Vec<Index> = all.filter(called).collect();
        let mut known = Namers::default();
        for i in absent {
            self.add_to(i, m, &mut known);
        }
    }
}
