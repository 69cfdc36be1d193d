//! The constant pool (JVMS 4.4): entries, and accessors that check index and kind.

use crate::error::{Error, Result};
use crate::mutf8;
use crate::reader::Reader;
use crate::shared::SharedBytes;
use std::borrow::Cow;
use std::sync::OnceLock;

/// One constant-pool entry. References to other entries are plain indices, checked on use.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constant {
    /// Index 0, and the second index of each `Long` and `Double`.
    Unused,
    /// A modified-UTF-8 string; its bytes are in the pool, see [`ConstantPool::utf8`].
    Utf8 {
        /// Where the bytes start in the pool's storage.
        start: u32,
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

/// The constant pool of one class file.
#[derive(Clone, Debug, Default)]
pub struct ConstantPool {
    /// The entries, by constant-pool index: entry 0 is [`Constant::Unused`].
    pub entries: Vec<Constant>,
    /// The bytes of the file's pool: `Utf8` entries are slices of it, so that reading a pool
    /// costs two allocations however many strings it holds.
    bytes: SharedBytes,
    /// UTF-8 forms of the few `Utf8` entries whose bytes aren't UTF-8 already, by index; made when one
    /// of them is asked for.
    transcoded: OnceLock<Vec<(u16, Box<str>)>>,
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
        let count = usize::from(count);
        let mut entries = Vec::with_capacity(count.min(r.remaining() / 3 + 2));
        entries.push(Constant::Unused);
        while entries.len() < count {
            let at = r.offset();
            let constant = match r.u1()? {
                1 => {
                    let len = r.u2()?;
                    let start = (r.offset() - begin) as u32;
                    r.bytes(len.into())?;
                    Constant::Utf8 { start, len }
                }
                3 => Constant::Integer(r.u4()? as i32),
                4 => Constant::Float(f32::from_bits(r.u4()?)),
                5 => Constant::Long(r.u8()? as i64),
                6 => Constant::Double(f64::from_bits(r.u8()?)),
                7 => Constant::Class { name: r.u2()? },
                8 => Constant::String { utf8: r.u2()? },
                9 => Constant::Fieldref {
                    class: r.u2()?,
                    name_and_type: r.u2()?,
                },
                10 => Constant::Methodref {
                    class: r.u2()?,
                    name_and_type: r.u2()?,
                },
                11 => Constant::InterfaceMethodref {
                    class: r.u2()?,
                    name_and_type: r.u2()?,
                },
                12 => Constant::NameAndType {
                    name: r.u2()?,
                    descriptor: r.u2()?,
                },
                15 => Constant::MethodHandle {
                    kind: r.u1()?,
                    reference: r.u2()?,
                },
                16 => Constant::MethodType {
                    descriptor: r.u2()?,
                },
                17 => Constant::Dynamic {
                    bootstrap: r.u2()?,
                    name_and_type: r.u2()?,
                },
                18 => Constant::InvokeDynamic {
                    bootstrap: r.u2()?,
                    name_and_type: r.u2()?,
                },
                19 => Constant::Module { name: r.u2()? },
                20 => Constant::Package { name: r.u2()? },
                tag => {
                    return Err(Error::format(
                        at,
                        format_args!("Unknown constant tag {tag}"),
                    ));
                }
            };
            entries.push(constant);
            if let Constant::Long(_) | Constant::Double(_) = constant {
                if entries.len() == count {
                    return Err(Error::format(
                        at,
                        format_args!("Invalid constant pool entry {}", count - 1),
                    ));
                }
                entries.push(Constant::Unused);
            }
        }
        let bytes = match shared {
            Some(file) => file.part(begin..r.offset()),
            None => all.bytes(r.offset() - begin)?.to_vec().into(),
        };
        Ok(ConstantPool {
            entries,
            bytes,
            transcoded: OnceLock::new(),
        })
    }

    /// The number of entries, entry 0 included (`constant_pool_count`).
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Bytes the pool takes in the class file.
    pub fn bytes_len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether there is no entry but entry 0.
    pub fn is_empty(&self) -> bool {
        self.entries.len() <= 1
    }

    /// The entry at `index`; an error for 0, unused and out-of-range indices.
    #[inline]
    pub fn get(&self, index: u16) -> Result<Constant> {
        match self.entries.get(usize::from(index)) {
            None | Some(Constant::Unused) => Err(bad_index(index)),
            Some(constant) => Ok(*constant),
        }
    }

    /// The bytes (modified UTF-8) of the `Utf8` entry at `index`.
    #[inline]
    pub fn utf8(&self, index: u16) -> Result<&[u8]> {
        match self.entries.get(usize::from(index)) {
            Some(&Constant::Utf8 { start, len }) => self
                .bytes
                .get(start as usize..start as usize + usize::from(len))
                .ok_or_else(|| bad_index(index)),
            _ => Err(bad_index(index)),
        }
    }

    /// The `Utf8` entry at `index` as a string slice. Fails only for strings that Rust can't
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
            owned.collect()
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
        match self.get(index)? {
            Constant::Class { name } => self.str(name),
            _ => Err(bad_index(index)),
        }
    }

    /// Name and descriptor of the `NameAndType` entry at `index`.
    pub fn name_and_type(&self, index: u16) -> Result<(&str, &str)> {
        match self.get(index)? {
            Constant::NameAndType { name, descriptor } => {
                Ok((self.str(name)?, self.str(descriptor)?))
            }
            _ => Err(bad_index(index)),
        }
    }

    /// The `Fieldref`, `Methodref` or `InterfaceMethodref` entry at `index`.
    pub fn member_ref(&self, index: u16) -> Result<MemberRef<'_>> {
        let constant = self.get(index)?;
        let (class, name_and_type) = constant.member().ok_or_else(|| bad_index(index))?;
        let (name, descriptor) = self.name_and_type(name_and_type)?;
        Ok(MemberRef {
            class: self.class_name(class)?,
            name,
            descriptor,
            interface: matches!(constant, Constant::InterfaceMethodref { .. }),
        })
    }

    /// The descriptor of the member reference, `Dynamic` or `InvokeDynamic` entry at `index`.
    pub fn descriptor_of(&self, index: u16) -> Result<&str> {
        self.str(self.descriptor_index(index)?)
    }

    /// The `Utf8` entry of [`descriptor_of`](Self::descriptor_of).
    pub fn descriptor_index(&self, index: u16) -> Result<u16> {
        let (Constant::Fieldref { name_and_type, .. }
        | Constant::Methodref { name_and_type, .. }
        | Constant::InterfaceMethodref { name_and_type, .. }
        | Constant::Dynamic { name_and_type, .. }
        | Constant::InvokeDynamic { name_and_type, .. }) = self.get(index)?
        else {
            return Err(bad_index(index));
        };
        match self.get(name_and_type)? {
            Constant::NameAndType { descriptor, .. } => Ok(descriptor),
            _ => Err(bad_index(name_and_type)),
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

#[cold]
pub(crate) fn bad_index(index: u16) -> Error {
    Error::rule(format_args!("Invalid constant pool index {index}"))
}
