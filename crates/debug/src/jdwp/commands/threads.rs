//! ThreadReference and StackFrame.

use super::super::codes::Code;
use super::super::world::{Context, Done, letter_of};
use crate::engine::Location;
use rjvm_vm::debug::{CannotPop, DebugFrame};
use rjvm_vm::jdk;
use rjvm_vm::{Ref, ThreadId, Value};

/// In the status of a thread that is suspended.
const SUSPENDED: u32 = 1;
/// The status of a thread that has not begun, for which the protocol has no number.
const NOT_BEGUN: u32 = u32::MAX;

pub(super) fn carry_out(c: &mut Context<'_, '_>, set: u8, number: u8) -> Done {
    match set {
        11 => thread(c, number),
        _ => frame(c, number),
    }
}

fn thread(c: &mut Context<'_, '_>, number: u8) -> Done {
    match number {
        1 => {
            let object = c.thread_object()?;
            let name = c.vm().get(object, jdk::thread::NAME);
            c.put_text(name);
        }
        2 => {
            let object = c.thread_object()?;
            c.w.suspend_object(object);
        }
        3 => {
            let object = c.thread_object()?;
            c.w.resume_object(object);
        }
        4 => {
            let object = c.thread_object()?;
            let alive = c.alive(object);
            let (status, suspended) = match alive {
                None if c.w.vm.has_begun(object) => (0, 0),
                None => (NOT_BEGUN, 0),
                Some(t) => {
                    let suspended = c.w.suspend_count(t) > 0;
                    (
                        status(c.w.vm.debug_status(t)),
                        u32::from(suspended) * SUSPENDED,
                    )
                }
            };
            c.out.u32(status).u32(suspended);
        }
        5 => {
            let object = c.thread_object()?;
            let group = c.vm().group_of_thread(object);
            c.put_object(group);
        }
        6 => frames(c)?,
        7 => {
            let t = stopped(c)?;
            let n = c.vm().debug_frames(t).len();
            c.out.u32(n as u32);
        }
        8 | 13 => {
            let t = stopped(c)?;
            let mut all = c.vm().env().locked_monitors(t);
            // the top frame's first, and of a frame the first that it has entered
            all.reverse();
            all.sort_by_key(|m| m.0);
            c.out.u32(all.len() as u32);
            for (depth, object) in all {
                c.put_tagged_object(object);
                if number == 13 {
                    c.out.u32(depth as u32);
                }
            }
        }
        9 => {
            let t = stopped(c)?;
            let object = c.vm().contended_monitor(t);
            c.put_tagged_object(object);
        }
        10 => {
            let object = c.thread_object()?;
            let thrown = c.object()?;
            let throwable = c.vm().known().throwable;
            if !c.vm().instance_of(thrown, throwable) {
                return Err(Code::INVALID_OBJECT);
            }
            if c.alive(object).is_none() {
                return Err(Code::INVALID_THREAD);
            }
            let _ = c.vm().env().thread_stop(object, thrown);
        }
        11 => {
            let t = c.thread()?;
            c.vm().interrupt_thread(t);
        }
        12 => {
            let object = c.thread_object()?;
            let n = c.w.suspensions(object);
            c.out.u32(n);
        }
        14 => {
            let t = c.suspended()?;
            let (_, v) = c.tagged()?;
            c.w.force_return(t, v).map_err(code_of)?;
        }
        15 => {
            let object = c.thread_object()?;
            let is = c.vm().is_virtual_thread(object);
            c.out.flag(is);
        }
        _ => return Err(Code::NOT_IMPLEMENTED),
    }
    Ok(())
}

/// A thread whose frames can be looked at. One that is not alive has none, but has to be suspended, too.
fn stopped(c: &mut Context<'_, '_>) -> Done<ThreadId> {
    let object = c.thread_object()?;
    match (c.w.suspensions(object), c.alive(object)) {
        (0, _) => Err(Code::THREAD_NOT_SUSPENDED),
        (_, alive) => alive.ok_or(Code::INVALID_THREAD),
    }
}

fn code_of(why: CannotPop) -> Code {
    match why {
        CannotPop::NoFrame => Code::NO_MORE_FRAMES,
        CannotPop::Opaque => Code::OPAQUE_FRAME,
        CannotPop::Type => Code::TYPE_MISMATCH,
    }
}

/// The status of a thread, out of the bits that `Thread.threadStatus` has.
fn status(bits: i32) -> u32 {
    const SLEEPING: i32 = 0x40;
    const BLOCKED: i32 = 0x400;
    const WAITING: i32 = 0x80;
    match bits {
        b if b & 1 == 0 => 0,
        b if b & SLEEPING != 0 => 2,
        b if b & BLOCKED != 0 => 3,
        b if b & WAITING != 0 => 4,
        _ => 1,
    }
}

