//! The metadata event: a tree of elements that reports readers of all types, over a table of its words.

use crate::events::EVENTS;
use crate::leb;
use crate::pools::{FRAME, Pool};
use crate::types::{Content, Field, Type};
use hashbrown::HashMap;

/// Number of the first kind of events; 0 is the metadata's own type, 1 the type of checkpoints.
const FIRST_EVENT: i64 = 2;

/// Types that are neither events nor constants.
const PRIMITIVE: [&str; 8] = [
    "long", "int", "short", "byte", "double", "float", "boolean", "char",
];
const TEXT: &str = "java.lang.String";
const SPACE: &str = "jdk.types.VirtualSpace";
const FRAME_TYPE: &str = "jdk.types.StackFrame";

/// Says of an annotation that it reports what a number means: readers format numbers by it.
const CONTENT: Option<&str> = Some("jdk.jfr.ContentType");

/// Annotations: name, whether it has a value, whether that is an array, its own annotation.
const ANNOTATIONS: [(&str, bool, bool, Option<&str>); 10] = [
    ("jdk.jfr.Label", true, false, None),
    ("jdk.jfr.Category", true, true, None),
    ("jdk.jfr.ContentType", false, false, None),
    ("jdk.jfr.Relational", false, false, None),
    ("jdk.jfr.Timestamp", true, false, CONTENT),
    ("jdk.jfr.Timespan", true, false, CONTENT),
    ("jdk.jfr.DataAmount", true, false, CONTENT),
    ("jdk.jfr.Unsigned", false, false, CONTENT),
    ("jdk.jfr.MemoryAddress", false, false, CONTENT),
    ("jdk.types.GcId", false, false, Some("jdk.jfr.Relational")),
];

/// The fields of a stretch of memory.
const SPACE_FIELDS: [(&str, &str, Content); 5] = [
    ("start", "Start Address", Content::Address),
    ("committedEnd", "Committed End Address", Content::Address),
    ("committedSize", "Committed Size", Content::UnsignedBytes),
    ("reservedEnd", "Reserved End Address", Content::Address),
    ("reservedSize", "Reserved Size", Content::UnsignedBytes),
];

/// All types by number.
fn names() -> impl Iterator<Item = &'static str> {
    let events = EVENTS.iter().map(|e| e.name);
    let pools = Pool::ALL.iter().map(|p| p.name());
    let others = [TEXT, SPACE, FRAME_TYPE];
    let annotations = ANNOTATIONS.iter().map(|a| a.0);
    let rest = PRIMITIVE.into_iter().chain(others).chain(annotations);
    events.chain(pools).chain(rest)
}

/// The number of a type.
fn id_of(name: &str) -> i64 {
    let at = names().position(|n| n == name);
    at.map_or_else(
        || unreachable!("no type {name}"),
        |i| i as i64 + FIRST_EVENT,
    )
}

/// The number of a kind of events.
pub fn event_id(index: usize) -> i64 {
    index as i64 + FIRST_EVENT
}

/// The number of a kind of constants.
pub fn pool_id(pool: Pool) -> i64 {
    event_id(EVENTS.len() + pool as usize)
}

/// An element of the tree.
struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    children: Vec<Element>,
}

impl Element {
    fn new(name: &'static str) -> Element {
        Element {
            name,
            attributes: Vec::new(),
            children: Vec::new(),
        }
    }
    fn with(mut self, name: &'static str, value: impl Into<String>) -> Element {
        self.attributes.push((name, value.into()));
        self
    }
    fn has(mut self, child: Element) -> Element {
        self.children.push(child);
        self
    }
    fn labelled(self, label: &str) -> Element {
        self.has(annotation("jdk.jfr.Label", Some(label)))
    }
    fn has_fields<'a>(self, fields: impl Iterator<Item = &'a Field>) -> Element {
        fields.fold(self, |element, f| element.has(field(f)))
    }
}

fn class(name: &str) -> Element {
    Element::new("class")
        .with("name", name)
        .with("id", id_of(name).to_string())
}

fn annotation(name: &str, value: Option<&str>) -> Element {
    let element = Element::new("annotation").with("class", id_of(name).to_string());
    match value {
        Some(value) => element.with("value", value),
        None => element,
    }
}

