//! The types of the inferring verifier, and their merging (JVMS 4.10.2.2). Interfaces pass for
//! `java.lang.Object`: calls of methods check the interfaces of objects.

use super::VerifyStop;
use crate::verify::types::RefType;
use crate::verify::world::World;
use hashbrown::HashMap;
use rjvm_classfile::descriptor::FieldType;
use std::sync::Arc;

/// A class by its number in [`TypeClasses`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Name(u32);

/// `java.lang.Object`
pub const OBJECT: Name = Name(0);
/// `java.lang.String`
pub const STRING: Name = Name(1);
/// `java.lang.Throwable`
pub const THROWABLE: Name = Name(2);
const CLONEABLE: Name = Name(3);
const SERIALIZABLE: Name = Name(4);
/// `java.lang.Class`
pub const CLASS: Name = Name(5);

/// The type of a local or an operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// Nothing usable.
    Bogus,
    /// `int` and narrower.
    Int,
    /// `float`
    Float,
    /// `long`; of locals, its first.
    Long,
    /// A `long`'s second local.
    Long2,
    /// `double`; of locals, its first.
    Double,
    /// A `double`'s second local.
    Double2,
    /// The type of `null`.
    Null,
    /// `this` before the constructor of this class or its superclass has been called.
    This,
    /// What the `new` at this pc made, before its constructor has been called.
    New(u16),
    /// A return address of the subroutine that begins at this pc.
    RetAddr(u16),
    /// An object.
    Object(Name),
    /// An array of objects: dimensions, element.
    Objects(u8, Name),
    /// An array of primitives: dimensions, descriptor letter.
    Prims(u8, u8),
}

impl Type {
    /// The type of the second local, for a wide value.
    pub fn second(self) -> Option<Type> {
        match self {
            Type::Long => Some(Type::Long2),
            Type::Double => Some(Type::Double2),
            _ => None,
        }
    }
    /// Slots on the operand stack.
    pub fn slots(self) -> usize {
        1 + usize::from(self.second().is_some())
    }
    /// Whether this is null, an initialized object or an array.
    pub fn is_reference(self) -> bool {
        matches!(
            self,
            Type::Null | Type::Object(_) | Type::Objects(..) | Type::Prims(..)
        )
    }
    /// Whether this is an array.
    pub fn is_array(self) -> bool {
        matches!(self, Type::Objects(..) | Type::Prims(..))
    }
    /// The type of the components of an array (null: null).
    pub fn component(self) -> Type {
        match self {
            Type::Objects(1, n) => Type::Object(n),
            Type::Objects(d, n) => Type::Objects(d - 1, n),
            Type::Prims(1, b'J') => Type::Long,
            Type::Prims(1, b'F') => Type::Float,
            Type::Prims(1, b'D') => Type::Double,
            Type::Prims(1, _) => Type::Int,
            Type::Prims(d, p) => Type::Prims(d - 1, p),
            Type::Null => Type::Null,
            _ => Type::Bogus,
        }
    }
    /// An array of this type; `None` beyond 255 dimensions, and for types without arrays here.
    pub fn array(self) -> Option<Type> {
        Some(match self {
            Type::Object(n) => Type::Objects(1, n),
            Type::Objects(d, n) => Type::Objects(d.checked_add(1)?, n),
            Type::Prims(d, p) => Type::Prims(d.checked_add(1)?, p),
            _ => return None,
        })
    }
    fn objects(dims: u8, n: Name) -> Type {
        match dims {
            0 => Type::Object(n),
            _ => Type::Objects(dims, n),
        }
    }
    /// Dimensions and element, where arrays of primitives count as `Object` of one dimension less.
    fn of_objects(self) -> Option<(u8, Name)> {
        match self {
            Type::Object(n) => Some((0, n)),
            Type::Objects(d, n) => Some((d, n)),
            Type::Prims(d, _) => Some((d - 1, OBJECT)),
            _ => None,
        }
    }
}

/// The classes that types name; two with the same name can differ by their loaders.
pub struct TypeClasses<C> {
    list: Vec<(Arc<str>, Option<C>)>,
    index: HashMap<Arc<str>, Name>,
}

impl<C: Copy + PartialEq> Default for TypeClasses<C> {
    /// The well-known ones.
    fn default() -> TypeClasses<C> {
        let mut c = TypeClasses {
            list: Vec::new(),
            index: HashMap::new(),
        };
        for name in [
            "java/lang/Object",
            "java/lang/String",
            "java/lang/Throwable",
            "java/lang/Cloneable",
            "java/io/Serializable",
            "java/lang/Class",
        ] {
            c.name(name);
        }
        c
    }
}

