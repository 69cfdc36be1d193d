//! Points at natives that copy many variables: `System.arraycopy` and `Object.clone` are reads and writes like others, one
//! after the other.

use super::points::{mode_of_field, type_of_field};
use super::visible_effect::VisibleEffect;
use crate::classes::acc;
use crate::heap::{ELEMS, LENGTH};
use crate::ids::{LoaderId, MethodId, Ref};
use crate::threads::control::{CopiedVariable, Copying};
use crate::threads::operations::Step;
use crate::throw::R;
use crate::vm::Vm;
use rjvm_ops::{Mode, OpKind, Place};
use std::ops::ControlFlow;

/// Elements that are copied one by one; larger parts of arrays are copied at once, and so many of them are reported.
const COPIED: u32 = 256;

/// Frames at most that name the place of the code that copies.
const FRAMES: usize = 8;

/// Type and shift of the elements of an array class.
fn elements_of(class: &str) -> Option<(u8, u32)> {
    Some(match class.as_bytes() {
        [b'[', b'J', ..] => (b'J', 3),
        [b'[', b'D', ..] => (b'D', 3),
        [b'[', ty @ (b'B' | b'Z'), ..] => (*ty, 0),
        [b'[', ty @ (b'C' | b'S'), ..] => (*ty, 1),
        [b'[', ty @ (b'I' | b'F'), ..] => (*ty, 2),
        [b'[', ..] => (b'L', 2),
        _ => return None,
    })
}