fn field(f: &Field) -> Element {
    let mut element = Element::new("field")
        .with("name", f.name)
        .with("class", id_of(f.is.name()).to_string());
    match f.is {
        Type::Constant(_) => element = element.with("constantPool", "true"),
        Type::Frames => element = element.with("dimension", "1"),
        _ => {}
    }
    let annotations = f.means.annotations().iter();
    annotations.fold(element.labelled(f.label), |element, &(name, value)| {
        element.has(annotation(name, value))
    })
}

fn tree() -> Element {
    let mut all = Element::new("metadata");
    for event in EVENTS {
        let mut element = class(event.name).with("superType", "jdk.jfr.Event");
        element = element.has_fields(event.all_fields()).labelled(event.label);
        let mut category = annotation("jdk.jfr.Category", None);
        for (i, name) in event.category.iter().enumerate() {
            const VALUES: [&str; 3] = ["value-0", "value-1", "value-2"];
            category = category.with(VALUES[i], *name);
        }
        all = all.has(element.has(category));
    }
    for &pool in Pool::ALL {
        let element = class(pool.name());
        let element = match pool.is_simple() {
            true => element.with("simpleType", "true"),
            false => element,
        };
        let element = element.has_fields(pool.fields().iter());
        all = all.has(element.labelled(pool.label()));
    }
    for name in PRIMITIVE.into_iter().chain([TEXT]) {
        all = all.has(class(name));
    }
    let space: Vec<Field> = SPACE_FIELDS
        .iter()
        .map(|&(name, label, means)| Field {
            name,
            label,
            is: Type::Long,
            means,
        })
        .collect();
    all = all.has(class(SPACE).has_fields(space.iter()));
    all = all.has(class(FRAME_TYPE).has_fields(FRAME.iter()));
    for (name, has_value, array, means) in ANNOTATIONS {
        let mut element = class(name).with("superType", "java.lang.annotation.Annotation");
        if has_value {
            let mut value = Element::new("field")
                .with("name", "value")
                .with("class", id_of(TEXT).to_string());
            if array {
                value = value.with("dimension", "1");
            }
            element = element.has(value);
        }
        if let Some(means) = means {
            element = element.has(annotation(means, None));
        }
        all = all.has(element);
    }
    let region = Element::new("region")
        .with("locale", "en")
        .with("gmtOffset", "0");
    Element::new("root").has(all).has(region)
}

/// The words of the tree, numbered as they are met.
#[derive(Default)]
struct Words {
    numbers: HashMap<String, i64>,
    bytes: Vec<u8>,
}

impl Words {
    fn number(&mut self, word: &str) -> i64 {
        if let Some(&n) = self.numbers.get(word) {
            return n;
        }
        let n = self.numbers.len() as i64;
        self.numbers.insert(word.into(), n);
        leb::text(&mut self.bytes, Some(word));
        n
    }
    fn write(&mut self, element: &Element, out: &mut Vec<u8>) {
        leb::long(out, self.number(element.name));
        leb::long(out, element.attributes.len() as i64);
        for (name, value) in &element.attributes {
            leb::long(out, self.number(name));
            leb::long(out, self.number(value));
        }
        leb::long(out, element.children.len() as i64);
        for child in &element.children {
            self.write(child, out);
        }
    }
}

/// What follows the head of the metadata event: its number, which is always the same, the words, the tree.
pub fn write(out: &mut Vec<u8>) {
    let mut words = Words::default();
    let mut elements = Vec::new();
    words.write(&tree(), &mut elements);
    leb::long(out, 1);
    leb::long(out, words.numbers.len() as i64);
    out.extend(words.bytes);
    out.extend(elements);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_type_has_a_number_and_a_description() {
        let all = tree();
        let reported: Vec<_> = all.children[0]
            .children
            .iter()
            .map(|c| &c.attributes)
            .collect();
        let mut seen = 0;
        for (i, name) in names().enumerate() {
            let id = (i as i64 + FIRST_EVENT).to_string();
            let with = |a: &&&Vec<(&str, String)>| {
                a.contains(&("name", name.to_string())) && a.contains(&("id", id.clone()))
            };
            assert!(reported.iter().any(|a| with(&a)), "{name}");
            seen += 1;
        }
        assert_eq!(seen, reported.len());
        assert_eq!(pool_id(Pool::Class), id_of("java.lang.Class"));
        assert_eq!(event_id(0), id_of("jdk.ThreadStart"));
    }
}
