//! Origins of methods: a scope is written where it first occurs, later it is a number.

use super::chunks::{ChunkReader, ChunkWriter};
use super::error::{RjpError, malformed};
use crate::origin::{Body, Origin, Scope, Step};
use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;

/// How deep things may be in one another.
const DEEPEST: u64 = 1000;

/// The scopes that have been written.
#[derive(Default)]
pub struct WrittenScopes<'a>(BTreeMap<&'a Scope, u64>);

impl<'a> WrittenScopes<'a> {
    pub fn write(&mut self, origin: &'a Origin, out: &mut ChunkWriter<'_>) -> io::Result<()> {
        out.number(origin.len() as u64)?;
        for step in origin.iter() {
            let next = self.0.len() as u64 + 1;
            let number = *self.0.entry(&step.scope).or_insert(next);
            let new = number == next && self.0.len() as u64 == next;
            if new {
                out.number(0)?;
                write_scope(&step.scope, out)?;
            } else {
                out.number(number)?;
            }
            out.number(step.at.into())?;
            if !known(&step.scope, step.at).is_known() {
                write_body(&step.body, out)?;
            }
        }
        Ok(())
    }
}

/// What a scope says of one of its members.
fn known(scope: &Scope, at: u32) -> Body {
    scope.members.get(at as usize).copied().unwrap_or_default()
}

fn write_scope(scope: &Scope, out: &mut ChunkWriter<'_>) -> io::Result<()> {
    out.string(&scope.place)?;
    out.number(scope.methods.into())?;
    out.number(scope.members.len() as u64)?;
    scope
        .members
        .iter()
        .try_for_each(|body| write_body(body, out))
}

fn write_body(body: &Body, out: &mut ChunkWriter<'_>) -> io::Result<()> {
    out.number(body.deep)?;
    if body.deep != 0 {
        out.number(body.own)?;
        out.number(body.shape)?;
    }
    Ok(())
}

/// The scopes that have been read.
#[derive(Default)]
pub struct Read(Vec<Arc<Scope>>);

impl Read {
    pub fn read(&mut self, input: &mut ChunkReader<'_>) -> Result<Origin, RjpError> {
        let count = input.number()?;
        if count == 0 || count > DEEPEST {
            return Err(malformed("a method comes from nowhere"));
        }
        let mut steps = Vec::new();
        for _ in 0..count {
            let scope = match input.number()?.checked_sub(1) {
                None => {
                    let scope = Arc::new(read_scope(input)?);
                    self.0.push(scope.clone());
                    scope
                }
                Some(number) => {
                    let known = usize::try_from(number).ok().and_then(|n| self.0.get(n));
                    known
                        .ok_or_else(|| malformed("a scope is named that was never described"))?
                        .clone()
                }
            };
            let at = input.number32()?;
            if !scope.members.is_empty() && at as usize >= scope.members.len() {
                return Err(malformed("a scope has fewer members"));
            }
            let mut body = known(&scope, at);
            if !body.is_known() {
                body = read_body(input)?;
            }
            steps.push(Step { scope, at, body });
        }
        Ok(steps.into())
    }
}

fn read_scope(input: &mut ChunkReader<'_>) -> Result<Scope, RjpError> {
    let place = input.string()?;
    let methods = match input.number()? {
        0 => false,
        1 => true,
        _ => return Err(malformed("a scope is of an unknown kind")),
    };
    let mut members = Vec::new();
    for _ in 0..input.number()? {
        members.push(read_body(input)?);
    }
    Ok(Scope {
        place,
        methods,
        members,
    })
}

fn read_body(input: &mut ChunkReader<'_>) -> Result<Body, RjpError> {
    let deep = input.number()?;
    Ok(match deep {
        0 => Body::default(),
        _ => Body {
            deep,
            own: input.number()?,
            shape: input.number()?,
        },
    })
}