impl<C: Copy + PartialEq> TypeClasses<C> {
    /// The class that the loader of the class being verified knows by this name.
    pub fn name(&mut self, name: &str) -> Name {
        if let Some(&n) = self.index.get(name) {
            return n;
        }
        let n = Name(self.list.len() as u32);
        let name: Arc<str> = name.into();
        self.list.push((name.clone(), None));
        self.index.insert(name, n);
        n
    }
    /// The type of a class constant.
    pub fn of_class(&mut self, name: &str) -> Type {
        let r = RefType::of_class_name(name);
        match r.prim {
            0 => Type::objects(r.dims, self.name(r.name)),
            p => Type::Prims(r.dims, p),
        }
    }
    /// The type of a declared type.
    pub fn of(&mut self, t: FieldType<'_>) -> Type {
        match t {
            FieldType::Float => Type::Float,
            FieldType::Long => Type::Long,
            FieldType::Double => Type::Double,
            FieldType::Object(n) => Type::Object(self.name(n)),
            FieldType::Array(n) => self.of_class(n),
            _ => Type::Int,
        }
    }

    fn load<W: World<Class = C>>(&mut self, w: &mut W, n: Name) -> Result<C, VerifyStop<W::Error>> {
        if let Some(c) = self.list[n.0 as usize].1 {
            return Ok(c);
        }
        let c = w.load(&self.list[n.0 as usize].0.clone())?;
        self.list[n.0 as usize].1 = Some(c);
        Ok(c)
    }

    /// The number of a loaded class.
    fn of_loaded<W: World<Class = C>>(
        &mut self,
        w: &mut W,
        c: C,
    ) -> Result<Name, VerifyStop<W::Error>> {
        let name = w.name(c);
        if let Some(i) = self
            .list
            .iter()
            .position(|e| e.1 == Some(c) && *e.0 == *name)
        {
            return Ok(Name(i as u32));
        }
        let n = self.name(&name);
        if self.load(w, n)? == c {
            return Ok(n);
        }
        self.list.push((name, Some(c)));
        Ok(Name(self.list.len() as u32 - 1))
    }

    /// Whether a value of type `from` can be assigned to type `to`.
    pub fn assignable<W: World<Class = C>>(
        &mut self,
        w: &mut W,
        from: Type,
        to: Type,
    ) -> Result<bool, VerifyStop<W::Error>> {
        Ok(self.merge(w, from, to, true)? == to)
    }

    /// The type of a value that is either a `value` or a `target`. With `assignment`, only a result that equals
    /// `target` says something: that `value` can be assigned to it.
    pub fn merge<W: World<Class = C>>(
        &mut self,
        w: &mut W,
        value: Type,
        target: Type,
        assignment: bool,
    ) -> Result<Type, VerifyStop<W::Error>> {
        let object = Type::Object(OBJECT);
        match (value, target) {
            _ if value == target => return Ok(value),
            _ if !value.is_reference() || !target.is_reference() => return Ok(Type::Bogus),
            (Type::Null, other) | (other, Type::Null) => return Ok(other),
            _ if target == object => return Ok(target),
            (_, Type::Object(t)) if value == object && assignment => {
                let t = self.load(w, t)?;
                return Ok(if w.is_interface(t) { target } else { value });
            }
            _ if value == object => return Ok(value),
            _ => {}
        }
        if let (Type::Object(v), Type::Object(t)) = (value, target) {
            return self.merge_classes(w, v, t, assignment);
        }
        // at least one array
        for t in [target, value] {
            if t == Type::Object(CLONEABLE) || t == Type::Object(SERIALIZABLE) {
                return Ok(t);
            }
        }
        let (Some((vd, vn)), Some((td, tn))) = (value.of_objects(), target.of_objects()) else {
            return Ok(Type::Bogus);
        };
        if vd == td {
            let (v, t) = (Type::Object(vn), Type::Object(tn));
            return Ok(match self.merge(w, v, t, assignment)? {
                Type::Object(n) => Type::objects(vd, n),
                other => other,
            });
        }
        let (dims, n) = if vd < td { (vd, vn) } else { (td, tn) };
        Ok(match n {
            CLONEABLE | SERIALIZABLE => Type::objects(dims, n),
            _ => Type::objects(dims, OBJECT),
        })
    }

    /// Two different classes, neither of them `Object`.
    fn merge_classes<W: World<Class = C>>(
        &mut self,
        w: &mut W,
        value: Name,
        target: Name,
        assignment: bool,
    ) -> Result<Type, VerifyStop<W::Error>> {
        let t = self.load(w, target)?;
        if w.is_interface(t) {
            return Ok(Type::Object(if assignment { target } else { OBJECT }));
        }
        let v = self.load(w, value)?;
        if w.is_interface(v) {
            return Ok(Type::Object(OBJECT));
        }
        if assignment {
            let to = if w.is_subclass(v, t) { target } else { OBJECT };
            return Ok(Type::Object(to));
        }
        let mut common = Some(v);
        while let Some(c) = common
            && !w.is_subclass(t, c)
        {
            common = w.super_class(c);
        }
        Ok(Type::Object(match common {
            Some(c) if c == v => value,
            Some(c) if c == t => target,
            Some(c) => self.of_loaded(w, c)?,
            None => OBJECT,
        }))
    }
}
