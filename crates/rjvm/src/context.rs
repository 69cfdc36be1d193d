//! What an embedder and a host function can do alike: find classes, call methods, make objects.

use super::convert;
use super::error::Error;
use super::function::{self, Function, Method};
use super::handle::{Class, Object};
use super::job::{Access, ClassRef, Invoke, Job, Load, Make, Owner, Target};
use super::value::{Args, FromJava, IntoJava, Params, Type, Value};
use rjvm_vm::Vm as Core;
use std::sync::{Arc, Mutex, PoisonError};

/// A request to a VM.
pub struct Request(pub(super) RequestBody);

/// What it is.
pub(super) enum RequestBody {
    /// Steps that may run Java code.
    Job(Box<dyn Job>),
    /// A look that runs nothing.
    Look(ViewRequest),
}

impl Request {
    pub(super) fn job(job: Box<dyn Job>) -> Request {
        Request(RequestBody::Job(job))
    }
}

/// A look at a VM.
type ViewRequest = Box<dyn FnOnce(&mut Core) -> Result<Value, Error> + Send>;

/// Methods that only the contexts of this crate have.
pub trait Sealed {
    /// Has something done.
    fn request(&mut self, request: Request) -> Result<Value, Error>;
}

/// Where Java code can be called: a [`Vm`](crate::Vm), or the [`Caller`](crate::Caller) that a host function gets.
///
/// Classes are named as in Java sources, nested ones with a `$` (`java.util.Map$Entry`). Methods are named by their name
/// alone if the arguments report which is meant; otherwise with the descriptor (JVMS 4.3.3), as in
/// `"parse(Ljava/lang/String;)I"`. Access rules of the Java language do not hold for the embedder: private methods
/// can be called, too. Numbers have to be of the very type of the parameter (`1i64` for a `long`), or are boxed where it
/// wants an object.
pub trait Context: Sealed + Sized {
    /// Loads a class with the application's class loader, without initializing it.
    fn class(&mut self, name: &str) -> Result<Class, Error> {
        let load = Load(ClassRef::Name(name.into()));
        let mirror = self.request(Request::job(Box::new(load)))?;
        let Value::Object(mirror) = mirror else {
            return Err(Error::NotFound(format!("class {name}")));
        };
        Ok(Class::of(name, mirror))
    }
    /// Calls a static method. The class is initialized if need be.
    fn call<R: FromJava>(
        &mut self,
        class: &str,
        method: &str,
        args: impl Args,
    ) -> Result<R, Error> {
        let target = Target::Static(ClassRef::Name(class.into()));
        invoke(self, target, method, args)
    }
    /// Looks a static method up once, for many calls: its parameters and its result are checked here, and a
    /// [`Function`] takes arguments of these types alone.
    ///
    /// ```
    /// # use rjvm::{Context, Engine, Error};
    /// # let mut vm = Engine::new()?.vm().build()?;
    /// let max = vm.function::<(i64, i64), i64>("java.lang.Math", "max")?;
    /// assert_eq!(max.call(&mut vm, (3, 4))?, 4);
    /// assert!(vm.function::<(i64,), String>("java.lang.Math", "abs").is_err());
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// Among methods of one name, the parameters decide as the arguments of a call do: those of the very types come
    /// first, then those that take the values in boxes, or as objects. A `null` or an [`Object`] goes wherever a
    /// reference does; its class is checked by each call.
    fn function<A: Params, R: FromJava>(
        &mut self,
        class: &str,
        method: &str,
    ) -> Result<Function<A, R>, Error> {
        let class = self.class(class)?;
        function::function(self, class, method)
    }
    /// Looks a method of objects up once, for many calls: see [`Context::function`].
    fn method<A: Params, R: FromJava>(
        &mut self,
        class: &str,
        method: &str,
    ) -> Result<Method<A, R>, Error> {
        let class = self.class(class)?;
        function::method(self, class, method)
    }
    /// Makes an object by a constructor of the class. A descriptor may follow the name: `"java.lang.Long(J)V"`.
    fn new_object(&mut self, class: &str, args: impl Args) -> Result<Object, Error> {
        let (class, desc) = match class.find('(') {
            Some(at) => class.split_at(at),
            None => (class, ""),
        };
        let target = Target::New(ClassRef::Name(class.into()));
        invoke(self, target, &format!("<init>{desc}"), args)
    }
    /// Reads a static field.
    fn get_static<T: FromJava>(&mut self, class: &str, field: &str) -> Result<T, Error> {
        access(self, Owner::Static(ClassRef::Name(class.into())), field)
    }
    /// Writes a static field.
    fn set_static(&mut self, class: &str, field: &str, value: impl IntoJava) -> Result<(), Error> {
        assign(
            self,
            Owner::Static(ClassRef::Name(class.into())),
            field,
            value,
        )
    }
    /// A Java object for a Rust value: a string, an array, a box.
    fn object(&mut self, value: impl IntoJava) -> Result<Object, Error> {
        let made = self.request(Request::job(Box::new(Make(value.into_java()))))?;
        Object::from_java(made)
    }
}

