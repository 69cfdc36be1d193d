//! The options of `rjvm why`.

/// What is requested.
#[derive(Clone, Debug)]
pub struct WhySettings {
    /// Files for the report.
    pub outputs: Vec<String>,
    /// Causes in a text.
    pub top: usize,
}
