//! The `ClassFile` structure (JVMS 4.1) with its fields and methods (4.5, 4.6).

use crate::attributes::{ClassAttributes, Context, FieldAttributes, LazyAttributes};
use crate::constant_pool::ConstantPool;
use crate::error::{CLASS, Error, ErrorKind, Result};
use crate::reader::Reader;
use crate::shared::SharedBytes;
use std::sync::Arc;

/// The oldest major version there is (JDK 1.0.2).
pub const MIN_MAJOR: u16 = 45;
/// The newest major version this crate reads (JDK 25).
pub const MAX_MAJOR: u16 = 69;

/// A class file, read into owned data.
#[derive(Clone, Debug)]
pub struct ClassFile {
    /// The minor version: 0, or 65535 for preview features.
    pub minor: u16,
    /// The major version: 61 is Java 17.
    pub major: u16,
    /// The constant pool.
    pub constant_pool: Arc<ConstantPool>,
    /// Flags of [`access`](crate::access).
    pub access_flags: u16,
    /// `Class`: this class.
    pub this_class: u16,
    /// `Class`: the superclass; 0 for `java/lang/Object` and `module-info`.
    pub super_class: u16,
    /// `Class` entries: the direct superinterfaces.
    pub interfaces: Box<[u16]>,
    /// The fields declared here.
    pub fields: Box<[FieldInfo]>,
    /// The methods declared here, `<init>` and `<clinit>` among them.
    pub methods: Box<[MethodInfo]>,
    /// The attributes of the class.
    pub attributes: ClassAttributes,
}

/// A field (JVMS 4.5).
#[derive(Clone, Debug)]
pub struct FieldInfo {
    /// Flags of [`access`](crate::access).
    pub access_flags: u16,
    /// `Utf8`: the name.
    pub name: u16,
    /// `Utf8`: the field descriptor.
    pub descriptor: u16,
    /// The attributes.
    pub attributes: FieldAttributes,
}

/// A method (JVMS 4.6).
#[derive(Clone, Debug)]
pub struct MethodInfo {
    /// Flags of [`access`](crate::access).
    pub access_flags: u16,
    /// `Utf8`: the name.
    pub name: u16,
    /// `Utf8`: the method descriptor.
    pub descriptor: u16,
    /// The attributes, `Code` among them.
    pub attributes: LazyAttributes,
}

impl ClassFile {
    /// Reads a class file of any version up to [`MAX_MAJOR`]. Checks its structure only; see
    /// [`check`](Self::check) for the format, and [`check_version`] for what a VM takes.
    pub fn parse(bytes: &[u8]) -> Result<ClassFile> {
        ClassFile::parse_from(bytes, None)
    }

    /// Reads a class file that is trusted to be well-formed: the attributes of methods are looked
    /// at when they are first needed, and a method where they turn out to be malformed has none.
    pub fn parse_shared(bytes: &SharedBytes) -> Result<ClassFile> {
        ClassFile::parse_from(bytes, Some(bytes))
    }

    /// [`parse_shared`](Self::parse_shared) of a copy of the bytes, in which texts that many class files have are left out.
    pub fn parse_kept(bytes: &[u8]) -> Result<ClassFile> {
        let Some((pool, file)) = ConstantPool::parse_kept(bytes)? else {
            return ClassFile::parse_shared(&SharedBytes::from(bytes));
        };
        let mut r = Reader::new(&file);
        let (minor, major) = versions(&mut r)?;
        r.bytes(pool.end() - r.offset())?;
        ClassFile::parse_behind(&mut r, (minor, major), pool, true)
    }

