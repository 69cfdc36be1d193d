//! The attributes of a class (JVMS table 4.7-C, `ClassFile`).

use super::{
    AnnotationBytes, BootstrapMethod, Context, EnclosingMethod, InnerClass, Module, Place,
    RawAttribute, RecordComponent, Taken, bootstrap_methods, enclosing_method, inner_classes, once,
    parse_table, record,
};
use crate::error::Result;
use crate::reader::Reader;

/// The attributes of a class.
#[derive(Clone, Debug, Default)]
pub struct ClassAttributes {
    /// `SourceFile`: `Utf8`.
    pub source_file: Option<u16>,
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

impl ClassAttributes {
    pub(crate) fn parse(r: &mut Reader<'_>, context: &Context<'_>) -> Result<ClassAttributes> {
        let mut a = ClassAttributes::default();
        let mut other = Vec::new();
        parse_table(r, context, Place::Class, &mut other, |name, r| {
            match (name, context.major) {
                (b"SourceFile", _) => once(&mut a.source_file, r.u2()?),
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
                    Ok(Taken::Yes)
                }
                (b"Deprecated", _) => {
                    a.deprecated = true;
                    Ok(Taken::Yes)
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
                _ => Ok(Taken::Unknown),
            }
        })?;
        a.other = other;
        Ok(a)
    }
}

/// A 16-bit count, then that many constant-pool indices.
fn indices(r: &mut Reader<'_>) -> Result<Vec<u16>> {
    let count = r.u2()?;
    r.u2_vec(count)
}
