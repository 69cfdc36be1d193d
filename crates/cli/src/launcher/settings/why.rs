//! The options of `rjvm why`.

/// The requested report.
#[derive(Clone, Debug)]
pub struct WhySettings {
    /// Files for the report.
    pub outputs: Vec<String>,
    /// Causes in a text.
    pub top: usize,
}