impl Vm {
    /// The work of `System.arraycopy`, if that is only reads and writes, and not too many.
    pub(super) fn array_copying(&mut self, id: MethodId, args: &[u64]) -> Option<Copying> {
        let (src, dst) = (Ref(args[0] as u32), Ref(args[2] as u32));
        let (from, to, n) = (args[1] as u32, args[3] as u32, args[4] as u32);
        if src.is_null() || dst.is_null() || n > COPIED {
            return None;
        }
        let (a, b) = (self.class_of(src), self.class_of(dst));
        let (ty, shift) = elements_of(&self.class(a).name)?;
        let ends = |at: u32, array| {
            u64::from(at) + u64::from(n) <= u64::from(self.heap.get::<u32>(array, LENGTH))
        };
        if !ends(from, src) || !ends(to, dst) || a != b && !self.is_subtype(a, b) {
            return None;
        }
        let variable = |i: u32| {
            let offset = |at: u32| ELEMS as u32 + ((at + i) << shift);
            CopiedVariable {
                from: offset(from),
                to: offset(to),
                ty,
                mode: Mode::Plain,
            }
        };
        // elements of one array are read before they are written
        let variables = match src == dst && from < to {
            true => (0..n).rev().map(variable).collect(),
            false => (0..n).map(variable).collect(),
        };
        Some(self.copying(id, (src, dst), variables))
    }
    /// What `Object.clone` has done to make `clone`, and is to be done over.
    pub(super) fn cloning(&mut self, id: MethodId, original: Ref, clone: Ref) -> Copying {
        let variables = self.variables_of(original);
        let mut copying = self.copying(id, (original, clone), variables);
        copying.is_new = true;
        copying
    }
    /// Whether the native that is about to be called was called before, and others came between.
    pub(super) fn is_copying(&mut self, id: MethodId, args: &[u64]) -> bool {
        let cur = self.cur;
        let Some(controlled) = &mut self.controlled else {
            return false;
        };
        // an exception of another thread's may have come between as well
        let same = |c: &mut Copying| c.at == Some((id, 0)) && args.first() == Some(&c.src.0.into());
        let copying = controlled.copying(cur);
        *copying = copying.take_if(same);
        copying.is_some()
    }
    fn copying(
        &mut self,
        id: MethodId,
        (src, dst): (Ref, Ref),
        variables: Vec<CopiedVariable>,
    ) -> Copying {
        Copying {
            src,
            dst,
            variables,
            next: 0,
            read: None,
            is_new: false,
            at: Some((id, 0)),
            site: self.copying_site(),
        }
    }
    /// Names the place of the code that copies: all of the class library copies by the same few methods, so those that called
    /// them belong to it, up to the first one of the program's own.
    fn copying_site(&mut self) -> u64 {
        let (mut site, mut frames) = (0, 0);
        let current = self.cur;
        self.walk_stack(current, |vm, m, bci| {
            site = super::path_hash::note(site ^ vm.method_site(m), bci as u32 as u64);
            frames += 1;
            let class = vm.method(m).class;
            match frames < FRAMES && vm.class(class).loader == LoaderId::BOOT {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        site | 1
    }
    /// The fields of an object, or its elements, the first ones.
    fn variables_of(&mut self, object: Ref) -> Vec<CopiedVariable> {
        let class = self.class_of(object);
        let variable = |offset, ty, mode| CopiedVariable {
            from: offset,
            to: offset,
            ty,
            mode,
        };
        if let Some((ty, shift)) = elements_of(&self.class(class).name) {
            let length = self.heap.get::<u32>(object, LENGTH).min(COPIED);
            let at = |i: u32| variable(ELEMS as u32 + (i << shift), ty, Mode::Plain);
            return (0..length).map(at).collect();
        }
        let mut fields = Vec::new();
        let mut next = Some(class);
        while let Some(c) = next {
            let k = self.class(c);
            next = k.super_class;
            let own = k.fields.iter().filter(|f| f.access & acc::STATIC == 0);
            fields.extend(own.map(|f| variable(f.offset, type_of_field(f), mode_of_field(f))));
        }
        fields.sort_by_key(|f| f.from);
        fields.truncate(COPIED as usize);
        fields
    }
    /// Copies what the running thread has begun to copy; `Block`: others go first. What the native returns.
    pub(super) fn go_on_copying(&mut self) -> R<(VisibleEffect, Step)> {
        loop {
            let cur = self.cur;
            let controlled = self.controlled.as_mut().expect("under control");
            let c = controlled.copying(cur).as_mut().expect("it copies");
            let (at, site, is_new, dst) = (c.at, c.site, c.is_new, c.dst);
            let Some(&v) = c.variables.get(c.next) else {
                let freezes = is_new && c.variables.iter().any(|v| v.mode == Mode::Final);
                *controlled.copying(cur) = None;
                let freeze = self.step(OpKind::Freeze, Place::NONE);
                if freezes {
                    self.done(&freeze);
                }
                let result = match is_new {
                    true => dst.0.into(),
                    false => 0,
                };
                return Ok((VisibleEffect::Done(result), freeze));
            };
            let (object, offset, read) = match c.read {
                None => (c.src, v.from, None),
                Some(value) => (dst, v.to, Some(value)),
            };
            // a volatile variable of a new object gets its first value like any other
            let kind = match (read, v.mode) {
                (None, mode) => OpKind::Read(mode),
                (_, Mode::Final) => OpKind::Write(Mode::Final),
                _ => OpKind::Write(Mode::Plain),
            };
            let now = self.variable(object, offset, v.ty);
            let place = self.place_of(object, offset);
            let step = Step {
                at,
                site,
                object,
                offset,
                ty: v.ty,
                value: read.unwrap_or(now),
                old: if is_new && read.is_some() { 0 } else { now },
                ..self.step(kind, place)
            };
            self.at_point(&step)?;
            let ahead = self.since_turn();
            let found = match read {
                None => {
                    let value = self.reads(&step, ahead).unwrap_or(now);
                    self.done(&Step { value, ..step });
                    Some(value)
                }
                Some(value) => {
                    let stays = self.writes(&step, ahead);
                    self.put_variable((object, offset, v.ty), value);
                    self.done(&step);
                    if let Some(stays) = stays {
                        self.restore(stays);
                    }
                    None
                }
            };
            let controlled = self.controlled.as_mut().expect("under control");
            let c = controlled.copying(cur).as_mut().expect("it copies");
            c.next += usize::from(found.is_none());
            c.read = found;
        }
    }
    /// What the elements of an array that is copied at once become.
    pub(super) fn will_copy(&mut self, step: &Step, args: &[u64]) {
        if !self.memory_is_controlled() {
            return;
        }
        let (src, dst) = (Ref(args[0] as u32), Ref(args[2] as u32));
        for i in 0..(args[4] as i32).min(COPIED as i32) as u32 {
            let from = src
                .non_null()
                .and_then(|src| self.element_step(src, (args[1] as u32).wrapping_add(i), false));
            let to = self.element_step(dst, (args[3] as u32).wrapping_add(i), true);
            if let (Some(from), Some(to)) = (from, to) {
                let (at, site, value) = (step.at, step.site, from.value);
                self.copies(&Step {
                    at,
                    site,
                    value,
                    ..to
                });
            }
        }
    }
    /// An array has been copied at once.
    pub(super) fn copied(&mut self, step: Step, args: &[u64]) {
        let (src, dst) = (Ref(args[0] as u32), Ref(args[2] as u32));
        let (from, to) = (args[1] as u32, args[3] as u32);
        for i in 0..(args[4] as i32).min(COPIED as i32) as u32 {
            for (array, at, writes) in [(src, from + i, false), (dst, to + i, true)] {
                if let Some(s) = self.element_step(array, at, writes) {
                    let (at, site) = (step.at, step.site);
                    self.done(&Step { at, site, ..s });
                }
            }
        }
    }
    /// An access to an element of an array.
    pub(super) fn element_step(&mut self, array: Ref, i: u32, writes: bool) -> Option<Step> {
        if i >= self.heap.get::<u32>(array, LENGTH) {
            return None;
        }
        let (ty, shift) = elements_of(&self.name(self.class_of(array)))?;
        let offset = ELEMS as u32 + (i << shift);
        let place = self.place_of(array, offset);
        let kind = match writes {
            true => OpKind::Write(Mode::Plain),
            false => OpKind::Read(Mode::Plain),
        };
        let now = self.variable(array, offset, ty);
        Some(Step {
            object: array,
            offset,
            ty,
            value: now,
            old: now,
            ..self.step(kind, place)
        })
    }
}