    /// The bytes that it was read from, if it keeps them.
    pub fn original(&self) -> Option<std::borrow::Cow<'_, [u8]>> {
        self.constant_pool.original()
    }

    /// Reads the file again and everything in it, if some of it was left for later.
    pub fn read_again(&self) -> Option<ClassFile> {
        ClassFile::parse(&self.constant_pool.original()?).ok()
    }

    fn parse_from(bytes: &[u8], shared: Option<&SharedBytes>) -> Result<ClassFile> {
        let mut r = Reader::new(bytes);
        let (minor, major) = versions(&mut r)?;
        let pool =
            ConstantPool::parse(&mut r, shared).map_err(|e| e.within("the constant pool"))?;
        ClassFile::parse_behind(&mut r, (minor, major), pool, shared.is_some())
    }

    /// Parses the parts behind the constant pool.
    fn parse_behind(
        r: &mut Reader<'_>,
        (minor, major): (u16, u16),
        pool: ConstantPool,
        lazily: bool,
    ) -> Result<ClassFile> {
        let constant_pool = Arc::new(pool);
        let access_flags = r.u2()?;
        let this_class = r.u2()?;
        let context = Context {
            pool: &constant_pool,
            major,
            unread: lazily.then_some(&constant_pool),
        };
        ClassFile::parse_body(r, &context)
            .map_err(|e| match constant_pool.class_name(this_class) {
                Ok(name) => e.in_class(name),
                Err(_) => e,
            })
            .map(|body| ClassFile {
                minor,
                major,
                access_flags,
                this_class,
                super_class: body.super_class,
                interfaces: body.interfaces.into(),
                fields: body.fields.into(),
                methods: body.methods.into(),
                attributes: body.attributes,
                constant_pool,
            })
    }

    fn parse_body(r: &mut Reader<'_>, context: &Context<'_>) -> Result<Body> {
        let pool = context.pool;
        let super_class = r.u2()?;
        let interface_count = r.u2()?;
        let interfaces = r
            .u2_vec(interface_count)
            .map_err(|e| e.within("the interfaces"))?;
        let fields = r.table(8, |r| {
            let (access_flags, name, descriptor) = (r.u2()?, r.u2()?, r.u2()?);
            let attributes = FieldAttributes::parse(r, context).map_err(|e| {
                e.within(Member {
                    kind: "field",
                    pool,
                    name,
                    descriptor,
                })
            })?;
            Ok(FieldInfo {
                access_flags,
                name,
                descriptor,
                attributes,
            })
        })?;
        let methods = r.table(8, |r| {
            let (access_flags, name, descriptor) = (r.u2()?, r.u2()?, r.u2()?);
            let attributes = LazyAttributes::parse(r, context).map_err(|e| {
                e.within(Member {
                    kind: "method",
                    pool,
                    name,
                    descriptor,
                })
            })?;
            Ok(MethodInfo {
                access_flags,
                name,
                descriptor,
                attributes,
            })
        })?;
        let attributes = ClassAttributes::parse(r, context)?;
        if !r.is_empty() {
            return Err(Error::new(
                ErrorKind::Format,
                Some(r.offset()),
                format!("Extra bytes at the end of class file {CLASS}"),
            ));
        }
        Ok(Body {
            super_class,
            interfaces,
            fields,
            methods,
            attributes,
        })
    }

    /// Bytes of memory of the class file, more or less: without the attributes that are read late.
    pub fn memory(&self) -> usize {
        let members = size_of_val(&*self.fields) + size_of_val(&*self.methods);
        size_of::<ClassFile>() + self.constant_pool.memory() + members
    }

    /// The internal name of this class.
    pub fn name(&self) -> Result<&str> {
        self.constant_pool.class_name(self.this_class)
    }

    /// The internal name of the superclass, if there is one.
    pub fn super_name(&self) -> Result<Option<&str>> {
        match self.super_class {
            0 => Ok(None),
            index => self.constant_pool.class_name(index).map(Some),
        }
    }

    /// The internal names of the direct superinterfaces.
    pub fn interface_names(&self) -> impl Iterator<Item = Result<&str>> {
        self.interfaces
            .iter()
            .map(|&index| self.constant_pool.class_name(index))
    }

    /// The method of that name and descriptor declared here.
    pub fn method(&self, name: &str, descriptor: &str) -> Option<&MethodInfo> {
        let pool = &self.constant_pool;
        self.methods.iter().find(|m| {
            pool.utf8(m.name).is_ok_and(|n| n == name.as_bytes())
                && pool
                    .utf8(m.descriptor)
                    .is_ok_and(|d| d == descriptor.as_bytes())
        })
    }
}

/// The minor and the major version of a class file that this crate reads.
fn versions(r: &mut Reader<'_>) -> Result<(u16, u16)> {
    let magic = r.u4()?;
    if magic != 0xCAFE_BABE {
        return Err(Error::format(
            0,
            format_args!("Incompatible magic value {magic}"),
        ));
    }
    let (minor, major) = (r.u2()?, r.u2()?);
    if !(MIN_MAJOR..=MAX_MAJOR).contains(&major) {
        check_version(major, minor, MAX_MAJOR, false)?;
    }
    Ok((minor, major))
}

struct Body {
    super_class: u16,
    interfaces: Vec<u16>,
    fields: Vec<FieldInfo>,
    methods: Vec<MethodInfo>,
    attributes: ClassAttributes,
}

/// Prints as `method main([Ljava/lang/String;)V` for the context of an error.
struct Member<'a> {
    kind: &'static str,
    pool: &'a ConstantPool,
    name: u16,
    descriptor: u16,
}

impl std::fmt::Display for Member<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = |index| match self.pool.utf8(index) {
            Ok(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Err(_) => format!("#{index}"),
        };
        let separator = if self.kind == "field" { ":" } else { "" };
        write!(
            f,
            "{} {}{separator}{}",
            self.kind,
            text(self.name),
            text(self.descriptor)
        )
    }
}

/// Whether a VM that knows versions up to `max_major` takes this one (JVMS 4.1); with
/// `preview`, files compiled with the preview features of `max_major` itself are taken too.
pub fn check_version(major: u16, minor: u16, max_major: u16, preview: bool) -> Result<()> {
    let problem = if major < MIN_MAJOR {
        format!(
            "{CLASS} (class file version {major}.{minor}) was compiled with an invalid major \
             version"
        )
    } else if major > max_major {
        format!(
            "{CLASS} has been compiled by a more recent version of the Java Runtime (class file \
             version {major}.{minor}), this version of the Java Runtime only recognizes class \
             file versions up to {max_major}.0"
        )
    } else if major < 56 || minor == 0 {
        return Ok(());
    } else if minor != 65535 {
        format!(
            "{CLASS} (class file version {major}.{minor}) was compiled with an invalid non-zero \
             minor version"
        )
    } else if major != max_major {
        format!(
            "{CLASS} (class file version {major}.{minor}) was compiled with preview features \
             that are unsupported. This version of the Java Runtime only recognizes preview \
             features for class file version {max_major}.{minor}"
        )
    } else if !preview {
        format!(
            "Preview features are not enabled for {CLASS} (class file version {major}.{minor}). \
             Try running with '--enable-preview'"
        )
    } else {
        return Ok(());
    };
    Err(Error::new(
        ErrorKind::UnsupportedVersion { major, minor },
        None,
        problem,
    ))
}
