//! Points in a VM under control: before each bytecode that reads or writes memory an instruction that represents no
//! bytecode, and at natives of the class library that read, write, wait or wake.

use super::insn::{amend, point};
use super::memory_point::{MemoryPoint, ResolvedField};
use super::visible_effect::{VisibleEffect, mode_of, unsafe_native};
use crate::classes::{Field, acc};
use crate::heap::{ELEMS, LENGTH};
use crate::ids::{MethodId, Ref};
use crate::threads::control::{AmendedAccess, Controlled};
use crate::threads::operations::Step;
use crate::throw::{R, Throw};
use crate::vm::Vm;
use rjvm_classfile::opcodes as o;
use rjvm_ops::{Mode, Op, OpKind};

/// Type and shift of the elements that an instruction of arrays is for.
fn element(op: u8) -> (u8, u32) {
    let kind = match op {
        o::IALOAD..=o::SALOAD => op - o::IALOAD,
        _ => op - o::IASTORE,
    };
    [
        (b'I', 2),
        (b'J', 3),
        (b'F', 2),
        (b'D', 3),
        (b'L', 2),
        (b'B', 0),
        (b'C', 1),
        (b'S', 1),
    ][usize::from(kind)]
}

/// The mode of accesses to a field by bytecode.
pub(super) fn mode_of_field(f: &Field) -> Mode {
    if f.access & acc::VOLATILE != 0 {
        Mode::Volatile
    } else if f.access & acc::FINAL != 0 {
        Mode::Final
    } else {
        Mode::Plain
    }
}

/// The type of a field: all references are `L`.
pub(super) fn type_of_field(f: &Field) -> u8 {
    match f.ty {
        b'[' => b'L',
        ty => ty,
    }
}

/// Whether a bytecode reads memory, or writes it.
pub(super) fn access(op: u8) -> Option<bool> {
    match op {
        o::GETSTATIC | o::GETFIELD | o::IALOAD..=o::SALOAD => Some(false),
        o::PUTSTATIC | o::PUTFIELD | o::IASTORE..=o::SASTORE => Some(true),
        _ => None,
    }
}

