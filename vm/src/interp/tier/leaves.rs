//! The code of natives that are inlined.
//!
//! It changes nothing but rax, r10 and the accumulators until its result is there: where it finds that the native has to do it, the call
//! is made as usual. No callee reads the accumulators. Copies are made when the call has been counted.

use super::asm::*;
use super::memory::{DEPTH, DISPLAYED, SECONDARY};
use super::template::CodeBuilder;
use crate::classes::ClassHot;
use crate::classes::class::DISPLAY;
use crate::heap::layout::MIRROR_CLASS;
use crate::heap::{ELEMS, LENGTH, MARK, mark};
use crate::interp::frame::Hot;
use crate::natives::InlinedNative;
use std::mem::offset_of;

/// The kinds of classes with instances, and of arrays of references.
const INSTANCES: i32 = 0;
const REFERENCES: i32 = 2;
/// The kind of arrays of primitives, and the logarithm of the size of bytes behind it.
const PRIMITIVES: i32 = 1;
/// Bytes that are copied at most: those of two registers.
const COPIED: i32 = 32;

impl CodeBuilder<'_> {
    /// Loads the reference in that slot into `r`; it goes to `other` if it is null.
    fn not_null(&mut self, r: Gpr, slot: u16, other: Label) {
        self.a.load(false, r, Self::slot(slot));
        self.a.test(false, r, r);
        self.a.jump_if(Cc::E, other);
    }
    /// What the native returns, in an accumulator; its arguments begin in slot `first`. Goes to `other` if the native has to do it.
    pub(super) fn native_result(&mut self, native: InlinedNative, first: u16, other: Label) {
        let argument = Self::slot(first);
        match native {
            InlinedNative::CurrentThread => {
                self.a
                    .load(false, R8, at(R9, offset_of!(Hot, current) as i32));
                self.a.test(false, R8, R8);
                self.a.jump_if(Cc::E, other);
            }
            InlinedNative::ClassOf => {
                self.not_null(RAX, first, other);
                self.a.load(false, RAX, indexed(R9, RAX, 3, 0));
                let mirror = offset_of!(ClassHot, mirror) as i32;
                self.a.load(false, R8, indexed(R9, RAX, 3, mirror));
            }
            InlinedNative::IdentityHash => {
                const { assert!(mark::hash(mark::neutral(5)) == 5 && mark::neutral(1) == 2) }
                self.not_null(RAX, first, other);
                self.a.load(false, R8, indexed(R9, RAX, 3, MARK as i32));
                self.a.load(false, R10, R8);
                // locked, or without a hash
                self.a.alu_constant(false, Alu::And, R10, 1);
                self.a.jump_if(Cc::Ne, other);
                self.a.shift_constant(false, Shift::Logical, R8, 1);
                self.a.test(false, R8, R8);
                self.a.jump_if(Cc::E, other);
            }
            InlinedNative::IsInstance => self.is_instance(first, other),
            InlinedNative::RefersTo => {
                let referent = self.referent;
                self.not_null(RAX, first, other);
                self.a
                    .load(false, R10, indexed(R9, RAX, 3, referent as i32));
                self.a.constant(R8, 0);
                self.a.alu(false, Alu::Cmp, R10, Self::slot(first + 1));
                self.a.set(Cc::E, R8);
            }
            InlinedNative::ReferenceAt => {
                self.not_null(RAX, first + 1, other);
                self.a.load(false, R10, indexed(R9, RAX, 3, 0));
                let kind = offset_of!(ClassHot, kind) as i32;
                self.a.load_small(false, 1, R10, indexed(R9, R10, 3, kind));
                self.a.alu_constant(false, Alu::Cmp, R10, REFERENCES);
                self.a.jump_if(Cc::Ne, other);
                self.a.load(true, R8, Self::slot(first + 2));
                self.a.alu_constant(true, Alu::Sub, R8, ELEMS as i32);
                self.a.load(false, R10, R8);
                self.a.alu_constant(false, Alu::And, R10, 3);
                self.a.jump_if(Cc::Ne, other);
                // an offset before the elements is a large number now
                self.a.shift_constant(true, Shift::Logical, R8, 2);
                self.a.lea(RAX, indexed(R9, RAX, 3, 0));
                self.a.load(false, R10, at(RAX, LENGTH as i32));
                self.a.alu(true, Alu::Cmp, R8, R10);
                self.a.jump_if(Cc::Ae, other);
                self.a.load(false, R8, indexed(RAX, R8, 2, ELEMS as i32));
            }
            InlinedNative::Bits => self.a.load(true, R8, argument),
            // what is above a float in its slot means nothing
            InlinedNative::FloatBits => self.a.load(false, R8, argument),
            InlinedNative::OfBits => self.a.load_float(true, XMM0, argument),
            InlinedNative::Root => self.a.sse(true, Sse::Root, XMM0, argument),
            InlinedNative::CopyBytes => self.bytes_fit(first, other),
        }
    }
    /// Whether few enough bytes are to be copied, between arrays of bytes, and are there.
    fn bytes_fit(&mut self, first: u16, other: Label) {
        let [from, from_index, to, to_index, n] = [0, 1, 2, 3, 4].map(|k| first + k);
        self.not_null(RAX, from, other);
        self.not_null(R10, to, other);
        self.a.load(false, R8, indexed(R9, RAX, 3, 0));
        self.a.alu(false, Alu::Cmp, R8, indexed(R9, R10, 3, 0));
        self.a.jump_if(Cc::Ne, other);
        let kind = offset_of!(ClassHot, kind) as i32;
        const { assert!(offset_of!(ClassHot, elem_shift) == offset_of!(ClassHot, kind) + 1) }
        self.a.load_small(false, 2, R8, indexed(R9, R8, 3, kind));
        self.a.alu_constant(false, Alu::Cmp, R8, PRIMITIVES);
        self.a.jump_if(Cc::Ne, other);
        let bytes = Self::slot(n);
        self.a.alu_constant(false, Alu::Cmp, bytes, COPIED);
        self.a.jump_if(Cc::A, other);
        for (array, index) in [(RAX, from_index), (R10, to_index)] {
            // indices and lengths as numbers without a sign: what is negative is too large
            self.a.load(false, R8, indexed(R9, array, 3, LENGTH as i32));
            self.a.alu(false, Alu::Sub, R8, bytes);
            self.a.jump_if(Cc::B, other);
            self.a.alu(false, Alu::Cmp, R8, Self::slot(index));
            self.a.jump_if(Cc::B, other);
        }
    }
    /// Copies so many bytes from rax to r10 by way of r8, or xmm0: as two parts that may overlap. All is read before any of it is written. The
    /// number of bytes is in r11.
    fn copy_parts(&mut self, part: u8) {
        let ends = |r| [at(r, 0), indexed(r, R11, 0, -i32::from(part))];
        let ([a, b], [x, y]) = (ends(RAX), ends(R10));
        match part {
            16 => {
                self.a.load_sixteen(XMM0, a);
                self.a.load_sixteen(XMM1, b);
                self.a.store_sixteen(x, XMM0);
                self.a.store_sixteen(y, XMM1);
            }
            2 => {
                self.a.load_small(false, 2, R8, a);
                self.a.load_small(false, 2, RAX, b);
                self.a.store(2, x, R8);
                self.a.store(2, y, RAX);
            }
            _ => {
                self.a.load(part == 8, R8, a);
                self.a.load(part == 8, RAX, b);
                self.a.store(part, x, R8);
                self.a.store(part, y, RAX);
            }
        }
    }
    /// Copies bytes that are there.
    fn copy_bytes(&mut self, first: u16) {
        let done = self.a.label();
        for (array, r, index) in [(first, RAX, first + 1), (first + 2, R10, first + 3)] {
            self.a.load(false, r, Self::slot(array));
            self.a.lea(r, indexed(R9, r, 3, ELEMS as i32));
            self.a.load(false, R11, Self::slot(index));
            self.a.alu(true, Alu::Add, r, R11);
        }
        self.a.load(false, R11, Self::slot(first + 4));
        for part in [16, 8, 4, 2] {
            let less = self.a.label();
            self.a.alu_constant(false, Alu::Cmp, R11, part.into());
            self.a.jump_if(Cc::B, less);
            self.copy_parts(part);
            self.a.jump(done);
            self.a.bind(less);
        }
        self.a.test(false, R11, R11);
        self.a.jump_if(Cc::E, done);
        self.a.load_small(false, 1, R8, at(RAX, 0));
        self.a.store(1, at(R10, 0), R8);
        self.a.bind(done);
    }
    /// Whether the object in the second slot is of the class that the first one represents.
    fn is_instance(&mut self, first: u16, other: Label) {
        let (yes, done) = (self.a.label(), self.a.label());
        self.a.load(false, R10, Self::slot(first + 1));
        self.a.constant(R8, 0);
        self.a.test(false, R10, R10);
        self.a.jump_if(Cc::E, done);
        self.not_null(RAX, first, other);
        self.a
            .load(false, RAX, indexed(R9, RAX, 3, MIRROR_CLASS as i32));
        self.a.load(false, R10, indexed(R9, R10, 3, 0));
        self.a.alu(false, Alu::Cmp, R10, RAX);
        self.a.jump_if(Cc::E, yes);
        self.a.lea(R10, indexed(R9, R10, 3, 0));
        self.a.alu(false, Alu::Cmp, RAX, at(R10, SECONDARY));
        self.a.jump_if(Cc::E, yes);
        self.a.load(false, R8, indexed(R9, RAX, 3, DEPTH));
        self.a.alu_constant(false, Alu::Cmp, R8, DISPLAY as i32);
        self.a.jump_if(Cc::Ae, other);
        self.a
            .alu(false, Alu::Cmp, RAX, indexed(R10, R8, 2, DISPLAYED));
        self.a.jump_if(Cc::E, yes);
        // not a subclass of it, if it is neither an interface, which is not in its own list of superclasses, nor an array
        self.a.lea(R10, indexed(R9, RAX, 3, 0));
        self.a
            .alu(false, Alu::Cmp, RAX, indexed(R10, R8, 2, DISPLAYED));
        self.a.jump_if(Cc::Ne, other);
        let kind = offset_of!(ClassHot, kind) as i32;
        self.a.load_small(false, 1, R8, at(R10, kind));
        self.a.alu_constant(false, Alu::Cmp, R8, INSTANCES);
        self.a.jump_if(Cc::Ne, other);
        self.a.constant(R8, 0);
        self.a.jump(done);
        self.a.bind(yes);
        self.a.constant(R8, 1);
        self.a.bind(done);
    }
    /// Stores the result where the frame of the native would begin, as its handler does, or copies.
    pub(super) fn store_native_result(&mut self, native: InlinedNative, first: u16) {
        match native {
            // it is there
            InlinedNative::Bits | InlinedNative::OfBits => {}
            InlinedNative::Root => self.a.store_float(true, Self::slot(first), XMM0),
            InlinedNative::CopyBytes => self.copy_bytes(first),
            _ => self.a.store(8, Self::slot(first), R8),
        }
    }
}
