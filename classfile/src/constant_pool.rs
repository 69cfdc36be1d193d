//! The constant pool (JVMS 4.4): entries, and accessors that check index and kind.

use crate::error::{Error, Result};
use crate::mutf8;
use crate::reader::Reader;
use crate::shared::SharedBytes;
use crate::words::WORDS;
use std::borrow::Cow;
use std::sync::OnceLock;

mod kept;

/// One constant-pool entry. References to other entries are plain indices, checked on use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// Index 0, and the second index of each `Long` and `Double`.
    Unused,
    /// A modified-UTF-8 string; its bytes are in the pool, see [`ConstantPool::utf8`].
    Utf8 {
        /// How many bytes.
        len: u16,
    },
    /// An `int`.
    Integer(i32),
    /// A `float`.
    Float(f32),
    /// A `long`.
    Long(i64),
    /// A `double`.
    Double(f64),
    /// A class, interface or array type.
    Class {
        /// `Utf8`: internal name, or array descriptor.
        name: u16,
    },
    /// A string literal.
    String {
        /// `Utf8`: its characters.
        utf8: u16,
    },
    /// A field.
    Fieldref {
        /// `Class`: where look-up starts.
        class: u16,
        /// `NameAndType` of the member.
        name_and_type: u16,
    },
    /// A method of a class.
    Methodref {
        /// `Class`: where look-up starts.
        class: u16,
        /// `NameAndType` of the member.
        name_and_type: u16,
    },
    /// A method of an interface.
    InterfaceMethodref {
        /// `Class`: where look-up starts.
        class: u16,
        /// `NameAndType` of the member.
        name_and_type: u16,
    },
    /// A name with a field or method descriptor.
    NameAndType {
        /// `Utf8`: the unqualified name.
        name: u16,
        /// `Utf8`: the descriptor.
        descriptor: u16,
    },
    /// A method handle.
    MethodHandle {
        /// The reference kind, 1 (`REF_getField`) to 9 (`REF_invokeInterface`).
        kind: u8,
        /// The member: `Fieldref`, `Methodref` or `InterfaceMethodref`, by kind.
        reference: u16,
    },
    /// A method type.
    MethodType {
        /// `Utf8`: a method descriptor.
        descriptor: u16,
    },
    /// A dynamically computed constant.
    Dynamic {
        /// Index into the `BootstrapMethods` attribute.
        bootstrap: u16,
        /// `NameAndType` with a field descriptor.
        name_and_type: u16,
    },
    /// A dynamically computed call site.
    InvokeDynamic {
        /// Index into the `BootstrapMethods` attribute.
        bootstrap: u16,
        /// `NameAndType` with a method descriptor.
        name_and_type: u16,
    },
    /// A module (in `module-info` only).
    Module {
        /// `Utf8`: the module's name.
        name: u16,
    },
    /// A package (in `module-info` only).
    Package {
        /// `Utf8`: the package's internal name.
        name: u16,
    },
}

impl Constant {
    /// The entries of class, and of name and type, that a member reference refers to.
    #[inline]
    pub fn member(self) -> Option<(u16, u16)> {
        match self {
            Constant::Fieldref {
                class,
                name_and_type,
            }
            | Constant::Methodref {
                class,
                name_and_type,
            }
            | Constant::InterfaceMethodref {
                class,
                name_and_type,
            } => Some((class, name_and_type)),
            _ => None,
        }
    }

    /// The tag's name as the JVMS has it, without the `CONSTANT_` prefix.
    pub fn kind_name(&self) -> &'static str {
        match self {
            Constant::Unused => "Unused",
            Constant::Utf8 { .. } => "Utf8",
            Constant::Integer(_) => "Integer",
            Constant::Float(_) => "Float",
            Constant::Long(_) => "Long",
            Constant::Double(_) => "Double",
            Constant::Class { .. } => "Class",
            Constant::String { .. } => "String",
            Constant::Fieldref { .. } => "Fieldref",
            Constant::Methodref { .. } => "Methodref",
            Constant::InterfaceMethodref { .. } => "InterfaceMethodref",
            Constant::NameAndType { .. } => "NameAndType",
            Constant::MethodHandle { .. } => "MethodHandle",
            Constant::MethodType { .. } => "MethodType",
            Constant::Dynamic { .. } => "Dynamic",
            Constant::InvokeDynamic { .. } => "InvokeDynamic",
            Constant::Module { .. } => "Module",
            Constant::Package { .. } => "Package",
        }
    }
}

