//! What an embedder asks of a VM, as continuations of the VM: so it continues wherever it was stopped (at the end of the
//! fuel, for another thread's turn, for a collection) whether it was requested from outside or by a host function.

use super::convert;
use super::error::Error;
use super::exception;
use super::handle::{Class, Object};
use super::members::{self, Kind};
use super::state::State;
use super::value::{Type, Value};
use rjvm_vm::throw::{Call, Cont, Next};
use rjvm_vm::{ClassId, LoaderId, MethodId, Ref, Throw, Value as Slot, Vm as Core};
use std::sync::Arc;

/// Steps that run Java code in between.
pub(super) trait Job: Send {
    /// Continues with the result or exception of the last call. Work that was put off because Java code, a collection or another
    /// thread had to come first runs again, without a result.
    fn step(&mut self, core: &mut Core, input: Result<Slot, Ref>) -> Result<Step, StepFailure>;
}

/// What a job wants next.
pub(super) enum Step {
    /// Call this method.
    Call(Call),
    /// It is done.
    Done(Value),
}

/// Why a step has no result.
pub(super) enum StepFailure {
    /// The exception or result for Java code.
    Throw(Box<Throw>),
    /// What the embedder got wrong.
    Error(Error),
}

impl From<Box<Throw>> for StepFailure {
    fn from(t: Box<Throw>) -> StepFailure {
        StepFailure::Throw(t)
    }
}

impl From<Error> for StepFailure {
    fn from(e: Error) -> StepFailure {
        StepFailure::Error(e)
    }
}

/// Keeps a job in its VM; its number, and the continuation that does it. The result is in the VM's state then, unless
/// an exception is thrown.
pub(super) fn begin(core: &mut Core, job: Box<dyn Job>) -> (u64, Cont) {
    core.begin_request();
    State::forget_dropped(core);
    let id = State::of(core).add_job(job);
    let cont = Cont::of_host(core, step, [id, 0, 0], [Ref::NULL; 3]);
    (id, cont)
}

fn step(core: &mut Core, cont: &mut Cont, input: Result<Slot, Ref>) -> Next {
    let id = cont.data[0];
    let Some(mut job) = State::of(core).take_job(id) else {
        panic!("job {id} is already under way");
    };
    let result = match job.step(core, input) {
        Ok(Step::Call(call)) => {
            State::of(core).put_job(id, job);
            return Next::Call(call);
        }
        Err(StepFailure::Throw(t)) => {
            if !matches!(*t, Throw::Object(_) | Throw::New { .. }) {
                State::of(core).put_job(id, job);
            }
            return Next::Throw(t);
        }
        Ok(Step::Done(value)) => Ok(value),
        Err(StepFailure::Error(e)) => Err(e),
    };
    State::of(core).set_result(id, result);
    Next::Return(Slot::Void)
}

/// A class as an embedder names it.
#[derive(Clone)]
pub(super) enum ClassRef {
    /// By name, to be loaded by the application's loader.
    Name(String),
    /// Loaded already.
    Loaded(Class),
}

impl ClassRef {
    /// The class, loaded. The handle keeps it from being unloaded meanwhile.
    fn find(&mut self, core: &mut Core, input: Result<Slot, Ref>) -> Result<ClassId, StepFailure> {
        let name = match self {
            ClassRef::Loaded(class) => {
                input.map_err(Throw::object)?;
                return Ok(class.id(core)?);
            }
            ClassRef::Name(name) => name,
        };
        if let Err(e) = input {
            let missing = exception::is_missing_class(core, e, name);
            return Err(match missing {
                true => Error::NotFound(format!("class {name}")).into(),
                false => Throw::object(e).into(),
            });
        }
        let internal = name.replace('.', "/");
        let loader = State::of(core).loader;
        let class = match core.load_class(loader, &internal) {
            Err(t) if t.is_new("java/lang/ClassNotFoundException") => {
                return Err(Error::NotFound(format!("class {name}")).into());
            }
            other => other?,
        };
        *self = ClassRef::Loaded(Class::new(core, class));
        Ok(class)
    }
}

