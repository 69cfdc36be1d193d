//! Starting an agent: its jar joins the class path, its `InstrumentationImpl` is made, and its method is called. It is a
//! continuation, which runs on the main thread before the program, in `loadAgent0`, or on the thread that serves those
//! who attach.

use super::{AgentEntry, AgentStart};
use crate::classpath::ClassPathEntry;
use crate::ids::{ClassId, Ref};
use crate::jdk::JdkMethod;
use crate::jdk::calls::{app_class_loader, class_loader, instrumentation_impl};
use crate::natives::Env;
use crate::throw::{Call, Cont, Next, R, Throw};
use crate::value::Value;
use crate::vm::Vm;
use std::path::Path;

/// Steps of a start, in `data[1]`.
mod step {
    pub const JOIN: u64 = 0;
    pub const LOADER: u64 = 1;
    pub const APPEND: u64 = 2;
    pub const JOINED: u64 = 3;
    pub const MAKE: u64 = 4;
    pub const MADE: u64 = 5;
    pub const CALL: u64 = 6;
    pub const CALLED: u64 = 7;
    pub const REPORTED: u64 = 8;
}

impl Vm {
    /// The agent's number, and the continuation that adds its jar to the class paths. It must run before [`Vm::agent_caller`].
    pub fn agent_joiner(&mut self, start: AgentStart) -> (i64, Cont) {
        let agent = self.add_agent(&start.jar, start.permits);
        if let Some(a) = self.loaded.agents.get_mut(agent) {
            a.start = Some(Box::new(start));
        }
        let cont = Cont::own(joined, [agent as u64, step::JOIN, 0], [Ref::NULL; 3]);
        (agent, cont)
    }
    /// What makes an agent's `InstrumentationImpl` and calls the agent.
    pub fn agent_caller(&self, agent: i64) -> Cont {
        Cont::own(called, [agent as u64, step::MAKE, 0], [Ref::NULL; 3])
    }
    /// The boot loader looks into a jar or folder, too, after all others.
    pub fn append_to_boot_path(&mut self, path: &Path) {
        let Ok(Some(entry)) = ClassPathEntry::open(path) else {
            // as for HotSpot, what is not there is passed over
            return;
        };
        if let Some(boot) = &mut self.loaded.boot_path {
            boot.append_entry(entry);
        }
    }
    fn start_of(&self, agent: u64) -> Option<AgentStart> {
        let agent = self.loaded.agents.get(agent as i64)?;
        agent.start.as_deref().cloned()
    }
    /// The call that has a class loader look into a jar, too.
    fn append_call(&mut self, loader: Ref, jar: &str) -> R<Call> {
        let row = app_class_loader::APPEND;
        let (name, desc) = (self.syms.intern(row.name), self.syms.intern(row.desc));
        let class = self.class_of(loader);
        let Some(method) = self.find_method(class, name, desc) else {
            let text = "class loader does not support adding jar file to the search";
            return Err(Throw::msg("java/lang/UnsupportedOperationException", text));
        };
        let jar = self.new_string(jar)?;
        Ok(Call {
            made: None,
            method,
            args: [loader, jar].iter().map(|r| u64::from(r.0)).collect(),
        })
    }
    fn instrumentation_class(&mut self) -> R<ClassId> {
        let class = self.boot_class(instrumentation_impl::CALL_PREMAIN.class);
        self.ensure_initialized(class)?;
        Ok(class)
    }
    /// The call of the constructor, and the new object.
    fn make_call(&mut self, agent: u64, start: &AgentStart) -> R<(Ref, Call)> {
        let class = self.instrumentation_class()?;
        let object = self.alloc_object(class)?;
        let loud = self.has_method(instrumentation_impl::INIT);
        let silent = self.has_method(instrumentation_impl::INIT_SILENT);
        let init: JdkMethod = loud.or(silent).expect("each JDK has one of the two");
        let method = self.jdk_method(class, init);
        let flag = |b: bool| u64::from(b);
        // a `long` takes two slots
        let mut args = vec![u64::from(object.0), agent, 0];
        args.extend([
            flag(start.permits.redefine),
            flag(start.permits.native_prefix),
        ]);
        args.extend(loud.map(|_| flag(start.warns)));
        let call = Call {
            made: None,
            method,
            args: args.into_iter().collect(),
        };
        Ok((object, call))
    }
    fn entry_call(&mut self, object: Ref, start: &AgentStart) -> R<Call> {
        let callee = match start.entry {
            AgentEntry::Premain => instrumentation_impl::CALL_PREMAIN,
            AgentEntry::Agentmain => instrumentation_impl::CALL_AGENTMAIN,
        };
        let class = self.class_of(object);
        let method = self.jdk_method(class, callee);
        let name = self.new_string(&start.class)?;
        let options = match &start.options {
            Some(options) => self.new_string(options)?,
            None => Ref::NULL,
        };
        let args = [object, name, options];
        Ok(Call {
            made: None,
            method,
            args: args.iter().map(|r| u64::from(r.0)).collect(),
        })
    }
}

