//! What a translation builds its tables in.

use super::covers::Cover;
use super::scan::Scan;
use super::translated::Edge;
use super::values::Ent;
use crate::verify::infer::FlowProgress;
use rjvm_classfile::ClassFile;
use std::sync::Arc;

/// Memory that translations use one after the other; empty between them, except for the scan.
#[derive(Default)]
pub struct Buffers {
    pub(super) scan: Scan,
    pub(super) out: Vec<u64>,
    pub(super) covers: Vec<Cover>,
    pub(super) maps: Vec<u64>,
    pub(super) st: Vec<Ent>,
    pub(super) loc: Vec<u8>,
    pub(super) firm_refs: Vec<u64>,
    pub(super) loc_refs: Vec<u64>,
    pub(super) label_off: Vec<u32>,
    pub(super) fixups: Vec<(usize, usize, Edge)>,
    /// Pieces of work that the next translation does before it looks whether to stop: one that is stopped begins again,
    /// and has to come to an end.
    pub(super) patience: usize,
    /// How far data flow had come in the one that was stopped.
    pub(super) stopped: Option<Stopped>,
}

/// Data flow that was stopped, in this method of a class file.
pub(super) struct Stopped {
    pub file: Arc<ClassFile>,
    pub index: usize,
    pub reached: Box<FlowProgress>,
}

impl Stopped {
    /// How far it had come, if it was in that method.
    pub fn of(self, file: &Arc<ClassFile>, index: usize) -> Option<Box<FlowProgress>> {
        let same = Arc::ptr_eq(&self.file, file) && self.index == index;
        same.then_some(self.reached)
    }
}

impl Buffers {
    pub(super) fn clear(&mut self) {
        self.out.clear();
        self.covers.clear();
        self.maps.clear();
        self.st.clear();
        self.loc.clear();
        self.firm_refs.clear();
        self.loc_refs.clear();
        self.label_off.clear();
        self.fixups.clear();
        self.patience = 0;
        self.stopped = None;
    }
}