/// Loads a class; the result is its mirror.
pub(super) struct Load(pub(super) ClassRef);

impl Job for Load {
    fn step(&mut self, core: &mut Core, input: Result<Slot, Ref>) -> Result<Step, StepFailure> {
        let class = self.0.find(core, input)?;
        let mirror = core.mirror(class);
        Ok(Step::Done(Value::Object(Object::new(core, mirror))))
    }
}

/// Whose method is called.
pub(super) enum Target {
    /// A static method of a class.
    Static(ClassRef),
    /// A constructor of a class.
    New(ClassRef),
    /// A method of an object.
    Of(Object),
}

/// A method that has been looked up. The class stays loaded by it.
#[derive(Clone, Debug)]
pub(super) struct Resolved {
    pub(super) class: Class,
    pub(super) method: MethodId,
    pub(super) desc: Arc<str>,
}

/// Calls a method or a constructor.
pub(super) struct Invoke {
    target: Target,
    name: String,
    /// It need not be looked up by its name.
    resolved: Option<Resolved>,
    args: Vec<Value>,
    want: Type,
    /// The method that `Next::Call` requested, and the descriptor of its result.
    called: Option<String>,
    made: Option<Object>,
    /// The class has been loaded.
    loaded: bool,
}

impl Invoke {
    pub(super) fn new(target: Target, name: &str, args: Vec<Value>, want: Type) -> Box<Invoke> {
        Box::new(Invoke {
            target,
            name: name.into(),
            resolved: None,
            args,
            want,
            called: None,
            made: None,
            loaded: false,
        })
    }
    /// Calls a method that has been looked up.
    pub(super) fn of_resolved(
        target: Target,
        resolved: Resolved,
        args: Vec<Value>,
        want: Type,
    ) -> Box<Invoke> {
        let mut invoke = Invoke::new(target, "", args, want);
        invoke.resolved = Some(resolved);
        invoke
    }
}

impl Job for Invoke {
    fn step(&mut self, core: &mut Core, input: Result<Slot, Ref>) -> Result<Step, StepFailure> {
        if let Some(desc) = &self.called {
            let result = input.map_err(Throw::object)?;
            return Ok(Step::Done(match self.made.take() {
                Some(made) => Value::Object(made),
                None => convert::lift(core, desc, result, self.want)?,
            }));
        }
        let (class, kind) = match &mut self.target {
            Target::Static(class) | Target::New(class) if !self.loaded => {
                class.find(core, input)?;
                self.loaded = true;
                return self.step(core, Ok(Slot::Void));
            }
            Target::Static(class) => (class.find(core, input)?, Kind::Static),
            Target::New(class) => (class.find(core, input)?, Kind::Constructor),
            Target::Of(object) => {
                input.map_err(Throw::object)?;
                let object = object.at(core)?;
                if let Some(found) = &self.resolved {
                    let class = found.class.id(core)?;
                    if !core.instance_of(object, class) {
                        let name = found.class.name();
                        return Err(Error::Type(format!("the object is not a {name}")).into());
                    }
                }
                (core.class_of(object), Kind::Instance)
            }
        };
        let loader = core.class(class).loader;
        let (method, desc) = match &self.resolved {
            Some(found) => (found.method, found.desc.clone()),
            None => members::method(core, class, kind, &self.name, &self.args)?,
        };
        if kind != Kind::Constructor && self.resolved.is_none() {
            members::check_result(core, method, &desc, self.want)?;
        }
        let result = members::result(&desc).to_owned();
        if kind == Kind::Constructor && class == core.known().class {
            return Err(Throw::msg("java/lang/IllegalAccessException", "java.lang.Class").into());
        }
        if kind == Kind::Constructor && core.class(class).is_abstract() {
            return Err(Throw::msg(
                "java/lang/InstantiationException",
                core.class(class).dotted(),
            )
            .into());
        }
        if kind != Kind::Instance {
            core.ensure_initialized(class)?;
        }
        let args = self.slots(core, class, method, &desc, loader)?;
        self.called = Some(result);
        let method = match &self.target {
            Target::Of(_) => core.select_method(class, method)?,
            _ => method,
        };
        Ok(Step::Call(Call::new(core.env(), method, &args)))
    }
}

