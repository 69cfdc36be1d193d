//! Events as packets.

use super::codes::event;
use super::wire::Writer;
use super::world::{
    field_number, object_tag, put_location, put_shown, signature, status_of, type_tag,
};
use crate::engine::{Event, Happened, Policy, What, World};
use rjvm_vm::Ref;

/// The number of a policy.
pub(super) fn policy_number(p: Policy) -> u8 {
    match p {
        Policy::None => 0,
        Policy::Thread => 1,
        Policy::All => 2,
    }
}

/// What a composite event says.
pub(super) fn composite(w: &mut World<'_>, happened: &Happened) -> Vec<u8> {
    let mut out = Writer::new();
    out.u8(policy_number(happened.policy));
    out.u32(happened.events.len() as u32);
    for (request, e) in &happened.events {
        one(w, &mut out, happened, *request, e);
    }
    out.done()
}

fn one(w: &mut World<'_>, out: &mut Writer, happened: &Happened, request: u32, e: &Event) {
    let thread = happened.thread_object;
    out.u8(kind_of(e)).u32(request);
    let tagged = |w: &mut World<'_>, out: &mut Writer, id| {
        let r = w.engine.objects.get(w.vm, id).unwrap_or(Ref::NULL);
        out.u8(object_tag(w.vm, r)).u64(id);
    };
    match e {
        Event::VmDeath => {}
        Event::VmStart | Event::ThreadStart | Event::ThreadEnd => _ = out.u64(thread),
        Event::Step(at) | Event::Breakpoint(at) | Event::MethodEntry(at) => {
            out.u64(thread);
            put_location(w, out, *at);
        }
        Event::MethodExit(at, value) => {
            out.u64(thread);
            put_location(w, out, *at);
            if let Some(value) = value {
                put_shown(w, out, *value);
            }
        }
        Event::Exception {
            at,
            exception,
            caught,
        } => {
            out.u64(thread);
            put_location(w, out, *at);
            tagged(w, out, *exception);
            match caught {
                Some(at) => put_location(w, out, *at),
                None => _ = out.u8(0).u64(0).u64(0).u64(0),
            }
        }
        Event::ClassPrepare(c) => {
            let mirror = w.vm.mirror(*c);
            let id = w.engine.objects.id(w.vm, mirror);
            out.u64(thread).u8(type_tag(w.vm, *c)).u64(id);
            out.text(&signature(w.vm, *c)).u32(status_of(w.vm, *c));
        }
        Event::ClassUnload(descriptor) => _ = out.text(descriptor),
        Event::Field {
            at,
            holder,
            index,
            object,
            value,
        } => {
            out.u64(thread);
            put_location(w, out, *at);
            let mirror = w.vm.mirror(*holder);
            let id = w.engine.objects.id(w.vm, mirror);
            out.u8(type_tag(w.vm, *holder)).u64(id);
            out.u64(field_number(*holder, *index));
            tagged(w, out, *object);
            if let Some(value) = value {
                put_shown(w, out, *value);
            }
        }
        Event::Monitor {
            what,
            at,
            object,
            timeout,
            timed_out,
        } => {
            out.u64(thread);
            tagged(w, out, *object);
            put_location(w, out, *at);
            match what {
                What::MonitorWait => _ = out.u64(*timeout as u64),
                What::MonitorWaited => _ = out.flag(*timed_out),
                _ => {}
            }
        }
    }
}

/// The number of a kind of event.
fn kind_of(e: &Event) -> u8 {
    match e {
        Event::Step(_) => event::SINGLE_STEP,
        Event::Breakpoint(_) => event::BREAKPOINT,
        Event::MethodEntry(_) => event::METHOD_ENTRY,
        Event::MethodExit(_, None) => event::METHOD_EXIT,
        Event::MethodExit(..) => event::METHOD_EXIT_WITH_RETURN_VALUE,
        Event::Exception { .. } => event::EXCEPTION,
        Event::ClassPrepare(_) => event::CLASS_PREPARE,
        Event::ClassUnload(_) => event::CLASS_UNLOAD,
        Event::Field { value: None, .. } => event::FIELD_ACCESS,
        Event::Field { .. } => event::FIELD_MODIFICATION,
        Event::ThreadStart => event::THREAD_START,
        Event::ThreadEnd => event::THREAD_DEATH,
        Event::Monitor { what, .. } => match what {
            What::MonitorEnter => event::MONITOR_CONTENDED_ENTER,
            What::MonitorEntered => event::MONITOR_CONTENDED_ENTERED,
            What::MonitorWait => event::MONITOR_WAIT,
            _ => event::MONITOR_WAITED,
        },
        Event::VmStart => event::VM_START,
        Event::VmDeath => event::VM_DEATH,
    }
}
