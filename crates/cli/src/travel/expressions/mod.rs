//! Expressions of Java, evaluated in a program that has stopped or at an instrument.
//!
//! DESIGN. An [`ExpressionWorld`] is what an expression may see and do. Conditions and messages of stops read only (`filtered`): they
//! change nothing. A process that was copied for one expression also calls methods and makes objects (`caller`), so that the program is as it was.
//!
//! Types are those of Java, with two exceptions. Objects have the class that they are of, not the one that they were declared with, so a
//! call needs no cast; a cast gives an argument the class for the choice of a method. And `==` of two strings compares their characters.

mod caller;
mod calls;
mod elements;
mod evaluate;
mod members;
mod operators;
mod store;
mod syntax;

use super::expression_error::{ExpressionError, SyntaxError};
pub use caller::Caller;
pub use elements::{elements, is_collection, is_collection_value};
pub use evaluate::{evaluate, is_true};
pub use store::Target;
pub use syntax::{Expression, read};

use super::reading;
use rjvm_vm::debug::CallRequest;
use rjvm_vm::instruments::Typed;
use rjvm_vm::{ClassId, Ref, Value, Vm};

/// An object that an expression has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// While nothing is collected.
    Plain(Ref),
    /// In a root cell.
    Cell(u32),
}

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Computed {
    Bool(bool),
    Byte(i8),
    Short(i16),
    Char(u16),
    Int(i32),
    Long(i64),
    Float(f32),
    Double(f64),
    /// The characters of a string, and the object if there is one.
    Text(String, Option<Held>),
    Null,
    /// An object, and the class that a cast gives it.
    Object(Held, Option<ClassId>),
    /// Of a method that returns nothing.
    Void,
}

/// What an expression may see and do.
pub trait ExpressionWorld {
    fn vm(&self) -> &Vm;
    /// A local by its name, `this` among them.
    fn local(&mut self, name: &str) -> Option<Typed>;
    /// The class of the frame's method.
    fn class(&self) -> Option<ClassId>;
    fn hold(&mut self, r: Ref) -> Held {
        Held::Plain(r)
    }
    fn object(&self, held: Held) -> Ref {
        match held {
            Held::Plain(r) => r,
            Held::Cell(cell) => self.vm().heap().cell(cell),
        }
    }
    /// The world that runs code, if this one does.
    ///
    /// # Errors
    /// Why it does not.
    fn caller(&mut self) -> Result<&mut dyn CallingWorld, ExpressionError> {
        Err(ExpressionError::ReadOnly)
    }
    /// Reads a value of the program.
    fn computed(&mut self, value: Typed) -> Computed {
        match (value.letter, value.value) {
            (b'Z', Value::Int(v)) => Computed::Bool(v != 0),
            (b'B', Value::Int(v)) => Computed::Byte(v as i8),
            (b'S', Value::Int(v)) => Computed::Short(v as i16),
            (b'C', Value::Int(v)) => Computed::Char(v as u16),
            (_, Value::Int(v)) => Computed::Int(v),
            (_, Value::Long(v)) => Computed::Long(v),
            (_, Value::Float(v)) => Computed::Float(v),
            (_, Value::Double(v)) => Computed::Double(v),
            (_, Value::Ref(r)) if r.is_null() => Computed::Null,
            (_, Value::Ref(r)) => {
                let text = reading::characters(self.vm(), r);
                let held = self.hold(r);
                match text {
                    Some(text) => Computed::Text(text, Some(held)),
                    None => Computed::Object(held, None),
                }
            }
            (_, Value::Void) => Computed::Void,
        }
    }
}

/// A world that also runs code.
pub trait CallingWorld: ExpressionWorld {
    fn vm_mut(&mut self) -> &mut Vm;
    /// Calls a method; first letter of the type of what it returns, and the value.
    ///
    /// # Errors
    /// It throws an exception, or does not end.
    fn call(&mut self, request: CallRequest) -> Result<Typed, ExpressionError>;
    /// Initializes a class whose static field is read.
    ///
    /// # Errors
    /// Its initializer throws an exception.
    fn initialize(&mut self, class: ClassId) -> Result<(), ExpressionError>;
    /// Loads a class by its internal name, as the frame's class would.
    fn load(&mut self, name: &str) -> Option<ClassId>;
    /// Writes a local of the frame.
    ///
    /// # Errors
    /// It cannot hold the value.
    fn store_local(&mut self, name: &str, v: Computed) -> Result<(), ExpressionError>;
    /// As the world that it also is.
    fn plain(&mut self) -> &mut dyn ExpressionWorld;
}

impl Computed {
    /// A string without an object.
    pub fn text_of(text: String) -> Computed {
        Computed::Text(text, None)
    }
    /// As a message has it: strings without quotes. No code runs for it.
    pub fn text(&self, world: &dyn ExpressionWorld) -> String {
        let primitive = |letter, value| reading::text(world.vm(), Typed { letter, value });
        match self {
            Computed::Bool(v) => v.to_string(),
            Computed::Byte(v) => v.to_string(),
            Computed::Short(v) => v.to_string(),
            Computed::Char(v) => String::from_utf16_lossy(&[*v]),
            Computed::Int(v) => v.to_string(),
            Computed::Long(v) => v.to_string(),
            Computed::Float(v) => primitive(b'F', Value::Float(*v)).replace('f', ""),
            Computed::Double(v) => primitive(b'D', Value::Double(*v)),
            Computed::Text(text, _) => text.clone(),
            Computed::Null => "null".into(),
            Computed::Void => "void".into(),
            Computed::Object(held, _) => {
                let r = world.object(*held);
                primitive(b'L', Value::Ref(r))
            }
        }
    }
    /// As the VM has it: first letter of the type, and the value. `None`: a string without an object.
    pub fn typed(&self, world: &dyn ExpressionWorld) -> Option<Typed> {
        let (letter, value) = match self {
            Computed::Bool(v) => (b'Z', (*v).into()),
            Computed::Byte(v) => (b'B', i32::from(*v).into()),
            Computed::Short(v) => (b'S', i32::from(*v).into()),
            Computed::Char(v) => (b'C', i32::from(*v).into()),
            Computed::Int(v) => (b'I', (*v).into()),
            Computed::Long(v) => (b'J', (*v).into()),
            Computed::Float(v) => (b'F', Value::Float(*v)),
            Computed::Double(v) => (b'D', Value::Double(*v)),
            Computed::Text(_, None) => return None,
            Computed::Text(_, Some(held)) | Computed::Object(held, _) => {
                (b'L', Value::Ref(world.object(*held)))
            }
            Computed::Null => (b'L', Value::Ref(Ref::NULL)),
            Computed::Void => (b'V', Value::Void),
        };
        Some(Typed { letter, value })
    }
    /// The object, if it is one; null for null.
    pub fn held(&self, world: &dyn ExpressionWorld) -> Option<Ref> {
        match self {
            Computed::Null => Some(Ref::NULL),
            Computed::Text(_, Some(held)) | Computed::Object(held, _) => Some(world.object(*held)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