impl Vm {
    /// The boot loader's methods that have been translated, as class, name and descriptor, hidden classes left out.
    pub fn translated_methods(&self) -> Vec<[String; 3]> {
        let mut found = Vec::new();
        for m in self.loaded.methods.iter() {
            let k = self.class(m.class);
            let known = k.loader == crate::LoaderId::BOOT && !k.name.contains("/0x");
            if known && m.translated().is_some() {
                let text = |s| self.syms.str(s).to_string();
                found.push([k.name.to_string(), text(m.name), text(m.desc)]);
            }
        }
        found
    }
    /// Loads a class of the boot loader and translates a method of it, ahead of the time when that is needed; no Java code runs, and nothing is initialized.
    /// A class that cannot be loaded is left for then.
    pub fn prepare_method(&mut self, [class, name, desc]: &[String; 3]) {
        let Ok(c) = self.load_class(crate::LoaderId::BOOT, class) else {
            return;
        };
        let (name, desc) = (self.syms.intern(name), self.syms.intern(desc));
        if let Some(m) = self.declared_method(c, name, desc)
            && self.method(m).has_code()
        {
            let _ = self.translate(m);
        }
    }
    /// Names the place of the code where the running thread, which is under control, asks for a monitor: the method.
    pub(crate) fn monitor_site(&mut self) -> u64 {
        // SAFETY: the top frame is that of the method that has the instruction, or is synchronized.
        let id = unsafe { (*(*self.regs().cs).method).id };
        // not the one of an access to memory at its beginning
        super::path_hash::note(self.method_site(id), u64::MAX) | 1
    }
    /// Names the place of the code where the running thread needs a class: the method.
    pub(crate) fn class_site(&mut self) -> u64 {
        // SAFETY: `cs` is the top control frame; methods are loaded as long as they have frames.
        let id = unsafe { (*self.regs().cs).method.as_ref() }.map(|m| m.id);
        // no access's, and not where it asks for a monitor
        id.map_or(0, |id| {
            super::path_hash::note(self.method_site(id), u64::MAX - 1) | 1
        })
    }
    /// Names a method of a program under control.
    pub(super) fn method_site(&mut self, id: MethodId) -> u64 {
        let known = |c: &Controlled| c.method_sites.get(&id).copied();
        if let Some(site) = self.controlled.as_deref().and_then(known) {
            return site;
        }
        let site = self.name_hash(id);
        if let Some(c) = &mut self.controlled {
            c.method_sites.insert(id, site);
        }
        site
    }
    /// What a variable holds, as a slot.
    pub(crate) fn variable(&self, r: Ref, offset: u32, ty: u8) -> u64 {
        match ty {
            b'J' | b'D' => self.heap.get::<i64>(r, offset) as u64,
            b'Z' => self.heap.get::<u8>(r, offset).into(),
            b'B' => i32::from(self.heap.get::<i8>(r, offset)) as u32 as u64,
            b'C' => self.heap.get::<u16>(r, offset).into(),
            b'S' => i32::from(self.heap.get::<i16>(r, offset)) as u32 as u64,
            _ => self.heap.get::<u32>(r, offset).into(),
        }
    }
    /// The point instruction: whether the thread continues.
    pub(super) fn at_memory_point(&mut self) -> bool {
        let r = *self.regs();
        let wants = self.controlled.as_ref().is_some_and(|c| !c.alone);
        if wants && !self.thread().system {
            // one that threw has left its own
            self.controlled.as_mut().expect("under control").amended = None;
            // SAFETY: `ip` is the instruction whose handler has come here.
            let (number, ticks) = unsafe { (point::number.get(r.ip), point::ticks.get(r.ip)) };
            if let Some(mut step) = self.memory_step(number as usize) {
                let cur = self.cur;
                let ahead = r.ticks + i64::from(ticks) - self.threads[cur.0 as usize].executed;
                if step.op.kind != OpKind::Freeze
                    && let Err(t) = self.at_point_after(&step, ahead)
                {
                    return self.deliver(t);
                }
                let amended = match step.op.kind {
                    OpKind::Read(_) => {
                        let found = self.reads(&step, ahead);
                        step.value = found.unwrap_or(step.value);
                        found.map(AmendedAccess::Found)
                    }
                    OpKind::Write(_) => self.writes(&step, ahead),
                    _ => None,
                };
                self.controlled.as_mut().expect("under control").amended = amended;
                self.done(&step);
            }
        }
        self.regs().ip = r.ip.wrapping_add(point::BYTES);
        true
    }
    /// A bytecode that had to wait for a class is done from its point on: others may have been there meanwhile, and what it does
    /// then was not known before.
    pub(super) fn back_to_point(&mut self) {
        if self.controlled.is_none() {
            return;
        }
        let r = *self.regs();
        // SAFETY: `cs` is the top control frame; methods are loaded as long as they have frames.
        let translated = unsafe { (*r.cs).method.as_ref() }.and_then(|m| m.translated());
        if let Some(ip) = translated.and_then(|x| x.before(r.ip, super::slow::point)) {
            self.regs().ip = ip;
        }
    }
    /// After an access: the control decides its outcome.
    pub(super) fn amend_access(&mut self) -> bool {
        let r = *self.regs();
        let amended = self.controlled.as_mut().and_then(|c| c.amended.take());
        if let Some(AmendedAccess::Found(v)) = amended {
            // SAFETY: the translator keeps slot numbers inside the frame.
            unsafe { *super::code::slot(r.fp, amend::result.get(r.ip)) = v };
        } else if let Some(stays) = amended {
            self.restore(stays);
        }
        self.regs().ip = r.ip.wrapping_add(amend::BYTES);
        true
    }
    /// Restores the value from before a write.
    pub(super) fn restore(&mut self, amended: AmendedAccess) {
        let AmendedAccess::Stays {
            object,
            offset,
            ty,
            value,
        } = amended
        else {
            return;
        };
        self.put_variable((object, offset, ty), value);
    }
    /// Stores a slot of this type.
    pub(super) fn put_variable(&mut self, (object, offset, ty): (Ref, u32, u8), value: u64) {
        match ty {
            b'L' => self.heap.put_ref(object, offset, Ref(value as u32)),
            b'J' | b'D' => self.heap.put(object, offset, value),
            b'Z' | b'B' => self.heap.put(object, offset, value as u8),
            b'C' | b'S' => self.heap.put(object, offset, value as u16),
            _ => self.heap.put(object, offset, value as u32),
        }
    }
    /// What a slot holds once it has been stored as this type.
    fn as_stored(ty: u8, slot: u64) -> u64 {
        match ty {
            b'J' | b'D' => slot,
            b'Z' => slot & 1,
            b'B' => i32::from(slot as i8) as u32 as u64,
            b'C' => u64::from(slot as u16),
            b'S' => i32::from(slot as i16) as u32 as u64,
            _ => u64::from(slot as u32),
        }
    }
    /// The access that the bytecode behind a point is about to make; `None`: none, or it throws.
    fn memory_step(&mut self, number: usize) -> Option<Step> {
        let mut row = self.points[number];
        if row.site == 0 {
            let method = self.method_site(row.method);
            row.site = super::path_hash::note(method, row.bci.into()) | 1;
            self.points[number].site = row.site;
        }
        let writes = access(row.op).unwrap_or(false);
        let fp = self.regs().fp;
        // SAFETY: the translator keeps slot numbers inside the frame, which holds what it says.
        let [object, index, value] = row.slots.map(|s| unsafe { *super::code::slot(fp, s) });
        let (object, offset, mode, ty, class) = match row.op {
            o::RETURN => {
                return Some(self.step(OpKind::Freeze, rjvm_ops::Place::NONE));
            }
            o::GETSTATIC..=o::PUTFIELD => {
                let f = match row.field {
                    Some(f) => f,
                    None => {
                        let f = self.field_of_point(&row)?;
                        self.points[number].field = Some(f);
                        f
                    }
                };
                match row.op {
                    o::GETFIELD | o::PUTFIELD => (Ref(object as u32), f.offset, f.mode, f.ty, None),
                    _ => {
                        let mine = self.initializer_of(f.class) == Some(self.cur);
                        if self.init_state(f.class) != crate::classes::InitState::Initialized
                            && !mine
                        {
                            // the initializer comes first
                            return None;
                        }
                        let class = self.initialization_of(f.class);
                        (self.mirror(f.class), f.offset, f.mode, f.ty, class)
                    }
                }
            }
            _ => {
                let (ty, shift) = element(row.op);
                let array = Ref(object as u32);
                if array.is_null() || index as u32 >= self.heap.get::<u32>(array, LENGTH) {
                    return None;
                }
                let offset = ELEMS as u32 + ((index as u32) << shift);
                (array, offset, Mode::Plain, ty, None)
            }
        };
        if object.is_null() || self.is_private(object) {
            return None;
        }
        let place = self.place_of(object, offset);
        let kind = match writes {
            true => OpKind::Write(mode),
            false => OpKind::Read(mode),
        };
        let now = self.variable(object, offset, ty);
        Some(Step {
            at: Some((row.method, row.bci)),
            site: row.site,
            object,
            offset,
            ty,
            value: match writes {
                true => Self::as_stored(ty, value),
                false => now,
            },
            old: now,
            class,
            ..self.step(kind, place)
        })
    }
    fn field_of_point(&mut self, row: &MemoryPoint) -> Option<ResolvedField> {
        let class = self.method(row.method).class;
        let (c, k) = self.try_resolve_field(class, self.method(row.method).entry_at(row.index))?;
        let f = &self.class(c).fields[k as usize];
        Some(ResolvedField {
            class: c,
            offset: f.offset,
            mode: mode_of_field(f),
            ty: type_of_field(f),
        })
    }