/// A field or method reference with its strings looked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemberRef<'a> {
    /// The class named by the reference (internal name or array descriptor).
    pub class: &'a str,
    /// The member's unqualified name.
    pub name: &'a str,
    /// The member's descriptor.
    pub descriptor: &'a str,
    /// Whether the entry is an `InterfaceMethodref`.
    pub interface: bool,
}

/// The constant pool of one class file: its bytes, and where in them each entry is. Entries are read when
/// they are requested, since of most pools only a few are.
#[derive(Clone, Debug, Default)]
pub struct ConstantPool {
    /// By constant-pool index, where the entry's tag is in `bytes`.
    at: Offsets,
    /// The bytes of the file's pool, from the first entry on.
    bytes: SharedBytes,
    /// Bytes of the whole file around them; 0 of a copy of the pool alone.
    file: u32,
    /// Entries that are one of the [`WORDS`] are not among the bytes. Their offsets are [`LAST_WORD`] less the word's
    /// number, beyond the end.
    has_words: bool,
    /// UTF-8 forms of the few `Utf8` entries whose bytes aren't UTF-8 already, by index; made when one
    /// of them is requested.
    transcoded: OnceLock<Box<Vec<(u16, Box<str>)>>>,
}

/// Offsets of entries, in as few bytes as they fit in; the greatest number for an index that cannot be used.
#[derive(Clone, Debug)]
enum Offsets {
    Short(Box<[u16]>),
    Long(Box<[u32]>),
}

impl Default for Offsets {
    fn default() -> Offsets {
        Offsets::Short(Box::default())
    }
}

impl ConstantPool {
    /// `shared`: the whole file, which the pool then refers to instead of a copy.
    pub(crate) fn parse(r: &mut Reader<'_>, shared: Option<&SharedBytes>) -> Result<ConstantPool> {
        let at = r.offset();
        let count = r.u2()?;
        if count == 0 {
            return Err(Error::format(at, "Illegal constant pool size 0"));
        }
        let begin = r.offset();
        let mut all = r.clone();
        let short = |at: usize| at as u16;
        let at = if r.remaining() < usize::from(u16::MAX) {
            Offsets::Short(offsets(r, count, u16::MAX, short)?.into())
        } else {
            let long = offsets(r, count, u32::MAX, |at| at as u32)?;
            match r.offset() - begin < usize::from(u16::MAX) {
                true => Offsets::Short(long.iter().map(|&at| short(at as usize)).collect()),
                false => Offsets::Long(long.into()),
            }
        };
        let (bytes, file) = match shared {
            Some(file) => (file.part(begin..r.offset()), file.len() as u32),
            None => (all.bytes(r.offset() - begin)?.into(), 0),
        };
        debug_assert_eq!(begin, FIRST);
        Ok(ConstantPool {
            at,
            bytes,
            file,
            has_words: false,
            transcoded: OnceLock::new(),
        })
    }

    /// Where the pool ends in [`file`](Self::file).
    pub(crate) fn end(&self) -> usize {
        FIRST + self.bytes.len()
    }

    /// The number of entries, entry 0 included (`constant_pool_count`).
    pub fn len(&self) -> usize {
        match &self.at {
            Offsets::Short(at) => at.len(),
            Offsets::Long(at) => at.len(),
        }
    }

    /// The whole file, if the pool is not a copy.
    #[inline]
    pub(crate) fn file(&self) -> Option<&[u8]> {
        match self.file {
            0 => None,
            all => self.bytes.around(FIRST, all as usize),
        }
    }

    /// Bytes of memory of the pool, with those of a class file that is kept for it.
    pub(crate) fn memory(&self) -> usize {
        let index = match &self.at {
            Offsets::Short(at) => size_of_val(&**at),
            Offsets::Long(at) => size_of_val(&**at),
        };
        size_of::<ConstantPool>() + index + self.bytes.memory()
    }

    /// Whether there is no entry but entry 0.
    pub fn is_empty(&self) -> bool {
        self.len() <= 1
    }

