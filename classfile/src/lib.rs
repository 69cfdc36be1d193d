//! Java class files (JVMS chapter 4, up to major version 69): reader, constant pool, attributes,
//! format checks, descriptors, opcodes and a disassembler. Knows nothing of a running VM.
//!
//! [`ClassFile::parse`] reads the structure, in owned data ([`ClassFile::parse_shared`] leaves
//! methods' attributes for later); [`ClassFile::check`] does the format
//! checks of JVMS 4.8, which trusted classes can skip. Neither panics on any input.

#![forbid(unsafe_code)]

pub mod access;
pub mod attributes;
mod check;
mod class_file;
mod constant_pool;
pub mod descriptor;
pub mod dis;
mod error;
pub mod event_class;
pub mod mutf8;
pub mod opcodes;
mod reader;
mod shared;
pub mod stackmap;
mod words;

pub use attributes::{
    AnnotationBytes, AnnotationKinds, BootstrapMethod, ClassAttributes, ClassKinds, CodeAttribute,
    EnclosingMethod, ExceptionEntry, FieldAttributes, FieldKinds, InnerClass, LazyAttributes,
    LocalVariable, LocalVariableType, MethodAttributes, MethodParameter, Module, RawAttribute,
    RecordComponent,
};
pub use class_file::{ClassFile, FieldInfo, MAX_MAJOR, MIN_MAJOR, MethodInfo, check_version};
pub use constant_pool::{Constant, ConstantPool, MemberRef};
pub use error::{Error, ErrorKind, Result};
pub use shared::SharedBytes;
