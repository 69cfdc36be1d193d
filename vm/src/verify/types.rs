//! Verification types (JVMS 4.10.1.2) and assignability between them, with the questions that only
//! loaded classes can answer collected instead of asked.

use hashbrown::{Equivalent, HashMap};
use rjvm_classfile::descriptor::FieldType;
use std::fmt;
use std::hash::{Hash, Hasher};

/// A class or array type; arrays by dimensions and element, so that none has to be spelled out.
#[derive(Clone, Copy, Eq, Debug)]
pub struct RefType<'a> {
    /// 0: not an array.
    pub dims: u8,
    /// Descriptor letter of a primitive element type; 0 when the element is a class.
    pub prim: u8,
    /// Name of the class (of the element) in internal form.
    pub name: &'a str,
}

impl PartialEq for RefType<'_> {
    /// Most names that are equal are the same bytes of the constant pool.
    #[inline]
    fn eq(&self, other: &RefType<'_>) -> bool {
        (self.dims, self.prim, self.name.len()) == (other.dims, other.prim, other.name.len())
            && (self.name.as_ptr() == other.name.as_ptr() || self.name == other.name)
    }
}

impl Hash for RefType<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.dims, self.prim, self.name).hash(state);
    }
}

impl<'a> RefType<'a> {
    /// A class that isn't an array.
    pub const fn class(name: &'a str) -> RefType<'a> {
        RefType {
            dims: 0,
            prim: 0,
            name,
        }
    }
    /// The type that a class constant's name represents.
    pub fn of_class_name(name: &'a str) -> RefType<'a> {
        let dims = name.bytes().take_while(|&b| b == b'[').count();
        if dims == 0 || dims > 255 {
            return RefType::class(name);
        }
        let dims = dims as u8;
        match FieldType::parse(&name[usize::from(dims)..]) {
            Ok(FieldType::Object(name)) => RefType {
                dims,
                prim: 0,
                name,
            },
            Ok(t) => RefType {
                dims,
                prim: t.letter(),
                name: "",
            },
            // not a descriptor: the format checks don't let it come here
            Err(_) => RefType::class(name),
        }
    }
    /// Whether this is an array type.
    pub fn is_array(self) -> bool {
        self.dims > 0
    }
    /// The type of an array's components.
    pub fn component(self) -> VType<'a> {
        match (self.dims, self.prim) {
            (0, _) => VType::Top,
            (1, b'Z') => VType::Boolean,
            (1, b'B') => VType::Byte,
            (1, b'C') => VType::Char,
            (1, b'S') => VType::Short,
            (1, b'I') => VType::Int,
            (1, b'J') => VType::Long,
            (1, b'F') => VType::Float,
            (1, b'D') => VType::Double,
            _ => VType::Ref(RefType {
                dims: self.dims - 1,
                ..self
            }),
        }
    }
}

impl fmt::Display for RefType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for _ in 0..self.dims {
            f.write_str("[")?;
        }
        match (self.dims, self.prim) {
            (0, _) => f.write_str(self.name),
            (_, 0) => write!(f, "L{};", self.name),
            (_, p) => write!(f, "{}", char::from(p)),
        }
    }
}

/// The type of a local or operand slot.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VType<'a> {
    /// Nothing usable.
    Top,
    /// Only as component and return type.
    Boolean,
    /// Only as component and return type.
    Byte,
    /// Only as component and return type.
    Char,
    /// Only as component and return type.
    Short,
    /// `int` and narrower.
    Int,
    /// `float`
    Float,
    /// First slot of a `long`.
    Long,
    /// Second slot of a `long`.
    Long2,
    /// First slot of a `double`.
    Double,
    /// Second slot of a `double`.
    Double2,
    /// The type of `null`.
    Null,
    /// `this` before the constructor of this class or its superclass has been called.
    UninitThis,
    /// What the `new` at this bci made, before its constructor has been called.
    Uninit(u16),
    /// A reference.
    Ref(RefType<'a>),
    /// As target only: any reference, initialized or not.
    AnyRef,
    /// As target only: any value of one slot.
    Category1,
    /// As target only: the first slot of a wide value.
    Category2,
}