    /// All entries, from entry 0 on.
    pub fn iter(&self) -> impl Iterator<Item = Constant> {
        (0..=u16::MAX).take(self.len()).map(|i| self.entry(i))
    }

    /// The bytes of all `Utf8` entries (modified UTF-8).
    pub fn texts(&self) -> impl Iterator<Item = &[u8]> {
        let words = match &self.at {
            Offsets::Short(at) if self.has_words => &at[..],
            _ => &[],
        };
        let words = words.iter().filter_map(|&at| self.word(at.into()));
        let mut rest: &[u8] = &self.bytes;
        let others = std::iter::from_fn(move || {
            loop {
                match rest {
                    [1, a, b, behind @ ..] => {
                        let text;
                        (text, rest) = behind.split_at_checked(u2(*a, *b).into())?;
                        return Some(text);
                    }
                    [tag, ..] => rest = rest.get(LENGTHS[usize::from(*tag)].into()..)?,
                    [] => return None,
                }
            }
        });
        others.chain(words.map(|entry| &entry[3..]))
    }

    /// Whether the entry at `index` is a `Utf8`.
    #[inline]
    pub fn is_utf8(&self, index: u16) -> bool {
        matches!(self.raw(index), Some([1, ..]))
    }

    /// Whether the entry at `index` is a `Class`.
    #[inline]
    pub fn is_class(&self, index: u16) -> bool {
        matches!(self.raw(index), Some([7, ..]))
    }

    /// The entry at `index`; [`Constant::Unused`] beyond the last one.
    pub fn entry(&self, index: u16) -> Constant {
        match *self.raw(index).unwrap_or_default() {
            [1, a, b, ..] => Constant::Utf8 { len: u2(a, b) },
            [3, a, b, c, d, ..] => Constant::Integer(i32::from_be_bytes([a, b, c, d])),
            [4, a, b, c, d, ..] => Constant::Float(f32::from_be_bytes([a, b, c, d])),
            [5, a, b, c, d, e, f, g, h, ..] => {
                Constant::Long(i64::from_be_bytes([a, b, c, d, e, f, g, h]))
            }
            [6, a, b, c, d, e, f, g, h, ..] => {
                Constant::Double(f64::from_be_bytes([a, b, c, d, e, f, g, h]))
            }
            [7, a, b, ..] => Constant::Class { name: u2(a, b) },
            [8, a, b, ..] => Constant::String { utf8: u2(a, b) },
            [9, a, b, c, d, ..] => Constant::Fieldref {
                class: u2(a, b),
                name_and_type: u2(c, d),
            },
            [10, a, b, c, d, ..] => Constant::Methodref {
                class: u2(a, b),
                name_and_type: u2(c, d),
            },
            [11, a, b, c, d, ..] => Constant::InterfaceMethodref {
                class: u2(a, b),
                name_and_type: u2(c, d),
            },
            [12, a, b, c, d, ..] => Constant::NameAndType {
                name: u2(a, b),
                descriptor: u2(c, d),
            },
            [15, kind, a, b, ..] => Constant::MethodHandle {
                kind,
                reference: u2(a, b),
            },
            [16, a, b, ..] => Constant::MethodType {
                descriptor: u2(a, b),
            },
            [17, a, b, c, d, ..] => Constant::Dynamic {
                bootstrap: u2(a, b),
                name_and_type: u2(c, d),
            },
            [18, a, b, c, d, ..] => Constant::InvokeDynamic {
                bootstrap: u2(a, b),
                name_and_type: u2(c, d),
            },
            [19, a, b, ..] => Constant::Module { name: u2(a, b) },
            [20, a, b, ..] => Constant::Package { name: u2(a, b) },
            _ => Constant::Unused,
        }
    }

    /// The bytes from the entry's tag on; none for an index that cannot be used, whose offset is beyond the end.
    #[inline]
    fn raw(&self, index: u16) -> Option<&[u8]> {
        let index = usize::from(index);
        let at = match &self.at {
            Offsets::Short(at) => (*at.get(index)?).into(),
            Offsets::Long(at) => *at.get(index)? as usize,
        };
        match self.bytes.get(at..) {
            None => self.word(at),
            some => some,
        }
    }

