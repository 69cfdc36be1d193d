//! What the VM and its natives know of the JDK: one table of classes and fields, with the JDK versions
//! that have them.
//!
//! `table` is the table; each class in it is a module with a constant for each field, whose type says
//! what the field holds: `vm.get(thread, jdk::thread::TID)` is an `i64`. `classes/library.rs` finds where fields
//! lie and reads and writes them; `calls` has the methods that Rust code calls; `outside` has the methods that reach outside the VM; `check` compares both tables with a JDK
//! without running it.

pub mod calls;
pub mod check;
pub mod moves;
pub mod outside;
mod rows;
mod table;
#[cfg(test)]
mod tests;

pub use crate::versions::{SUPPORTED, Versions};
pub use rows::{
    ClassName, ClassRow, FieldName, FieldRow, IntField, JdkField, JdkMethod, OptionalName,
    RefField, Static,
};
pub(crate) use rows::{class_text, field_text};
pub use table::*;
