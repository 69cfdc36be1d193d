//! What the type checker needs of the members that instructions name, found once for each constant: the methods of a
//! class name the same members again and again.

use super::typecheck::ClassContext;
use super::types::{RefType, VType};
use rjvm_classfile::descriptor::{FieldType, MethodDescriptor};
use rjvm_classfile::{Constant, MemberRef};
use smallvec::SmallVec;
use std::rc::Rc;

/// Members beyond so many are not kept.
const MOST: usize = 4096;
/// Nor are more types of parameters, all in all.
const MOST_TYPES: usize = 1 << 15;

/// The kind of the constant.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum MemberKind {
    Field,
    Method,
    InterfaceMethod,
}

/// A member.
pub struct KnownMember<'a> {
    pub kind: MemberKind,
    pub member: MemberRef<'a>,
    /// The class that the constant names.
    pub class: RefType<'a>,
    /// It is a superclass of the class that is verified.
    pub of_super: bool,
    /// The type, if it is a field with a valid descriptor.
    pub field: Option<VType<'a>>,
    /// The types, if it is a method with a valid descriptor.
    pub method: Option<Signature<'a>>,
}

/// The types of a method.
pub struct Signature<'a> {
    pub parameters: SmallVec<[VType<'a>; 3]>,
    /// `None`: void.
    pub return_type: Option<VType<'a>>,
    /// Slots of the arguments, the receiver's too.
    pub slots: u16,
}

impl<'a> Signature<'a> {
    fn of(d: &MethodDescriptor<'a>) -> Signature<'a> {
        Signature {
            parameters: d.parameters().map(VType::of).collect(),
            return_type: d.return_type.map(VType::of),
            slots: d.argument_slots(false),
        }
    }
}

/// The members of a class that are known.
#[derive(Default)]
pub struct KnownMembers<'a> {
    /// By index of the constant, the number in `list` plus 1.
    at: Vec<u16>,
    list: Vec<Rc<KnownMember<'a>>>,
    types: usize,
}

impl<'a> KnownMembers<'a> {
    /// The member of a constant; nothing if the constant is not one of a member.
    #[inline]
    pub fn get(&mut self, cx: &ClassContext<'_, 'a>, index: u16) -> Option<Rc<KnownMember<'a>>> {
        match self.at.get(usize::from(index)) {
            Some(&n @ 1..) => Some(self.list[usize::from(n) - 1].clone()),
            _ => self.find(cx, index),
        }
    }

    #[inline(never)]
    fn find(&mut self, cx: &ClassContext<'_, 'a>, index: u16) -> Option<Rc<KnownMember<'a>>> {
        let pool = &cx.cf.constant_pool;
        let (kind, class) = match pool.get(index).ok()? {
            Constant::Fieldref { class, .. } => (MemberKind::Field, class),
            Constant::Methodref { class, .. } => (MemberKind::Method, class),
            Constant::InterfaceMethodref { class, .. } => (MemberKind::InterfaceMethod, class),
            _ => return None,
        };
        let class = cx.class_type(class)?;
        let member = pool.member_ref(index).ok()?;
        let (field, method) = match kind {
            MemberKind::Field => (FieldType::parse(member.descriptor).ok(), None),
            _ => (None, MethodDescriptor::parse(member.descriptor).ok()),
        };
        let method = method.map(|d| Signature::of(&d));
        let types = method.as_ref().map_or(0, |m| m.parameters.len());
        let known = Rc::new(KnownMember {
            kind,
            member,
            class,
            of_super: cx.has_super(class.name),
            field: field.map(VType::of),
            method,
        });
        if self.list.len() < MOST && self.types + types <= MOST_TYPES {
            self.at.resize(pool.len(), 0);
            self.list.push(known.clone());
            self.at[usize::from(index)] = self.list.len() as u16;
            self.types += types;
        }
        Some(known)
    }
}