    /// The word that is the entry at an offset beyond the end.
    #[cold]
    fn word(&self, at: usize) -> Option<&'static [u8]> {
        let word = usize::from(LAST_WORD).checked_sub(at)?;
        WORDS.get(word).copied().filter(|_| self.has_words)
    }

    /// The entry at `index`; an error for 0, unused and out-of-range indices.
    #[inline]
    pub fn get(&self, index: u16) -> Result<Constant> {
        match self.entry(index) {
            Constant::Unused => Err(bad_index(index)),
            constant => Ok(constant),
        }
    }

    /// The bytes (modified UTF-8) of the `Utf8` entry at `index`.
    #[inline]
    pub fn utf8(&self, index: u16) -> Result<&[u8]> {
        self.text(index).ok_or_else(|| bad_index(index))
    }

    /// [`utf8`](Self::utf8), of an entry that may be of another kind.
    #[inline]
    pub fn text(&self, index: u16) -> Option<&[u8]> {
        match self.raw(index)? {
            [1, a, b, text @ ..] => text.get(..usize::from(u2(*a, *b))),
            _ => None,
        }
    }

    /// The `Utf8` entry at `index` as a string slice. Fails only for strings that Rust cannot
    /// represent, those with surrogates standing alone: string literals can be such, so read them
    /// with [`utf8`](Self::utf8) and [`mutf8`].
    #[inline]
    pub fn str(&self, index: u16) -> Result<&str> {
        match std::str::from_utf8(self.utf8(index)?) {
            Ok(text) => Ok(text),
            Err(_) => self.transcoded(index),
        }
    }

    #[cold]
    fn transcoded(&self, index: u16) -> Result<&str> {
        let all = self.transcoded.get_or_init(|| {
            let utf8 = (0..=u16::MAX).take(self.len());
            let owned = utf8.filter_map(|i| match mutf8::to_str(self.utf8(i).ok()?) {
                Some(Cow::Owned(text)) => Some((i, text.into())),
                _ => None,
            });
            Box::new(owned.collect())
        });
        match all.binary_search_by_key(&index, |(index, _)| *index) {
            Ok(at) => Ok(&all[at].1),
            Err(_) => Err(Error::rule(format_args!(
                "String at constant pool index {index} is not valid UTF-8"
            ))),
        }
    }

    /// The name of the `Class` entry at `index`: an internal name or an array descriptor.
    #[inline]
    pub fn class_name(&self, index: u16) -> Result<&str> {
        self.str(self.class_name_index(index)?)
    }

    /// The `Utf8` entry of [`class_name`](Self::class_name).
    #[inline]
    pub fn class_name_index(&self, index: u16) -> Result<u16> {
        match self.raw(index) {
            Some([7, a, b, ..]) => Ok(u2(*a, *b)),
            _ => Err(bad_index(index)),
        }
    }

    /// The `Utf8` entries of name and descriptor of the `NameAndType` entry at `index`.
    #[inline]
    pub fn name_and_type_indices(&self, index: u16) -> Result<(u16, u16)> {
        match self.raw(index) {
            Some([12, a, b, c, d, ..]) => Ok((u2(*a, *b), u2(*c, *d))),
            _ => Err(bad_index(index)),
        }
    }

    /// The entries of class, and of name and type, of the `Fieldref`, `Methodref` or `InterfaceMethodref`
    /// entry at `index`, and whether it is an `InterfaceMethodref`.
    #[inline]
    pub fn member_indices(&self, index: u16) -> Result<(u16, u16, bool)> {
        match self.raw(index) {
            Some([tag @ 9..=11, a, b, c, d, ..]) => Ok((u2(*a, *b), u2(*c, *d), *tag == 11)),
            _ => Err(bad_index(index)),
        }
    }

    /// Name and descriptor of the `NameAndType` entry at `index`.
    pub fn name_and_type(&self, index: u16) -> Result<(&str, &str)> {
        let (name, descriptor) = self.name_and_type_indices(index)?;
        Ok((self.str(name)?, self.str(descriptor)?))
    }

    /// The `Fieldref`, `Methodref` or `InterfaceMethodref` entry at `index`.
    pub fn member_ref(&self, index: u16) -> Result<MemberRef<'_>> {
        let (class, name_and_type, interface) = self.member_indices(index)?;
        let (name, descriptor) = self.name_and_type(name_and_type)?;
        Ok(MemberRef {
            class: self.class_name(class)?,
            name,
            descriptor,
            interface,
        })
    }

    /// The descriptor of the member reference, `Dynamic` or `InvokeDynamic` entry at `index`.
    pub fn descriptor_of(&self, index: u16) -> Result<&str> {
        self.str(self.descriptor_index(index)?)
    }

    /// The `Utf8` entry of [`descriptor_of`](Self::descriptor_of).
    pub fn descriptor_index(&self, index: u16) -> Result<u16> {
        match self.raw(index) {
            Some([9..=11 | 17 | 18, _, _, a, b, ..]) => {
                Ok(self.name_and_type_indices(u2(*a, *b))?.1)
            }
            _ => Err(bad_index(index)),
        }
    }

    /// Bootstrap index, name and descriptor of the `Dynamic` or `InvokeDynamic` entry at `index`.
    pub fn dynamic(&self, index: u16) -> Result<(u16, &str, &str)> {
        match self.get(index)? {
            Constant::Dynamic {
                bootstrap,
                name_and_type,
            }
            | Constant::InvokeDynamic {
                bootstrap,
                name_and_type,
            } => {
                let (name, descriptor) = self.name_and_type(name_and_type)?;
                Ok((bootstrap, name, descriptor))
            }
            _ => Err(bad_index(index)),
        }
    }

    /// The name of the `Module` entry at `index`.
    pub fn module_name(&self, index: u16) -> Result<&str> {
        match self.get(index)? {
            Constant::Module { name } => self.str(name),
            _ => Err(bad_index(index)),
        }
    }

    /// The internal name of the `Package` entry at `index`.
    pub fn package_name(&self, index: u16) -> Result<&str> {
        match self.get(index)? {
            Constant::Package { name } => self.str(name),
            _ => Err(bad_index(index)),
        }
    }
}

