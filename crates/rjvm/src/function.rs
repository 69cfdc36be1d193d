//! Methods that are looked up once and called often.

use super::context::{Context, Request, look};
use super::error::Error;
use super::handle::{Class, Object};
use super::job::{ClassRef, Invoke, Resolved, Target};
use super::members::{self, Kind};
use super::value::{FromJava, Params};
use std::fmt;
use std::marker::PhantomData;

/// A static method, looked up and checked once. `A` is the tuple of its arguments, `R` its result. [`Context::function`]
/// makes it.
pub struct Function<A, R>(FoundMethod<A, R>);

/// A method of objects, looked up and checked once. A call runs the method of the object's own class, which may override
/// it. [`Context::method`] makes it.
pub struct Method<A, R>(FoundMethod<A, R>);

struct FoundMethod<A, R> {
    what: Resolved,
    types: PhantomData<fn(A) -> R>,
}

impl<A: Params, R: FromJava> Function<A, R> {
    /// Calls the method, and first initializes its class if necessary. Returns [`Error::Foreign`] in a VM that it does
    /// not belong to.
    pub fn call(&self, cx: &mut impl Context, args: A) -> Result<R, Error> {
        let target = Target::Static(ClassRef::Loaded(self.0.what.class.clone()));
        self.0.call(cx, target, args)
    }
}

impl<A: Params, R: FromJava> Method<A, R> {
    /// Calls the method of this object. [`Error::Type`] if the object is no instance of the class it was looked up in,
    /// [`Error::Foreign`] in another VM than its own.
    pub fn call(&self, cx: &mut impl Context, object: &Object, args: A) -> Result<R, Error> {
        self.0.call(cx, Target::Of(object.clone()), args)
    }
}

impl<A: Params, R: FromJava> FoundMethod<A, R> {
    fn call(&self, cx: &mut impl Context, target: Target, args: A) -> Result<R, Error> {
        let args = args.into_values();
        let job = Invoke::of_resolved(target, self.what.clone(), args, R::TYPE);
        R::from_java(cx.request(Request::job(job))?)
    }
    /// Looks the method up.
    fn new(cx: &mut impl Context, class: Class, kind: Kind, name: &str) -> Result<Self, Error> {
        let name = name.to_owned();
        let what = look(cx, move |core| {
            let id = class.id(core)?;
            let (method, desc) = members::method_of_types(core, id, kind, &name, A::TYPES)?;
            members::check_result(core, method, &desc, R::TYPE)?;
            Ok(Resolved {
                class,
                method,
                desc,
            })
        })?;
        let types = PhantomData;
        Ok(FoundMethod { what, types })
    }
}

/// Looks a static method up.
pub(super) fn function<A: Params, R: FromJava>(
    cx: &mut impl Context,
    class: Class,
    name: &str,
) -> Result<Function<A, R>, Error> {
    FoundMethod::new(cx, class, Kind::Static, name).map(Function)
}

/// Looks a method of objects up.
pub(super) fn method<A: Params, R: FromJava>(
    cx: &mut impl Context,
    class: Class,
    name: &str,
) -> Result<Method<A, R>, Error> {
    FoundMethod::new(cx, class, Kind::Instance, name).map(Method)
}

impl<A, R> Clone for FoundMethod<A, R> {
    fn clone(&self) -> Self {
        let what = self.what.clone();
        let types = PhantomData;
        FoundMethod { what, types }
    }
}

impl<A, R> Clone for Function<A, R> {
    fn clone(&self) -> Self {
        Function(self.0.clone())
    }
}

impl<A, R> Clone for Method<A, R> {
    fn clone(&self) -> Self {
        Method(self.0.clone())
    }
}

impl<A, R> fmt::Debug for Function<A, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Function({:?})", self.0.what)
    }
}

impl<A, R> fmt::Debug for Method<A, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Method({:?})", self.0.what)
    }
}

const _: () = {
    const fn sent<T: Send + Sync>() {}
    sent::<(Function<(i32,), i64>, Method<(Object,), String>)>();
};