impl<'a> VType<'a> {
    /// A class that isn't an array.
    pub const fn class(name: &'a str) -> VType<'a> {
        VType::Ref(RefType::class(name))
    }
    /// `java.lang.Object`
    pub const OBJECT: VType<'static> = VType::class("java/lang/Object");
    /// `java.lang.Throwable`
    pub const THROWABLE: VType<'static> = VType::class("java/lang/Throwable");

    /// The type of a value of a declared type (its first slot).
    pub fn of(t: FieldType<'a>) -> VType<'a> {
        match t {
            FieldType::Float => VType::Float,
            FieldType::Long => VType::Long,
            FieldType::Double => VType::Double,
            FieldType::Object(n) => VType::class(n),
            FieldType::Array(n) => VType::Ref(RefType::of_class_name(n)),
            _ => VType::Int,
        }
    }
    /// The same as a return type, where the narrow ones keep their names.
    pub fn of_return(t: FieldType<'a>) -> VType<'a> {
        match t {
            FieldType::Boolean => VType::Boolean,
            FieldType::Byte => VType::Byte,
            FieldType::Char => VType::Char,
            FieldType::Short => VType::Short,
            _ => VType::of(t),
        }
    }
    /// The type that a stack map names by this tag alone (JVMS 4.7.4).
    #[inline]
    pub fn of_tag(tag: u8) -> Option<VType<'static>> {
        Some(match tag {
            0 => VType::Top,
            1 => VType::Int,
            2 => VType::Float,
            3 => VType::Double,
            4 => VType::Long,
            5 => VType::Null,
            6 => VType::UninitThis,
            _ => return None,
        })
    }
    /// The second slot of a wide value; `None` for a value of one slot.
    pub fn second(self) -> Option<VType<'static>> {
        match self {
            VType::Long => Some(VType::Long2),
            VType::Double => Some(VType::Double2),
            _ => None,
        }
    }
    /// Whether this is the second slot of a wide value.
    pub fn is_second(self) -> bool {
        matches!(self, VType::Long2 | VType::Double2)
    }
    /// Whether values take one slot.
    pub fn is_category1(self) -> bool {
        !matches!(
            self,
            VType::Top | VType::Long | VType::Long2 | VType::Double | VType::Double2
        )
    }
    /// Whether this is an initialized reference.
    pub fn is_reference(self) -> bool {
        matches!(self, VType::Null | VType::Ref(_))
    }
    /// Whether this is an object whose constructor hasn't been called.
    pub fn is_uninit(self) -> bool {
        matches!(self, VType::UninitThis | VType::Uninit(_))
    }
    /// Whether this is null or a one-dimensional array of one of these primitive types.
    pub fn is_array_of(self, letters: &[u8]) -> bool {
        match self {
            VType::Null => true,
            VType::Ref(r) => r.dims == 1 && r.prim != 0 && letters.contains(&r.prim),
            _ => false,
        }
    }
    /// Whether this is null or an array of references.
    pub fn is_reference_array(self) -> bool {
        match self {
            VType::Null => true,
            VType::Ref(r) => r.dims > 1 || r.dims == 1 && r.prim == 0,
            _ => false,
        }
    }
    /// Whether this is null or an array.
    pub fn is_any_array(self) -> bool {
        match self {
            VType::Null => true,
            VType::Ref(r) => r.is_array(),
            _ => false,
        }
    }
}

impl fmt::Display for VType<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            VType::Top => "top",
            VType::Boolean => "boolean",
            VType::Byte => "byte",
            VType::Char => "char",
            VType::Short => "short",
            VType::Int => "integer",
            VType::Float => "float",
            VType::Long => "long",
            VType::Long2 => "long_2nd",
            VType::Double => "double",
            VType::Double2 => "double_2nd",
            VType::Null => "null",
            VType::UninitThis => "uninitializedThis",
            VType::Uninit(bci) => return write!(f, "uninitialized {bci}"),
            VType::Ref(r) => return write!(f, "'{r}'"),
            VType::AnyRef => "reference type",
            VType::Category1 => "category1 type",
            VType::Category2 => "category2 type",
        })
    }
}

/// Something that only loaded classes can report.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Question {
    /// Whether class `to` loads and `from` is assignable to it. Neither is the same name as the
    /// other, and `to` is neither an array nor `java.lang.Object`.
    Assignable {
        /// Name of the target class.
        to: Box<str>,
        /// Name of the source class; of no account for an array.
        from: Box<str>,
        /// Whether the source is an array.
        from_array: bool,
        /// Whether it is for a protected member, where interfaces don't pass for `Object`.
        protected: bool,
    },
    /// The class is loaded for its side effects only.
    Load(Box<str>),
}

/// A question whose names are borrowed. It is hashed like the other.
#[derive(Clone, Copy, Hash)]
enum BorrowedQuestion<'a> {
    Assignable {
        to: &'a str,
        from: &'a str,
        from_array: bool,
        protected: bool,
    },
    Load(&'a str),
}