fn invoke<R: FromJava>(
    cx: &mut impl Context,
    target: Target,
    method: &str,
    args: impl Args,
) -> Result<R, Error> {
    let job = Invoke::new(target, method, args.into_values(), R::TYPE);
    R::from_java(cx.request(Request::job(job))?)
}

fn access<T: FromJava>(cx: &mut impl Context, owner: Owner, field: &str) -> Result<T, Error> {
    let job = Access::new(owner, field, None, T::TYPE);
    T::from_java(cx.request(Request::job(job))?)
}

fn assign(
    cx: &mut impl Context,
    owner: Owner,
    field: &str,
    value: impl IntoJava,
) -> Result<(), Error> {
    let value = Some(value.into_java());
    let job = Access::new(owner, field, value, Type::Void);
    cx.request(Request::job(job)).map(drop)
}

impl Class {
    /// Calls a static method of the class.
    pub fn call<R: FromJava>(
        &self,
        cx: &mut impl Context,
        method: &str,
        args: impl Args,
    ) -> Result<R, Error> {
        invoke(
            cx,
            Target::Static(ClassRef::Loaded(self.clone())),
            method,
            args,
        )
    }
    /// Creates an object with a constructor of the class.
    pub fn new_object(&self, cx: &mut impl Context, args: impl Args) -> Result<Object, Error> {
        invoke(
            cx,
            Target::New(ClassRef::Loaded(self.clone())),
            "<init>",
            args,
        )
    }
    /// Reads a static field.
    pub fn get<T: FromJava>(&self, cx: &mut impl Context, field: &str) -> Result<T, Error> {
        access(cx, Owner::Static(ClassRef::Loaded(self.clone())), field)
    }
    /// Writes a static field that is not final.
    pub fn set(
        &self,
        cx: &mut impl Context,
        field: &str,
        value: impl IntoJava,
    ) -> Result<(), Error> {
        assign(
            cx,
            Owner::Static(ClassRef::Loaded(self.clone())),
            field,
            value,
        )
    }
}

impl Object {
    /// Calls a method of the object; if its own class overrides the method, that one.
    pub fn call<R: FromJava>(
        &self,
        cx: &mut impl Context,
        method: &str,
        args: impl Args,
    ) -> Result<R, Error> {
        invoke(cx, Target::Of(self.clone()), method, args)
    }
    /// Reads a field.
    pub fn get<T: FromJava>(&self, cx: &mut impl Context, field: &str) -> Result<T, Error> {
        access(cx, Owner::Of(self.clone()), field)
    }
    /// Writes a field.
    pub fn set(
        &self,
        cx: &mut impl Context,
        field: &str,
        value: impl IntoJava,
    ) -> Result<(), Error> {
        assign(cx, Owner::Of(self.clone()), field, value)
    }
    /// The object as a Rust value: the text of a string, the elements of an array, the value of a box.
    pub fn to<T: FromJava>(&self, cx: &mut impl Context) -> Result<T, Error> {
        let object = self.clone();
        let value = look(cx, move |core| {
            let r = object.at(core)?;
            convert::lift(core, "Ljava/lang/Object;", r.into(), T::TYPE)
        })?;
        T::from_java(value)
    }
    /// The object's class.
    pub fn class(&self, cx: &mut impl Context) -> Result<Class, Error> {
        let object = self.clone();
        look(cx, move |core| {
            let r = object.at(core)?;
            let class = core.class_of(r);
            Ok(Class::new(core, class))
        })
    }
    /// Whether the object is an instance of the class, or of one that extends or implements it.
    pub fn is_instance(&self, cx: &mut impl Context, class: &Class) -> Result<bool, Error> {
        let (object, class) = (self.clone(), class.clone());
        look(cx, move |core| {
            let (r, class) = (object.at(core)?, class.id(core)?);
            Ok(core.instance_of(r, class))
        })
    }
    /// Whether both are the same object.
    pub fn is_same(&self, cx: &mut impl Context, other: &Object) -> Result<bool, Error> {
        let (a, b) = (self.clone(), other.clone());
        look(cx, move |core| Ok(a.at(core)? == b.at(core)?))
    }
}

/// Looks at the VM without running anything in it.
pub(super) fn look<T: Send + 'static>(
    cx: &mut impl Context,
    f: impl FnOnce(&mut Core) -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    // a request has a value for an answer; what is found goes beside it
    let found = Arc::new(Mutex::new(None));
    let to = found.clone();
    cx.request(Request(RequestBody::Look(Box::new(move |core| {
        let result = f(core)?;
        *to.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        Ok(Value::Void)
    }))))?;
    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(found.take().expect("the look has succeeded"))
}