/// The jar joins the class paths.
fn joined(vm: &mut Vm, c: &mut Cont, input: Result<Value, Ref>) -> Next {
    join(vm, c, input).unwrap_or_else(Next::Throw)
}

fn join(vm: &mut Vm, c: &mut Cont, input: Result<Value, Ref>) -> R<Next> {
    let value = input.map_err(Throw::object)?;
    let Some(start) = vm.start_of(c.data[0]) else {
        return Ok(Next::Return(Value::Void));
    };
    if c.data[1] == step::JOIN {
        for path in &start.boot_class_path {
            vm.append_to_boot_path(Path::new(path));
        }
        if !start.join_class_path {
            return Ok(Next::Return(Value::Void));
        }
        let class = vm.loaded.known.class_loader;
        let method = vm.jdk_method(class, class_loader::GET_SYSTEM_CLASS_LOADER);
        c.data[1] = step::LOADER;
        return Ok(Next::Call(Call {
            made: None,
            method,
            args: Default::default(),
        }));
    }
    if c.data[1] == step::LOADER {
        c.refs[0] = value.reference();
        c.data[1] = step::APPEND;
    }
    if c.data[1] == step::APPEND {
        let call = vm.append_call(c.refs[0], &start.jar)?;
        c.data[1] = step::JOINED;
        return Ok(Next::Call(call));
    }
    Ok(Next::Return(Value::Void))
}

/// The agent's object is made, then its method is called.
fn called(vm: &mut Vm, c: &mut Cont, input: Result<Value, Ref>) -> Next {
    call(vm, c, input).unwrap_or_else(Next::Throw)
}

fn call(vm: &mut Vm, c: &mut Cont, input: Result<Value, Ref>) -> R<Next> {
    if c.data[1] == step::REPORTED {
        return Err(Throw::object(c.refs[1]));
    }
    if let Err(e) = input {
        return report(vm, c, e);
    }
    let Some(start) = vm.start_of(c.data[0]) else {
        return Ok(Next::Return(Value::Void));
    };
    if c.data[1] == step::MAKE {
        let (object, call) = vm.make_call(c.data[0], &start)?;
        c.refs[0] = object;
        c.data[1] = step::MADE;
        return Ok(Next::Call(call));
    }
    if c.data[1] == step::MADE {
        vm.set_agent_object(c.data[0] as i64, c.refs[0]);
        c.data[1] = step::CALL;
    }
    if c.data[1] == step::CALL {
        let call = vm.entry_call(c.refs[0], &start)?;
        c.data[1] = step::CALLED;
        return Ok(Next::Call(call));
    }
    Ok(Next::Return(Value::Void))
}

/// An exception of the agent is printed, then thrown on.
fn report(vm: &mut Vm, c: &mut Cont, e: Ref) -> R<Next> {
    let thread = vm.start_of(c.data[0]).and_then(|start| start.reports);
    let Some(thread) = thread else {
        return Err(Throw::object(e));
    };
    vm.print_error(&format!("Exception in thread \"{thread}\" "));
    let row = crate::jdk::calls::throwable::PRINT_STACK_TRACE;
    let throwable = vm.loaded.known.throwable;
    let method = vm.jdk_method(throwable, row);
    let method = vm.select_method(vm.class_of(e), method)?;
    (c.refs[1], c.data[1]) = (e, step::REPORTED);
    Ok(Next::Call(Call {
        made: None,
        method,
        args: [u64::from(e.0)].into_iter().collect(),
    }))
}

/// Both, one after the other.
fn both(vm: &mut Vm, c: &mut Cont, input: Result<Value, Ref>) -> Next {
    if c.data[1] >= step::MAKE {
        return called(vm, c, input);
    }
    match joined(vm, c, input) {
        Next::Return(_) => {
            c.data[1] = step::MAKE;
            called(vm, c, Ok(Value::Void))
        }
        next => next,
    }
}

impl Vm {
    /// What starts an agent: both continuations in one.
    pub fn agent_starter(&mut self, start: AgentStart) -> Cont {
        let (_, mut cont) = self.agent_joiner(start);
        cont.step = crate::throw::StepFn::own(both);
        cont
    }
}

impl Env {
    /// What starts an agent.
    pub fn agent_starter(&mut self, start: AgentStart) -> Cont {
        self.0.agent_starter(start)
    }
    /// The boot loader looks into a jar, too.
    pub fn append_to_boot_path(&mut self, path: &Path) {
        self.0.append_to_boot_path(path);
    }
    /// The call that has a class loader look into a jar, too.
    ///
    /// # Errors
    /// The loader has no method for it.
    pub fn append_call(&mut self, loader: Ref, jar: &str) -> R<Call> {
        self.0.append_call(loader, jar)
    }
}