fn frame_number(c: &Context<'_, '_>, t: ThreadId, i: usize) -> u64 {
    u64::from(c.w.generation(t)) << 32 | (i as u64 + 1)
}

fn frames(c: &mut Context<'_, '_>) -> Done {
    let t = stopped(c)?;
    let (first, n) = (c.r.i32()?, c.r.i32()?);
    let frames = c.vm().debug_frames(t);
    let count = frames.len() as i64;
    let n = match n {
        -1 => count - i64::from(first),
        n => n.into(),
    };
    if n == 0 {
        c.out.u32(0);
        return Ok(());
    }
    if !(0..count).contains(&first.into()) {
        return Err(Code::INVALID_INDEX);
    }
    if n < 0 || i64::from(first) + n > count {
        return Err(Code::INVALID_LENGTH);
    }
    let (first, n) = (first as usize, n as usize);
    c.out.u32(n as u32);
    for (i, f) in frames.iter().enumerate().skip(first).take(n) {
        let number = frame_number(c, t, i);
        c.out.u64(number);
        c.put_location(Location {
            method: f.method,
            bci: f.bci,
        });
    }
    Ok(())
}

fn frame(c: &mut Context<'_, '_>, number: u8) -> Done {
    let t = stopped(c)?;
    let (n, f) = c.frame(t)?;
    match number {
        1 => {
            let count = c.r.count(5)?;
            c.out.u32(count as u32);
            for _ in 0..count {
                let (slot, letter) = (c.r.u32()?, c.r.u8()?);
                let letter = letter_of(letter).ok_or(Code::INVALID_TAG)?;
                let v = local(&f, slot, letter)?;
                c.put_value(letter, v);
            }
        }
        2 => {
            for _ in 0..c.r.count(5)? {
                let slot = c.r.u32()?;
                let (letter, v) = c.tagged()?;
                local(&f, slot, letter)?;
                if !fits(c, &f, slot, v) {
                    return Err(Code::TYPE_MISMATCH);
                }
                let slot = u16::try_from(slot).map_err(|_| Code::INVALID_SLOT)?;
                if !c.vm().set_local(t, n, slot, kind_of(letter), v) {
                    return Err(Code::INVALID_SLOT);
                }
            }
        }
        3 => {
            let is_static = c.vm().method(f.method).is_static();
            let this = match f.locals.first() {
                Some((b'A', Value::Ref(r))) if !is_static => *r,
                _ => Ref::NULL,
            };
            c.put_tagged_object(this);
        }
        4 => {
            c.vm().pop_frames(t, n + 1).map_err(code_of)?;
            c.w.frames_change(t);
        }
        _ => return Err(Code::NOT_IMPLEMENTED),
    }
    Ok(())
}

/// The kind of slot that holds values of a type.
fn kind_of(letter: u8) -> u8 {
    match letter {
        b'J' | b'F' | b'D' => letter,
        b'L' | b'[' => b'A',
        _ => b'I',
    }
}

fn local(f: &DebugFrame, slot: u32, letter: u8) -> Done<Value> {
    if f.bci.is_none() && f.locals.is_empty() {
        return Err(Code::OPAQUE_FRAME);
    }
    let Some((kind, v)) = f.locals.get(slot as usize) else {
        return Err(Code::INVALID_SLOT);
    };
    match *kind {
        0 => Err(Code::INVALID_SLOT),
        kind if kind == kind_of(letter) => Ok(match (letter, *v) {
            (b'Z', Value::Int(v)) => Value::Int(v & 1),
            (_, v) => v,
        }),
        _ => Err(Code::TYPE_MISMATCH),
    }
}

/// Whether an object is what the class file says of a variable.
fn fits(c: &mut Context<'_, '_>, f: &DebugFrame, slot: u32, v: Value) -> bool {
    let (Value::Ref(_), Some(bci)) = (v, f.bci) else {
        return true;
    };
    let m = c.w.vm.method(f.method);
    let class = m.class;
    let Some(code) = m.code().map(|code| code.kept()) else {
        return true;
    };
    let row = code.attr().local_variables.iter().find(|row| {
        let range = u32::from(row.start_pc)..u32::from(row.start_pc) + u32::from(row.length);
        u32::from(row.index) == slot && range.contains(&u32::from(bci))
    });
    let descriptor = row.and_then(|row| code.cf.constant_pool.str(row.descriptor).ok());
    descriptor.is_none_or(|d| super::types::may_be(c, v, d, class))
}
