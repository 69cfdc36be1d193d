//! The attributes of a class (JVMS table 4.7-C, `ClassFile`).

use super::{
    AnnotationBytes, AttributeUse, BootstrapMethod, Context, EnclosingMethod, InnerClass, Module,
    Place, RawAttribute, RecordComponent, bootstrap_methods, enclosing_method, inner_classes, once,
    parse_table, record,
};
use crate::error::Result;
use crate::reader::Reader;
use std::ops::Deref;

/// The attributes of a class. Dereferences to [`ClassKinds`], of which many classes have none.
#[derive(Clone, Debug, Default)]
pub struct ClassAttributes {
    /// `SourceFile`: `Utf8`.
    pub source_file: Option<u16>,
    rest: Option<Box<ClassKinds>>,
}

/// The attributes of a class, without `SourceFile`.
#[derive(Clone, Debug, Default)]
pub struct ClassKinds {
    /// `SourceDebugExtension`: modified UTF-8.
    pub source_debug_extension: Option<Box<[u8]>>,
    /// `InnerClasses`.
    pub inner_classes: Option<Vec<InnerClass>>,
    /// `EnclosingMethod`.
    pub enclosing_method: Option<EnclosingMethod>,
    /// `Synthetic`.
    pub synthetic: bool,
    /// `Deprecated`.
    pub deprecated: bool,
    /// `Signature`: `Utf8`.
    pub signature: Option<u16>,
    /// `BootstrapMethods`.
    pub bootstrap_methods: Option<Vec<BootstrapMethod>>,
    /// `NestHost`: `Class`.
    pub nest_host: Option<u16>,
    /// `NestMembers`: `Class` entries.
    pub nest_members: Option<Vec<u16>>,
    /// `PermittedSubclasses`: `Class` entries.
    pub permitted_subclasses: Option<Vec<u16>>,
    /// `Record`: the components.
    pub record: Option<Vec<RecordComponent>>,
    /// `Module`.
    pub module: Option<Box<Module>>,
    /// `ModulePackages`: `Package` entries.
    pub module_packages: Option<Vec<u16>>,
    /// `ModuleMainClass`: `Class`.
    pub module_main_class: Option<u16>,
    /// The annotation attributes, raw.
    pub annotations: AnnotationBytes,
    /// Unknown attributes, in file order.
    pub other: Vec<RawAttribute>,
}

impl Deref for ClassAttributes {
    type Target = ClassKinds;

    fn deref(&self) -> &ClassKinds {
        static NONE: ClassKinds = ClassKinds {
            source_debug_extension: None,
            inner_classes: None,
            enclosing_method: None,
            synthetic: false,
            deprecated: false,
            signature: None,
            bootstrap_methods: None,
            nest_host: None,
            nest_members: None,
            permitted_subclasses: None,
            record: None,
            module: None,
            module_packages: None,
            module_main_class: None,
            annotations: AnnotationBytes::NONE,
            other: Vec::new(),
        };
        self.rest.as_deref().unwrap_or(&NONE)
    }
}

impl ClassAttributes {
    pub(crate) fn parse(r: &mut Reader<'_>, context: &Context<'_>) -> Result<ClassAttributes> {
        let mut all = ClassAttributes::default();
        let mut other = Vec::new();
        parse_table(r, context, Place::Class, &mut other, |name, r| {
            if name == b"SourceFile" {
                return once(&mut all.source_file, r.u2()?);
            }
            let a = all.rest.get_or_insert_default();
            match (name, context.major) {
                (b"SourceDebugExtension", 49..) => {
                    let bytes = r.rest().into();
                    once(&mut a.source_debug_extension, bytes)
                }
                (b"InnerClasses", _) => once(&mut a.inner_classes, inner_classes::parse(r)?),
                (b"EnclosingMethod", 49..) => {
                    let value = enclosing_method::parse(r)?;
                    once(&mut a.enclosing_method, value)
                }
                (b"Synthetic", _) => {
                    a.synthetic = true;
                    Ok(AttributeUse::Yes)
                }
                (b"Deprecated", _) => {
                    a.deprecated = true;
                    Ok(AttributeUse::Yes)
                }
                (b"Signature", 49..) => once(&mut a.signature, r.u2()?),
                (b"BootstrapMethods", 51..) => {
                    let value = bootstrap_methods::parse(r)?;
                    once(&mut a.bootstrap_methods, value)
                }
                (b"NestHost", 55..) => once(&mut a.nest_host, r.u2()?),
                (b"NestMembers", 55..) => once(&mut a.nest_members, indices(r)?),
                (b"PermittedSubclasses", 61..) => once(&mut a.permitted_subclasses, indices(r)?),
                (b"Record", 60..) => once(&mut a.record, record::parse(r, context)?),
                (b"Module", 53..) => once(&mut a.module, Box::new(Module::parse(r)?)),
                (b"ModulePackages", 53..) => once(&mut a.module_packages, indices(r)?),
                (b"ModuleMainClass", 53..) => once(&mut a.module_main_class, r.u2()?),
                (_, 49..) => a.annotations.take(name, r),
                _ => Ok(AttributeUse::Unknown),
            }
        })?;
        if !other.is_empty() {
            all.rest.get_or_insert_default().other = other;
        }
        Ok(all)
    }
}

/// A 16-bit count, then that many constant-pool indices.
fn indices(r: &mut Reader<'_>) -> Result<Vec<u16>> {
    let count = r.u2()?;
    r.u2_vec(count)
}
