//! Verification of class files (JVMS 4.9, 4.10), and the shapes of frames the translator needs.

mod flow;
pub mod infer;

pub use infer::{FrameTypes, Kind, label_frames};