    // --- Natives ---

    /// A native of the running thread is about to be called. `Block`: others go first.
    pub(super) fn before_native(
        &mut self,
        id: MethodId,
        args: &[u64],
    ) -> R<Option<(VisibleEffect, Step)>> {
        // one that runs again has been asked
        let alone = self.controlled.as_ref().is_some_and(|c| c.alone);
        if self.thread().system || self.thread().native_state[0] != 0 {
            return Ok(None);
        }
        let cur = self.cur;
        if self.is_copying(id, args) {
            return self.go_on_copying().map(Some);
        }
        let Some((reported, step)) = self.native_step(id, args) else {
            return Ok(None);
        };
        if alone && !matches!(reported, VisibleEffect::Starts | VisibleEffect::Waits) {
            return Ok(None);
        }
        if alone && matches!(reported, VisibleEffect::Starts) {
            self.before_start()?;
        }
        if let VisibleEffect::Copies = reported
            && let Some(copying) = self.array_copying(id, args)
        {
            let controlled = self.controlled.as_mut().expect("under control");
            *controlled.copying(cur) = Some(copying);
            return self.go_on_copying().map(Some);
        }
        if let VisibleEffect::Clones = reported {
            // once it is there
            return Ok(Some((reported, step)));
        }
        let step = Step {
            at: Some((id, 0)),
            site: self.method_site(id),
            ..step
        };
        self.at_point(&step)?;
        if let VisibleEffect::Write = reported {
            let ahead = self.since_turn();
            let stays = self.writes(&step, ahead);
            self.controlled.as_mut().expect("under control").amended = stays;
        }
        if let VisibleEffect::Copies = reported {
            self.will_copy(&step, args);
        }
        if let VisibleEffect::Update(false) = reported
            && self.memory_is_controlled()
            && self.is_weak()
            && self.fails(&step)
        {
            let op = Op::plain(OpKind::Step);
            self.done(&Step { op, ..step });
            return Ok(Some((VisibleEffect::Fails, step)));
        }
        Ok(Some((reported, step)))
    }
    /// Whether the native that is about to be called is a part of one that may fail without a reason.
    fn is_weak(&mut self) -> bool {
        let caller = self.caller().map(|m| self.method(m).name);
        caller.is_some_and(|name| self.syms.str(name).starts_with("weakCompareAndSet"))
    }
    fn native_step(&mut self, id: MethodId, args: &[u64]) -> Option<(VisibleEffect, Step)> {
        let m = self.method(id);
        let (class, name) = (self.name(m.class), self.syms.str(m.name).clone());
        let reference = |i: usize| Ref(args[i] as u32);
        let of_thread = |vm: &mut Vm, i: usize, kind: fn(rjvm_ops::ThreadNo) -> OpKind| {
            let (t, place) = vm.thread_target(reference(i))?;
            Some(vm.step(kind(t), place))
        };
        let monitor = |vm: &mut Vm, kind: OpKind| {
            let place = vm.place_of(reference(0), crate::heap::MARK);
            Some(Step {
                object: reference(0),
                ..vm.step(kind, place)
            })
        };
        let plain = |vm: &mut Vm, kind: OpKind| vm.step(kind, rjvm_ops::Place::NONE);
        Some(match (&*class, &*name) {
            ("jdk/internal/misc/Unsafe", "park") => {
                (VisibleEffect::Waits, plain(self, OpKind::Park))
            }
            ("jdk/internal/misc/Unsafe", "unpark") => {
                (VisibleEffect::Plain, of_thread(self, 1, OpKind::Unpark)?)
            }
            ("jdk/internal/misc/Unsafe", "fullFence") => (
                VisibleEffect::Plain,
                plain(self, OpKind::Fence(Mode::Volatile)),
            ),
            ("jdk/internal/misc/Unsafe", "loadFence") => (
                VisibleEffect::Plain,
                plain(self, OpKind::Fence(Mode::Acquire)),
            ),
            ("jdk/internal/misc/Unsafe", "storeFence") => (
                VisibleEffect::Plain,
                plain(self, OpKind::Fence(Mode::Release)),
            ),
            ("jdk/internal/misc/Unsafe", name) => {
                let (reported, ty, mode) = unsafe_native(name)?;
                let (object, offset) = (reference(1), u32::try_from(args[2]).ok()?);
                let inside = |o: Ref| self.heap.is_inside(o, offset as usize, 1);
                if object.is_null() || !inside(object) || self.is_private(object) {
                    return None;
                }
                let caller = self.caller()?;
                let mode = match self.method(caller).class == self.method(id).class {
                    true => mode_of(self.syms.str(self.method(caller).name), mode),
                    false => mode,
                };
                let kind = match reported {
                    VisibleEffect::Read => OpKind::Read(mode),
                    VisibleEffect::Write => OpKind::Write(mode),
                    _ => OpKind::Update(mode),
                };
                let place = self.place_of(object, offset);
                let old = self.variable(object, offset, ty);
                let value = match reported {
                    VisibleEffect::Write => Self::as_stored(ty, args[4]),
                    VisibleEffect::Update(_) if matches!(ty, b'J' | b'D') => args[6],
                    VisibleEffect::Update(_) => Self::as_stored(ty, args[5]),
                    _ => old,
                };
                let step = self.step(kind, place);
                (
                    reported,
                    Step {
                        object,
                        offset,
                        ty,
                        value,
                        old,
                        update: matches!(reported, VisibleEffect::Update(_)),
                        ..step
                    },
                )
            }
            // no thread of the program's: it stays alone
            ("java/lang/Thread", "start0") if self.serves_library(reference(0)) => return None,
            ("java/lang/Thread", "start0") => (
                VisibleEffect::Starts,
                Step {
                    object: reference(0),
                    ..plain(self, OpKind::Start(self.thread_no(self.cur)))
                },
            ),
            ("java/lang/Thread", "yield") => (VisibleEffect::Plain, plain(self, OpKind::Yield)),
            ("java/lang/Thread", "sleep") => (VisibleEffect::Waits, plain(self, OpKind::Sleep)),
            ("java/lang/Thread", "interrupt0") => {
                (VisibleEffect::Plain, of_thread(self, 0, OpKind::Interrupt)?)
            }
            ("java/lang/Thread", "isAlive") => {
                (VisibleEffect::Looks, of_thread(self, 0, OpKind::Join)?)
            }
            ("java/lang/Object", "wait") => (VisibleEffect::Waits, monitor(self, OpKind::Wait)?),
            ("java/lang/Object", "notify") => {
                (VisibleEffect::Plain, monitor(self, OpKind::Notify)?)
            }
            ("java/lang/Object", "notifyAll") => {
                (VisibleEffect::Plain, monitor(self, OpKind::NotifyAll)?)
            }
            ("java/lang/System", "arraycopy") => {
                let (dst, at) = (reference(2), args[3] as u32);
                if dst.is_null() || args[4] as i32 <= 0 || self.is_private(dst) {
                    return None;
                }
                let step = self.element_step(dst, at, true)?;
                (VisibleEffect::Copies, step)
            }
            ("java/lang/Object", "clone") => {
                let original = reference(0);
                if original.is_null() || self.is_private(original) {
                    return None;
                }
                let step = plain(self, OpKind::Step);
                let object = original;
                (VisibleEffect::Clones, Step { object, ..step })
            }
            _ => return None,
        })
    }
    /// A native has been called.
    pub(super) fn after_native(
        &mut self,
        id: MethodId,
        (reported, step): (VisibleEffect, Step),
        args: &[u64],
        result: R<u64>,
    ) -> R<u64> {
        let blocks = matches!(&result, Err(t) if matches!(**t, Throw::Block));
        let v = match (&result, reported) {
            (&Ok(v), _) => v,
            (Err(_), VisibleEffect::Waits | VisibleEffect::Plain) if blocks => {
                self.done(&step);
                return result;
            }
            _ => return result,
        };
        match reported {
            VisibleEffect::Read => {
                let ahead = self.since_turn();
                let found = self.reads(&step, ahead);
                let value = found.unwrap_or(step.value);
                self.done(&Step { value, ..step });
                return Ok(found.unwrap_or(v));
            }
            VisibleEffect::Write => {
                self.done(&step);
                let stays = self.controlled.as_mut().and_then(|c| c.amended.take());
                if let Some(stays) = stays {
                    self.restore(stays);
                }
            }
            VisibleEffect::Update(exchanges) => {
                let wrote = match exchanges {
                    false => v as u32 != 0,
                    true if matches!(step.ty, b'J' | b'D') => v == args[4],
                    true => v as u32 == args[4] as u32,
                };
                let mut step = step;
                if !wrote && let OpKind::Update(mode) = step.op.kind {
                    step.op = Op::new(OpKind::Read(mode), step.op.place);
                    step.value = self.variable(step.object, step.offset, step.ty);
                }
                self.done(&step);
            }
            VisibleEffect::Starts => {
                self.controlled.as_mut().expect("under control").alone = false;
                if let Some((child, place)) = self.thread_target(step.object) {
                    let op = Op::new(OpKind::Start(child), place);
                    self.done(&Step { op, ..step });
                }
            }
            VisibleEffect::Looks => self.done(&Step { value: v, ..step }),
            VisibleEffect::Copies => self.copied(step, args),
            VisibleEffect::Clones => {
                let copying = self.cloning(id, step.object, Ref(v as u32));
                let cur = self.cur;
                *self
                    .controlled
                    .as_mut()
                    .expect("under control")
                    .copying(cur) = Some(copying);
                self.go_on_copying()?;
            }
            _ => self.done(&step),
        }
        Ok(v)
    }
}
