//! Class path.

/// The boot loader search path.
pub struct BootPath {}
