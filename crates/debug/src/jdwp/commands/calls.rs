//! Calls of methods in suspended threads: they are replied to when they have ended.

use super::super::codes::{Code, invoke};
use super::super::wire::Writer;
use super::super::world::{Context, Done, object_tag, put_plain};
use super::Answer;
use crate::engine::World;
use hashbrown::HashMap;
use rjvm_classfile::descriptor::parameters;
use rjvm_vm::classes::InitState;
use rjvm_vm::debug::{CallEnded, CallRequest};
use rjvm_vm::{ClassId, MethodId, Ref, ThreadId, Value};

/// Calls that are under way, by their numbers: the packets that they answer, and whether they make objects.
#[derive(Default)]
pub(in super::super) struct Calls(HashMap<u64, (u32, bool)>);

impl Calls {
    /// A call has ended: the packet that it answers, and the reply.
    pub fn ended(&mut self, w: &mut World<'_>, ended: &CallEnded) -> Option<(u32, Vec<u8>)> {
        let (id, makes) = self.0.remove(&ended.number)?;
        let mut out = Writer::new();
        match ended.result {
            Ok((b'L' | b'[', cell)) => {
                let r = w.vm.heap().cell(cell as u32);
                put(w, &mut out, r);
                put(w, &mut out, Ref::NULL);
            }
            Ok((letter, bits)) => {
                out.u8(letter);
                put_plain(&mut out, letter, bits);
                put(w, &mut out, Ref::NULL);
            }
            Err(cell) => {
                let r = w.vm.heap().cell(cell);
                match makes {
                    true => put(w, &mut out, Ref::NULL),
                    false => _ = out.u8(b'V'),
                }
                put(w, &mut out, r);
            }
        }
        Some((id, out.done()))
    }
}

fn put(w: &mut World<'_>, out: &mut Writer, r: Ref) {
    let id = w.engine.objects.id(w.vm, r);
    out.u8(object_tag(w.vm, r)).u64(id);
}

/// What a call takes: the arguments, and the options.
fn arguments(c: &mut Context<'_, '_>, m: MethodId) -> Done<(Vec<Value>, u32)> {
    let n = c.r.count(1)?;
    let method = c.w.vm.method(m);
    let (desc, class) = (method.desc, method.class);
    let desc = c.w.vm.symbols().str(desc).to_string();
    let types: Vec<&str> = parameters(&desc).collect();
    if types.len() != n {
        return Err(Code::ILLEGAL_ARGUMENT);
    }
    let mut all = Vec::new();
    for ty in types {
        let (_, v) = c.tagged()?;
        if !super::types::may_be(c, v, ty, class) {
            return Err(Code::TYPE_MISMATCH);
        }
        all.push(v);
    }
    Ok((all, c.r.u32()?))
}

fn begin(
    c: &mut Context<'_, '_>,
    calls: &mut Calls,
    id: u32,
    t: ThreadId,
    call: CallRequest,
    options: u32,
) -> Done<Answer> {
    if c.w.is_calling(t) {
        return Err(Code::ALREADY_INVOKING);
    }
    let makes = call.makes.is_some();
    let alone = options & invoke::SINGLE_THREADED != 0;
    let number = c.w.call(t, call, alone).ok_or(Code::INVALID_THREAD)?;
    calls.0.insert(number, (id, makes));
    Ok(Answer::Later)
}

fn is_initializer(c: &mut Context<'_, '_>, m: MethodId) -> bool {
    let name = c.vm().method(m).name;
    c.vm().symbols().str(name).starts_with('<')
}

/// ClassType.InvokeMethod, and InterfaceType.InvokeMethod: static methods.
pub(super) fn of_class(
    c: &mut Context<'_, '_>,
    calls: &mut Calls,
    id: u32,
    interface: bool,
) -> Done<Answer> {
    let class = c.class()?;
    if c.vm().class(class).is_interface() != interface {
        return Err(Code::INVALID_CLASS);
    }
    let t = c.suspended()?;
    let m = c.method()?;
    let owner = c.vm().method(m).class;
    let inherits = owner == class || !interface && is_above(c, class, owner);
    if !c.vm().method(m).is_static() || !inherits || is_initializer(c, m) {
        return Err(Code::INVALID_METHODID);
    }
    let (arguments, options) = arguments(c, m)?;
    let call = CallRequest {
        number: 0,
        method: m,
        initializes: Some(owner),
        makes: None,
        arguments,
    };
    begin(c, calls, id, t, call, options)
}

fn is_above(c: &mut Context<'_, '_>, class: ClassId, owner: ClassId) -> bool {
    let up = |&k: &ClassId| c.w.vm.class(k).super_class;
    std::iter::successors(Some(class), up).any(|k| k == owner)
}

/// ClassType.NewInstance
pub(super) fn new_instance(c: &mut Context<'_, '_>, calls: &mut Calls, id: u32) -> Done<Answer> {
    let class = c.class()?;
    let t = c.suspended()?;
    let m = c.method()?;
    let name = c.vm().method(m).name;
    let constructs = c.vm().symbols().str(name).to_string() == "<init>";
    if !constructs || c.vm().method(m).class != class || c.vm().class(class).is_abstract() {
        return Err(Code::INVALID_METHODID);
    }
    let (arguments, options) = arguments(c, m)?;
    let call = CallRequest {
        number: 0,
        method: m,
        initializes: None,
        makes: Some(class),
        arguments,
    };
    begin(c, calls, id, t, call, options)
}

/// ObjectReference.InvokeMethod
pub(super) fn of_object(c: &mut Context<'_, '_>, calls: &mut Calls, id: u32) -> Done<Answer> {
    let object = c.object()?;
    let t = c.suspended()?;
    let _class = c.class()?;
    let m = c.method()?;
    let owner = c.vm().method(m).class;
    if is_initializer(c, m) || c.vm().init_state(owner) == InitState::Loaded {
        return Err(Code::INVALID_METHODID);
    }
    let is_static = c.vm().method(m).is_static();
    if !is_static && !c.vm().instance_of(object, owner) {
        return Err(Code::INVALID_METHODID);
    }
    let (mut arguments, options) = arguments(c, m)?;
    let mut method = m;
    if !is_static {
        if options & invoke::NONVIRTUAL == 0 {
            let class = c.vm().class_of(object);
            method = c
                .vm()
                .env()
                .select_method(class, m)
                .map_err(|_| Code::INVALID_METHODID)?;
        }
        if c.vm().method(method).is_abstract() {
            return Err(Code::INVALID_METHODID);
        }
        arguments.insert(0, Value::Ref(object));
    }
    let call = CallRequest {
        number: 0,
        method,
        initializes: is_static.then_some(owner),
        makes: None,
        arguments,
    };
    begin(c, calls, id, t, call, options)
}
