//! Profiles of bytecode executions: the calling-context tree the interpreter writes, profiles as
//! plain data, and what turns them into files. The crate knows method ids, not the VM.

pub mod cct;
