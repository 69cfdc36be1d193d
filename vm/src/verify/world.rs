//! What the verifiers need to know of other classes, and where they get it from.

use super::types::Question;
use std::sync::Arc;

/// The classes around the one being verified, as its defining loader sees them.
pub trait World {
    /// A loaded class.
    type Class: Copy + PartialEq;
    /// How loading fails: with an exception for the program, or with a call of Java code after which verification runs again.
    type Error;
    /// Loads a class that isn't an array.
    fn load(&mut self, name: &str) -> Result<Self::Class, Self::Error>;
    /// Whether it is an interface.
    fn is_interface(&self, c: Self::Class) -> bool;
    /// Its superclass.
    fn super_class(&self, c: Self::Class) -> Option<Self::Class>;
    /// Its internal name.
    fn name(&self, c: Self::Class) -> Arc<str>;
    /// The class being verified.
    fn this(&self) -> Self::Class;
    /// Names of its direct superinterfaces.
    fn interfaces(&self) -> Vec<Arc<str>>;
    /// Whether look-up of a member in this superclass of it finds a protected one, declared in
    /// another run-time package.
    fn is_protected(&self, superclass: &str, name: &str, descriptor: &str, method: bool) -> bool;

    /// Bytes that the verification of a method may take.
    fn memory(&self) -> usize {
        usize::MAX
    }
    /// Whether a request asks the VM to stop.
    fn is_requested(&self) -> bool {
        false
    }
    /// Between two pieces of work: an error when a request asks the VM to stop. Verification continues from there when it is
    /// called again.
    fn breathe(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Names of its superclasses, nearest first.
    fn supers(&self) -> Vec<Arc<str>> {
        let mut names = Vec::new();
        let mut c = self.super_class(self.this());
        while let Some(s) = c {
            names.push(self.name(s));
            c = self.super_class(s);
        }
        names
    }
    /// Whether `b` is `a` or a superclass of it.
    fn is_subclass(&self, a: Self::Class, b: Self::Class) -> bool {
        let mut c = Some(a);
        while let Some(k) = c {
            if k == b {
                return true;
            }
            c = self.super_class(k);
        }
        false
    }
}

/// Answers a question by loading the classes it is about. Values of any type can be assigned to an
/// interface type: `invokeinterface` checks them.
pub fn answer<W: World>(w: &mut W, q: &Question) -> Result<bool, W::Error> {
    match q {
        Question::Load(name) => w.load(name).map(|_| true),
        Question::Assignable {
            to,
            from,
            from_array,
            protected,
        } => {
            let target = w.load(to)?;
            if w.is_interface(target) && !(*protected && **from == *"java/lang/Object") {
                let of_arrays = ["java/lang/Cloneable", "java/io/Serializable"];
                return Ok(!from_array || of_arrays.contains(&&**to));
            }
            if *from_array {
                return Ok(false);
            }
            let source = w.load(from)?;
            Ok(w.is_subclass(source, target))
        }
    }
}