/// The offset of the first of the words; the greatest number means no entry.
const LAST_WORD: u16 = u16::MAX - 1;

/// Where the first entry is in a class file: behind magic number, versions and count.
const FIRST: usize = 10;

/// Reads past `count - 1` entries; where each begins, from the first one on. `unused` for entry 0, and the
/// second index of each `Long` and `Double`.
fn offsets<T: Copy>(
    r: &mut Reader<'_>,
    count: u16,
    unused: T,
    narrow: impl Fn(usize) -> T,
) -> Result<Vec<T>> {
    let (begin, count) = (r.offset(), usize::from(count));
    let bytes = r.clone().rest();
    let mut list = Vec::with_capacity(count.min(bytes.len() / 3 + 2));
    list.push(unused);
    let mut at = 0;
    while list.len() < count {
        let (tag, len) = match bytes.get(at..) {
            Some([1, a, b, ..]) => (1, 3 + usize::from(u2(*a, *b))),
            Some([tag, ..]) => (
                *tag,
                LENGTHS.get(usize::from(*tag)).map_or(0, |&n| n.into()),
            ),
            _ => return Err(Error::truncated(begin + bytes.len())),
        };
        if len == 0 {
            let text = format_args!("Unknown constant tag {tag}");
            return Err(Error::format(begin + at, text));
        }
        list.push(narrow(at));
        at += len;
        if at > bytes.len() {
            return Err(Error::truncated(begin + bytes.len()));
        }
        if matches!(tag, 5 | 6) {
            if list.len() == count {
                let text = format_args!("Invalid constant pool entry {}", count - 1);
                return Err(Error::format(begin + at - len, text));
            }
            list.push(unused);
        }
    }
    r.bytes(at)?;
    Ok(list)
}

/// Bytes of an entry by its tag; 0 if there is none with that tag. A `Utf8` has as many more as it says.
const LENGTHS: [u8; 21] = [
    0, 3, 0, 5, 5, 9, 9, 3, 3, 5, 5, 5, 5, 0, 0, 4, 3, 5, 5, 3, 3,
];

#[inline]
fn u2(a: u8, b: u8) -> u16 {
    u16::from_be_bytes([a, b])
}

#[cold]
pub(crate) fn bad_index(index: u16) -> Error {
    Error::rule(format_args!("Invalid constant pool index {index}"))
}