impl Equivalent<Question> for BorrowedQuestion<'_> {
    fn equivalent(&self, question: &Question) -> bool {
        match (*self, question) {
            (
                BorrowedQuestion::Assignable {
                    to,
                    from,
                    from_array,
                    protected,
                },
                Question::Assignable {
                    to: t,
                    from: f,
                    from_array: a,
                    protected: p,
                },
            ) => *to == **t && *from == **f && from_array == *a && protected == *p,
            (BorrowedQuestion::Load(name), Question::Load(n)) => *name == **n,
            _ => false,
        }
    }
}

impl BorrowedQuestion<'_> {
    fn owned(self) -> Question {
        match self {
            BorrowedQuestion::Assignable {
                to,
                from,
                from_array,
                protected,
            } => Question::Assignable {
                to: to.into(),
                from: from.into(),
                from_array,
                protected,
            },
            BorrowedQuestion::Load(name) => Question::Load(name.into()),
        }
    }
}

impl Question {
    /// Bytes it takes: in the list, and once more in its index.
    fn bytes(&self) -> usize {
        let names = match self {
            Question::Assignable { to, from, .. } => to.len() + from.len(),
            Question::Load(name) => name.len(),
        };
        2 * (size_of::<Question>() + 32 + names)
    }
}

/// The questions of a class in the order in which they came up.
#[derive(Default)]
pub struct Questions {
    index: HashMap<Question, usize>,
    /// In order, no duplicates.
    pub list: Vec<Question>,
    /// The one with the answer no, once known; the others have the answer yes.
    pub fails: Option<usize>,
    /// Bytes they take.
    bytes: usize,
    /// Bytes they may take.
    pub most: usize,
    /// There was one beyond that.
    pub full: bool,
    /// How many stack map frames of the method have been come to.
    pub frame: usize,
    /// Where that was when each of the list was first asked.
    requested_at: Vec<usize>,
}

impl Questions {
    /// The frame before which a question was not asked.
    pub fn first_requested(&self, i: usize) -> usize {
        self.requested_at.get(i).copied().unwrap_or(0)
    }
    /// Notes that a class is to be loaded.
    pub fn load(&mut self, name: &str) {
        self.ask(BorrowedQuestion::Load(name));
    }
    /// The answer as far as it is known: yes until proven otherwise.
    fn ask(&mut self, q: BorrowedQuestion<'_>) -> bool {
        if self.bytes > self.most {
            self.full = true;
            return true;
        }
        if let Some(&i) = self.index.get(&q) {
            return self.fails != Some(i);
        }
        let (i, q) = (self.list.len(), q.owned());
        self.bytes += q.bytes();
        self.list.push(q.clone());
        self.requested_at.push(self.frame);
        self.index.insert(q, i);
        self.fails != Some(i)
    }
}

/// Whether `from` can be assigned to `to` (4.10.1.2). `protected`: see [`Question::Assignable`].
#[inline]
pub fn assignable(q: &mut Questions, to: VType<'_>, from: VType<'_>, protected: bool) -> bool {
    to == from || to == VType::Top || assignable_to_other(q, to, from, protected)
}

fn assignable_to_other(q: &mut Questions, to: VType<'_>, from: VType<'_>, protected: bool) -> bool {
    match (to, from) {
        (VType::Category1, _) => from.is_category1(),
        (VType::Category2, _) => matches!(from, VType::Long | VType::Double),
        (VType::AnyRef, _) => from.is_reference() || from.is_uninit(),
        (VType::Boolean | VType::Byte | VType::Char | VType::Short, _) => from == VType::Int,
        (VType::Ref(_), VType::Null) => true,
        (VType::Ref(to), VType::Ref(from)) => ref_assignable(q, to, from, protected),
        _ => false,
    }
}

fn ref_assignable(q: &mut Questions, to: RefType<'_>, from: RefType<'_>, protected: bool) -> bool {
    if to.is_array() {
        if !from.is_array() {
            return false;
        }
        return match (to.component(), from.component()) {
            (a, b) if a == b => true,
            (VType::Ref(a), VType::Ref(b)) => ref_assignable(q, a, b, protected),
            _ => false,
        };
    }
    if to.name == "java/lang/Object" {
        return true;
    }
    q.ask(BorrowedQuestion::Assignable {
        to: to.name,
        from: if from.is_array() { "" } else { from.name },
        from_array: from.is_array(),
        protected,
    })
}
