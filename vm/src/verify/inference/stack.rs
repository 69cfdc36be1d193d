//! The operands that an instruction finds.

use super::types::Type;
use crate::verify::slots::{Pool, SlotList};

/// Operands, one entry a value, and how many slots they take.
#[derive(Clone, Default)]
pub(super) struct OperandStack {
    values: SlotList<Type>,
    slots: usize,
}

impl OperandStack {
    /// One operand.
    pub fn of(t: Type) -> OperandStack {
        let mut stack = OperandStack::default();
        stack.push(t);
        stack
    }
    pub fn push(&mut self, t: Type) {
        self.slots += t.slots();
        self.values.push(t);
    }
    pub fn pop(&mut self) -> Option<Type> {
        let t = self.values.pop()?;
        self.slots -= t.slots();
        Some(t)
    }
    /// The topmost.
    pub fn last(&self) -> Option<Type> {
        self.values.last()
    }
    pub fn contains(&self, t: Type) -> bool {
        self.values.contains(&t)
    }
    /// Replaces a type everywhere by another type that takes as many slots.
    pub fn replace(&mut self, from: Type, to: Type) {
        replace(&mut self.values, |t| t == from, to);
    }
    /// Objects that are not initialized become unusable.
    pub fn hide_new(&mut self) {
        hide_new(&mut self.values);
    }
    /// Slots that the operands take.
    pub fn height(&self) -> usize {
        self.slots
    }
    /// The operands, deepest first.
    pub fn values(&self) -> &SlotList<Type> {
        &self.values
    }
    /// Exchanges an operand for one that takes as many slots.
    pub fn set(&mut self, i: usize, t: Type) {
        self.values.set(i, t);
    }
    /// Makes the list one of a pool.
    pub fn keep(&mut self, pool: &mut Pool<Type>) {
        pool.keep(&mut self.values);
    }
}

impl Extend<Type> for OperandStack {
    fn extend<I: IntoIterator<Item = Type>>(&mut self, types: I) {
        types.into_iter().for_each(|t| self.push(t));
    }
}

/// Replaces what `from` chooses by a type; where that was.
pub(super) fn replace(
    list: &mut SlotList<Type>,
    from: impl Fn(Type) -> bool,
    to: Type,
) -> Vec<usize> {
    let found = list.iter().enumerate().filter(|&(_, t)| from(t));
    let at: Vec<usize> = found.map(|(i, _)| i).collect();
    for &i in &at {
        list.set(i, to);
    }
    at
}

/// Objects that are not initialized become unusable.
pub(super) fn hide_new(list: &mut SlotList<Type>) {
    replace(list, |t| matches!(t, Type::New(_)), Type::Bogus);
}
