//! An error of resolution that is kept.

use crate::interp::held::HeldBytes;
use std::sync::Arc;

/// Internal name of an exception's class, and its message.
pub(super) type Thrown = (Arc<str>, Option<Arc<str>>);

/// An error that is thrown again.
#[derive(Debug)]
pub struct RethrownError {
    pub(super) error: Thrown,
    pub(super) cause: Option<Thrown>,
    /// Messages can be long: there is a limit to the stored text.
    pub(super) _weight: Option<HeldBytes>,
}
