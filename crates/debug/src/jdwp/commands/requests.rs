//! EventRequest.

use super::super::codes::{Code, event};
use super::super::world::{Context, Done};
use crate::engine::{Depth, Filter, Policy, Refused, Size, What};

/// Most conditions of a request.
const MOST_FILTERS: u32 = 1 << 10;

pub(super) fn carry_out(c: &mut Context<'_, '_>, number: u8) -> Done {
    match number {
        1 => set(c),
        2 => {
            let (kind, id) = (c.r.u8()?, c.r.u32()?);
            let _ = kind;
            c.w.clear_requests(|r| r.id == id);
            Ok(())
        }
        3 => {
            c.w.clear_requests(|r| r.what == What::Breakpoint);
            Ok(())
        }
        _ => Err(Code::NOT_IMPLEMENTED),
    }
}

fn set(c: &mut Context<'_, '_>) -> Done {
    let kind = c.r.u8()?;
    let policy = match c.r.u8()? {
        0 => Policy::None,
        1 => Policy::Thread,
        2 => Policy::All,
        _ => return Err(Code::ILLEGAL_ARGUMENT),
    };
    let n = c.r.u32()?;
    if n > MOST_FILTERS {
        return Err(Code::ILLEGAL_ARGUMENT);
    }
    let (mut filters, mut step) = (Vec::new(), None);
    for _ in 0..n {
        filters.push(match c.r.u8()? {
            1 => match c.r.u32()? {
                n if n == 0 || n > i32::MAX as u32 => return Err(Code::INVALID_COUNT),
                n => Filter::Count(n),
            },
            // reserved for expressions, which there are none of
            2 => {
                c.r.u32()?;
                return Err(Code::NOT_IMPLEMENTED);
            }
            3 => {
                let object = c.thread_object()?;
                Filter::Thread(c.id(object))
            }
            4 => Filter::ClassOnly(c.class()?),
            5 => Filter::ClassMatch(c.r.text()?.into()),
            6 => Filter::ClassExclude(c.r.text()?.into()),
            7 => Filter::Location(c.location()?),
            8 => {
                let id = c.r.u64()?;
                let class = match id {
                    0 => None,
                    id => Some(c.class_of(id)?),
                };
                Filter::Exception {
                    class,
                    caught: c.r.u8()? != 0,
                    uncaught: c.r.u8()? != 0,
                }
            }
            9 => {
                let _class = c.class()?;
                let (holder, index) = c.field()?;
                Filter::Field { holder, index }
            }
            10 => {
                let object = c.thread_object()?;
                let t = c.alive(object).ok_or(Code::INVALID_THREAD)?;
                let size = match c.r.u32()? {
                    0 => Size::Bytecode,
                    1 => Size::Line,
                    _ => return Err(Code::ILLEGAL_ARGUMENT),
                };
                let depth = match c.r.u32()? {
                    0 => Depth::Into,
                    1 => Depth::Over,
                    2 => Depth::Out,
                    _ => return Err(Code::ILLEGAL_ARGUMENT),
                };
                step = Some(What::Step(t, size, depth));
                Filter::Thread(c.id(object))
            }
            11 => Filter::Instance(c.r.u64()?),
            12 => Filter::Source(c.r.text()?.into()),
            13 => Filter::PlatformThreads,
            _ => return Err(Code::ILLEGAL_ARGUMENT),
        });
    }
    let what = match kind {
        event::SINGLE_STEP => step.ok_or(Code::ILLEGAL_ARGUMENT)?,
        event::BREAKPOINT => What::Breakpoint,
        event::EXCEPTION => What::Exception,
        event::THREAD_START => What::ThreadStart,
        event::THREAD_DEATH => What::ThreadEnd,
        event::CLASS_PREPARE => What::ClassPrepare,
        event::CLASS_UNLOAD => What::ClassUnload,
        event::FIELD_ACCESS => What::FieldAccess,
        event::FIELD_MODIFICATION => What::FieldWrite,
        event::METHOD_ENTRY => What::MethodEntry,
        event::METHOD_EXIT => What::MethodExit(false),
        event::METHOD_EXIT_WITH_RETURN_VALUE => What::MethodExit(true),
        event::MONITOR_CONTENDED_ENTER => What::MonitorEnter,
        event::MONITOR_CONTENDED_ENTERED => What::MonitorEntered,
        event::MONITOR_WAIT => What::MonitorWait,
        event::MONITOR_WAITED => What::MonitorWaited,
        event::VM_START => What::VmStart,
        event::VM_DEATH => What::VmDeath,
        _ => return Err(Code::INVALID_EVENT_TYPE),
    };
    if step.is_some() && !matches!(what, What::Step(..)) {
        return Err(Code::ILLEGAL_ARGUMENT);
    }
    let id =
        c.w.request(what, policy, filters)
            .map_err(|why| match why {
                Refused::TooMany => Code::OUT_OF_MEMORY,
                Refused::NoLocation => Code::INVALID_LOCATION,
                Refused::Duplicate => Code::DUPLICATE,
                Refused::Incomplete => Code::ILLEGAL_ARGUMENT,
            })?;
    c.out.u32(id);
    Ok(())
}
