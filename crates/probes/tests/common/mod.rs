//! A VM made of data, for tests of the language.

#![allow(dead_code, reason = "each test program uses its own part")]

use rjvm_probes::*;

/// The kind of an object.
#[derive(Clone, Debug)]
pub enum Thing {
    Text(String),
    /// A class and fields.
    Of(&'static str, Vec<(&'static str, Datum)>),
    Array(&'static str, Vec<Datum>),
}

/// A moment.
#[derive(Clone, Debug, Default)]
pub struct Moment {
    pub args: Vec<Datum>,
    pub this: Option<Datum>,
    pub value: Option<Datum>,
    pub things: Vec<Thing>,
    pub thread: i64,
    pub depth: i64,
    pub numbers: Vec<(Number, i64)>,
    pub stack: Vec<(u32, u16)>,
}

impl Moment {
    /// Makes an object.
    pub fn thing(&mut self, thing: Thing) -> Datum {
        self.things.push(thing);
        Datum::Object(Object(self.things.len() as u64 - 1))
    }

    pub fn text(&mut self, text: &str) -> Datum {
        self.thing(Thing::Text(text.into()))
    }
}

fn classes() -> [&'static str; 6] {
    [
        "java.lang.String",
        "java.lang.Integer",
        "a.Shape",
        "a.Point",
        "int[]",
        "java.lang.String[]",
    ]
}

impl Hit for Moment {
    fn arg(&mut self, n: u32) -> Datum {
        self.args.get(n as usize).copied().unwrap_or(Datum::Absent)
    }
    fn this(&mut self) -> Datum {
        self.this.unwrap_or(Datum::Absent)
    }
    fn value(&mut self) -> Datum {
        self.value.unwrap_or(Datum::Absent)
    }
    fn number(&mut self, what: Number) -> Option<i64> {
        match what {
            Number::ThreadId => Some(self.thread),
            Number::Depth | Number::Frame => Some(self.depth),
            _ => self
                .numbers
                .iter()
                .find(|(n, _)| *n == what)
                .map(|(_, n)| *n),
        }
    }
    fn text(&mut self, what: Text, into: &mut String) -> bool {
        match what {
            Text::Thread => into.push_str("main"),
            Text::Class => into.push_str("a.Shape"),
            _ => return false,
        }
        true
    }
    fn stamp(&mut self, what: Text) -> Option<u64> {
        (what == Text::Thread).then_some(1)
    }
    fn method(&mut self) -> Option<MethodId> {
        self.stack.first().map(|(m, _)| MethodId(*m))
    }
    fn caller(&mut self, n: u32) -> Option<Frame> {
        self.stack.get(n as usize).map(|(m, line)| Frame {
            method: MethodId(*m),
            line: *line,
        })
    }
    fn stack(&mut self, most: usize, into: &mut Vec<Frame>) {
        into.extend(self.stack.iter().take(most).map(|(m, line)| Frame {
            method: MethodId(*m),
            line: *line,
        }));
    }
    fn method_name(&mut self, method: MethodId, into: &mut String) {
        into.push_str(&format!("a.Shape.m{}", method.0));
    }
    fn is_library(&mut self, method: MethodId) -> bool {
        method.0 % 2 == 1
    }
    fn class_of(&mut self, object: Object) -> ClassId {
        let name = match &self.things[object.0 as usize] {
            Thing::Text(_) => "java.lang.String",
            Thing::Of(class, _) | Thing::Array(class, _) => class,
        };
        ClassId(classes().iter().position(|c| *c == name).unwrap() as u32)
    }
    fn class_name(&mut self, class: ClassId, into: &mut String) {
        into.push_str(classes()[class.0 as usize]);
    }
    fn find_field(&mut self, class: ClassId, name: &str) -> Option<FieldId> {
        let class = classes()[class.0 as usize];
        self.things.iter().find_map(|thing| match thing {
            Thing::Of(c, fields) if *c == class => fields
                .iter()
                .position(|(n, _)| *n == name)
                .map(|i| FieldId(i as u64)),
            _ => None,
        })
    }
    fn field(&mut self, object: Object, field: FieldId) -> Datum {
        match &self.things[object.0 as usize] {
            Thing::Of(_, fields) => fields[field.0 as usize].1,
            _ => Datum::Absent,
        }
    }
    fn string(&mut self, object: Object, most: usize, into: &mut String) -> bool {
        match &self.things[object.0 as usize] {
            Thing::Text(text) => {
                into.extend(text.chars().take(most));
                true
            }
            _ => false,
        }
    }
    fn length(&mut self, object: Object) -> Option<i64> {
        match &self.things[object.0 as usize] {
            Thing::Array(_, elements) => Some(elements.len() as i64),
            _ => None,
        }
    }
    fn element(&mut self, object: Object, index: i64) -> Datum {
        match &self.things[object.0 as usize] {
            Thing::Array(_, elements) => usize::try_from(index)
                .ok()
                .and_then(|i| elements.get(i).copied())
                .unwrap_or(Datum::Absent),
            _ => Datum::Absent,
        }
    }
    fn size_of(&mut self, _: Object) -> i64 {
        24
    }
    fn identity(&mut self, object: Object) -> Option<i64> {
        (object.0 > 0).then_some(object.0 as i64)
    }
}

/// A session of one source.
pub fn session(text: &str) -> Session {
    with_limits(text, Limits::default())
}

pub fn with_limits(text: &str, limits: Limits) -> Session {
    match Script::compile(&[Source::new("--probe", text)], limits) {
        Ok(script) => script.session(),
        Err(e) => panic!("{e}"),
    }
}
