//! The virtual machine: classes, heap, green threads, and the bytecode-counting interpreter.

pub mod boot;
pub mod cancel;
pub mod classes;
pub mod classpath;
pub mod debug;
pub mod events;
pub mod fault;
pub mod heap;
pub mod host;
pub mod ids;
pub mod inspect;
pub mod instruments;
pub mod interp;
pub mod jdk;
pub mod modules;
pub mod natives;
mod npe;
pub mod offheap;
pub mod prim;
pub mod services;
pub mod startup;
pub mod state;
pub mod strings;
pub mod symbols;
pub mod sysprops;
pub mod threads;
pub mod throw;
mod value;
pub mod verify;
pub mod versions;
pub mod vm;

pub use ids::{ClassId, LoaderId, MethodId, Ref, Sym, ThreadId};
pub use natives::Env;
pub use throw::{R, Throw};
pub use value::Value;
pub use vm::Vm;
