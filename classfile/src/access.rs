//! Access and property flags (JVMS tables 4.1-B, 4.5-A, 4.6-A, 4.7.6-A, 4.7.24, 4.7.25).

/// `ACC_PUBLIC`: classes, fields, methods.
pub const PUBLIC: u16 = 0x0001;
/// `ACC_PRIVATE`: nested classes, fields, methods.
pub const PRIVATE: u16 = 0x0002;
/// `ACC_PROTECTED`: nested classes, fields, methods.
pub const PROTECTED: u16 = 0x0004;
/// `ACC_STATIC`: nested classes, fields, methods.
pub const STATIC: u16 = 0x0008;
/// `ACC_FINAL`: classes, fields, methods, parameters.
pub const FINAL: u16 = 0x0010;
/// `ACC_SUPER`: classes.
pub const SUPER: u16 = 0x0020;
/// `ACC_SYNCHRONIZED`: methods.
pub const SYNCHRONIZED: u16 = 0x0020;
/// `ACC_OPEN`: modules.
pub const OPEN: u16 = 0x0020;
/// `ACC_TRANSITIVE`: `requires` of modules.
pub const TRANSITIVE: u16 = 0x0020;
/// `ACC_VOLATILE`: fields.
pub const VOLATILE: u16 = 0x0040;
/// `ACC_BRIDGE`: methods.
pub const BRIDGE: u16 = 0x0040;
/// `ACC_STATIC_PHASE`: `requires` of modules.
pub const STATIC_PHASE: u16 = 0x0040;
/// `ACC_TRANSIENT`: fields.
pub const TRANSIENT: u16 = 0x0080;
/// `ACC_VARARGS`: methods.
pub const VARARGS: u16 = 0x0080;
/// `ACC_NATIVE`: methods.
pub const NATIVE: u16 = 0x0100;
/// `ACC_INTERFACE`: classes.
pub const INTERFACE: u16 = 0x0200;
/// `ACC_ABSTRACT`: classes, methods.
pub const ABSTRACT: u16 = 0x0400;
/// `ACC_STRICT`: methods (meaningful for major versions 46 to 60).
pub const STRICT: u16 = 0x0800;
/// `ACC_SYNTHETIC`: anything.
pub const SYNTHETIC: u16 = 0x1000;
/// `ACC_ANNOTATION`: classes.
pub const ANNOTATION: u16 = 0x2000;
/// `ACC_ENUM`: classes, fields.
pub const ENUM: u16 = 0x4000;
/// `ACC_MODULE`: classes.
pub const MODULE: u16 = 0x8000;
/// `ACC_MANDATED`: parameters, module directives.
pub const MANDATED: u16 = 0x8000;