impl Invoke {
    /// The arguments, `this` first. Nothing is collected between the first and the last.
    fn slots(
        &mut self,
        core: &mut Core,
        class: ClassId,
        method: MethodId,
        desc: &str,
        loader: LoaderId,
    ) -> Result<Vec<Slot>, StepFailure> {
        let loader = match core.method(method).class {
            declaring if declaring == class => loader,
            declaring => core.class(declaring).loader,
        };
        let mut slots = Vec::with_capacity(self.args.len() + 1);
        for (ty, value) in members::parameters(desc).zip(&self.args) {
            slots.push(convert::lower(core, loader, ty, value)?);
        }
        match &self.target {
            Target::Static(_) => {}
            Target::Of(object) => slots.insert(0, object.at(core)?.into()),
            Target::New(_) => {
                let this = core.alloc_object(class)?;
                slots.insert(0, this.into());
                self.made = Some(Object::new(core, this));
            }
        }
        Ok(slots)
    }
}

/// Whose field is read or written.
pub(super) enum Owner {
    /// A static field of a class.
    Static(ClassRef),
    /// A field of an object.
    Of(Object),
}

/// Reads a field, or writes it.
pub(super) struct Access {
    owner: Owner,
    name: String,
    value: Option<Value>,
    want: Type,
    loaded: bool,
}

impl Access {
    pub(super) fn new(owner: Owner, name: &str, value: Option<Value>, want: Type) -> Box<Access> {
        Box::new(Access {
            owner,
            name: name.into(),
            value,
            want,
            loaded: false,
        })
    }
}

impl Job for Access {
    fn step(&mut self, core: &mut Core, input: Result<Slot, Ref>) -> Result<Step, StepFailure> {
        let is_static = matches!(self.owner, Owner::Static(_));
        let class = match &mut self.owner {
            Owner::Static(class) if !self.loaded => {
                class.find(core, input)?;
                self.loaded = true;
                return self.step(core, Ok(Slot::Void));
            }
            Owner::Static(class) => class.find(core, input)?,
            Owner::Of(object) => {
                input.map_err(Throw::object)?;
                let object = object.at(core)?;
                core.class_of(object)
            }
        };
        let (declaring, field) = members::field(core, class, &self.name, is_static)?;
        if is_static {
            core.ensure_initialized(declaring)?;
        }
        let desc = core.symbols().str(field.desc).clone();
        let holder = |core: &mut Core| match &self.owner {
            Owner::Static(_) => Ok(core.mirror(declaring)),
            Owner::Of(object) => object.at(core),
        };
        let Some(value) = &self.value else {
            let holder = holder(core)?;
            let slot = members::read(core, holder, &field);
            return Ok(Step::Done(convert::lift(core, &desc, slot, self.want)?));
        };
        let loader = core.class(declaring).loader;
        let slot = convert::lower(core, loader, &desc, value)?;
        let holder = holder(core)?;
        members::write(core, holder, &field, slot)?;
        Ok(Step::Done(Value::Void))
    }
}

/// Makes the object that represents a value.
pub(super) struct Make(pub(super) Value);

impl Job for Make {
    fn step(&mut self, core: &mut Core, input: Result<Slot, Ref>) -> Result<Step, StepFailure> {
        input.map_err(Throw::object)?;
        let made = convert::object(core, &self.0)?;
        let made = made.ok_or_else(|| Error::Type("null is not an object".into()))?;
        Ok(Step::Done(Value::Object(Object::new(core, made))))
    }
}
