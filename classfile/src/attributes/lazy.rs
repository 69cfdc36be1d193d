//! A method's attributes, read at once or when first requested: most methods of most classes are
//! never called.

use super::{Context, MethodAttributes, Place};
use crate::constant_pool::ConstantPool;
use crate::error::{Error, Result};
use crate::reader::Reader;
use std::borrow::Cow;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// The attributes of a method. Dereferences to [`MethodAttributes`].
#[derive(Clone, Debug)]
pub struct LazyAttributes {
    read: OnceLock<Box<MethodAttributes>>,
    /// The pool of the class file that they are still unread in.
    unread: Option<Arc<ConstantPool>>,
    /// Where they begin in the unread file.
    at: u32,
    /// Where the length of `RuntimeVisibleAnnotations`, with its contents behind it, is in the unread file;
    /// 0 if there are none.
    annotations: u32,
    /// Where the contents of `Code` are in the unread file; 0 if there is none.
    code_at: u32,
}

/// In the contents of `Code`: where the length of the code is, with the code behind it.
const CODE_LENGTH: usize = 4;

impl LazyAttributes {
    pub(crate) fn parse(r: &mut Reader<'_>, context: &Context<'_>) -> Result<LazyAttributes> {
        let Some(pool) = context.unread else {
            return MethodAttributes::parse(r, context).map(LazyAttributes::from);
        };
        let at = r.offset();
        let (mut code_at, mut annotations) = (0, 0);
        for _ in 0..r.u2()? {
            let at = r.offset();
            let index = r.u2()?;
            let length_at = r.offset();
            let len = r.u4()?;
            match context.pool.utf8(index) {
                Ok(b"Code") => code_at = r.offset() as u32,
                Ok(b"RuntimeVisibleAnnotations") => annotations = length_at as u32,
                Ok(_) => {}
                Err(_) => return Err(Error::format(at, Place::Method.bad_name(index))),
            }
            r.bytes(len as usize)?;
        }
        Ok(LazyAttributes {
            read: OnceLock::new(),
            unread: Some(pool.clone()),
            at: at as u32,
            annotations,
            code_at,
        })
    }

    /// The class file from its byte `at` on, if the attributes were not read at once.
    #[inline]
    fn file(&self, at: usize) -> Option<&[u8]> {
        self.unread.as_ref()?.file()?.get(at..)
    }

    /// Whether there is a `Code` attribute.
    pub fn has_code(&self) -> bool {
        match self.unread {
            Some(_) => self.code_at != 0,
            None => self.code.is_some(),
        }
    }

    /// The bytecodes; none without a `Code` attribute. Reads nothing else.
    pub fn bytecodes(&self) -> &[u8] {
        if self.unread.is_none() {
            return self.code.as_ref().map_or(&[], |code| &code.code);
        }
        let found = || {
            let mut r = Reader::new(self.file(self.code_at as usize + CODE_LENGTH)?);
            let length = r.u4().ok()?;
            r.bytes(length as usize).ok()
        };
        match self.code_at {
            0 => &[],
            _ => found().unwrap_or_default(),
        }
    }

    /// The attributes for one look at them: those not read yet are read, and not kept.
    pub fn once(&self) -> Cow<'_, MethodAttributes> {
        match (self.read.get(), &self.unread) {
            (None, Some(_)) => Cow::Owned(self.read_now().unwrap_or_default()),
            _ => Cow::Borrowed(self),
        }
    }

    /// The contents of `RuntimeVisibleAnnotations`; reads no other attribute.
    pub fn visible_annotations(&self) -> Option<&[u8]> {
        match &self.unread {
            None => (**self).annotations.visible.as_deref(),
            Some(_) if self.annotations == 0 => None,
            Some(_) => {
                let mut r = Reader::new(self.file(self.annotations as usize)?);
                let len = r.u4().ok()?;
                r.bytes(len as usize).ok()
            }
        }
    }

    fn read_now(&self) -> Option<MethodAttributes> {
        let pool = self.unread.as_ref()?;
        let [_, _, _, _, _, _, high, low, ..] = *self.file(0)? else {
            return None;
        };
        let context = Context {
            pool,
            major: u16::from_be_bytes([high, low]),
            unread: None,
        };
        let mut r = Reader::new(self.file(self.at as usize)?);
        MethodAttributes::parse(&mut r, &context).ok()
    }
}

impl From<MethodAttributes> for LazyAttributes {
    fn from(a: MethodAttributes) -> LazyAttributes {
        LazyAttributes {
            annotations: 0,
            code_at: 0,
            read: OnceLock::from(Box::new(a)),
            unread: None,
            at: 0,
        }
    }
}

impl Deref for LazyAttributes {
    type Target = MethodAttributes;

    #[inline]
    fn deref(&self) -> &MethodAttributes {
        self.read
            .get_or_init(|| Box::new(self.read_now().unwrap_or_default()))
    }
}
