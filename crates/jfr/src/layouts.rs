//! Types as metadata describe them, and values in their form: for constants and events whose layout is the reader's, not this crate's.

use crate::leb;
use hashbrown::HashMap;

/// A value that is given for a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Given {
    /// A number of any width, or the number of a constant.
    Long(i64),
    /// `boolean`
    Bool(bool),
    /// `float`
    Float(f32),
    /// Text, or none.
    Text(Option<String>),
    /// Values in place, each with names of its fields.
    Values(Vec<Vec<(&'static str, Given)>>),
}

#[derive(Debug)]
struct LayoutField {
    name: String,
    of: i64,
    constant: bool,
    array: bool,
}

#[derive(Debug)]
struct Layout {
    name: String,
    fields: Vec<LayoutField>,
}

/// All types of a recording.
#[derive(Debug, Default)]
pub struct Layouts {
    types: HashMap<i64, Layout>,
    numbers: HashMap<String, i64>,
}

/// How deep elements and types may be nested.
const DEEPEST: usize = 16;

struct LayoutReader<'a> {
    rest: &'a [u8],
    words: Vec<String>,
}

impl LayoutReader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }
    fn number(&mut self) -> Option<i64> {
        let mut value = 0u64;
        for i in 0..9 {
            let byte = self.byte()?;
            if i == 8 {
                value |= u64::from(byte) << 56;
            } else {
                value |= u64::from(byte & 0x7f) << (7 * i);
                if byte < 0x80 {
                    break;
                }
            }
        }
        Some(value as i64)
    }
    fn text(&mut self) -> Option<String> {
        let kind = self.byte()?;
        if kind < 2 {
            return Some(String::new());
        }
        let len = usize::try_from(self.number()?).ok()?;
        match kind {
            // UTF-16 code units, each a number
            4 => {
                let units: Option<Vec<u16>> =
                    (0..len).map(|_| Some(self.number()? as u16)).collect();
                Some(String::from_utf16_lossy(&units?))
            }
            _ => {
                let bytes = self.rest.get(..len)?;
                self.rest = &self.rest[len..];
                match kind {
                    3 => Some(String::from_utf8_lossy(bytes).into_owned()),
                    5 => Some(bytes.iter().map(|&b| char::from(b)).collect()),
                    _ => None,
                }
            }
        }
    }
    fn word(&mut self) -> Option<String> {
        let at = usize::try_from(self.number()?).ok()?;
        self.words.get(at).cloned()
    }
}

struct Node {
    name: String,
    attributes: Vec<(String, String)>,
    children: Vec<Node>,
}

impl Node {
    fn read(from: &mut LayoutReader<'_>, depth: usize) -> Option<Node> {
        if depth > DEEPEST {
            return None;
        }
        let name = from.word()?;
        let mut attributes = Vec::new();
        for _ in 0..from.number()? {
            attributes.push((from.word()?, from.word()?));
        }
        let mut children = Vec::new();
        for _ in 0..from.number()? {
            children.push(Node::read(from, depth + 1)?);
        }
        Some(Node {
            name,
            attributes,
            children,
        })
    }
    fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|a| a.0 == name);
        found.map(|a| &*a.1)
    }
}

impl Layouts {
    /// The types that metadata describe: what follows the head of a metadata event. `None` if it is malformed.
    pub fn parse(metadata: &[u8]) -> Option<Layouts> {
        let mut from = LayoutReader {
            rest: metadata,
            words: Vec::new(),
        };
        for _ in 0..from.number()? {
            let word = from.text()?;
            from.words.push(word);
        }
        let root = Node::read(&mut from, 0)?;
        let all = root.children.iter().find(|c| c.name == "metadata")?;
        let mut layouts = Layouts::default();
        for class in all.children.iter().filter(|c| c.name == "class") {
            let name = class.attribute("name")?.to_owned();
            let id = class.attribute("id")?.parse().ok()?;
            let mut fields = Vec::new();
            for f in class.children.iter().filter(|c| c.name == "field") {
                fields.push(LayoutField {
                    name: f.attribute("name")?.to_owned(),
                    of: f.attribute("class")?.parse().ok()?,
                    constant: f.attribute("constantPool") == Some("true"),
                    array: f.attribute("dimension").is_some(),
                });
            }
            layouts.numbers.insert(name.clone(), id);
            layouts.types.insert(id, Layout { name, fields });
        }
        Some(layouts)
    }
    /// The number of a type.
    pub fn number(&self, name: &str) -> Option<i64> {
        self.numbers.get(name).copied()
    }
    /// The name of a type.
    pub fn name(&self, number: i64) -> Option<&str> {
        self.types.get(&number).map(|t| &*t.name)
    }
    /// Appends the fields of a value of a type; a field that is not given is 0, false or null.
    pub fn value(&self, of: i64, given: &[(&'static str, Given)], out: &mut Vec<u8>) {
        self.fields(of, given, out, 0);
    }
    fn fields(&self, of: i64, given: &[(&'static str, Given)], out: &mut Vec<u8>, depth: usize) {
        let Some(layout) = self.types.get(&of).filter(|_| depth < DEEPEST) else {
            return;
        };
        for field in &layout.fields {
            let value = given.iter().find(|g| g.0 == field.name).map(|g| &g.1);
            if field.array {
                let none = Vec::new();
                let values = match value {
                    Some(Given::Values(values)) => values,
                    _ => &none,
                };
                leb::long(out, values.len() as i64);
                values
                    .iter()
                    .for_each(|v| self.fields(field.of, v, out, depth + 1));
                continue;
            }
            if field.constant {
                leb::long(out, as_long(value));
                continue;
            }
            match self.name(field.of).unwrap_or_default() {
                "boolean" | "byte" => out.push(as_long(value) as u8),
                "int" => leb::int(out, as_long(value) as i32),
                "long" | "short" | "char" => leb::long(out, as_long(value)),
                "float" => {
                    let n = match value {
                        Some(Given::Float(n)) => *n,
                        _ => as_long(value) as f32,
                    };
                    out.extend(n.to_be_bytes());
                }
                "double" => out.extend((as_long(value) as f64).to_be_bytes()),
                "java.lang.String" => match value {
                    Some(Given::Text(text)) => leb::text(out, text.as_deref()),
                    _ => leb::text(out, None),
                },
                _ => match value {
                    Some(Given::Values(values)) if values.len() == 1 => {
                        self.fields(field.of, &values[0], out, depth + 1);
                    }
                    _ => self.fields(field.of, &[], out, depth + 1),
                },
            }
        }
    }
}

fn as_long(value: Option<&Given>) -> i64 {
    match value {
        Some(Given::Long(n)) => *n,
        Some(Given::Bool(b)) => i64::from(*b),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata;

    fn own() -> Layouts {
        let mut bytes = Vec::new();
        metadata::write(&mut bytes);
        let mut rest = &bytes[..];
        let _ = leb::read::long(&mut rest);
        Layouts::parse(rest).unwrap()
    }

    #[test]
    fn types_are_read_back() {
        let layouts = own();
        for (i, event) in crate::EVENTS.iter().enumerate() {
            assert_eq!(layouts.number(event.name), Some(metadata::event_id(i)));
        }
        assert_eq!(layouts.number("jdk.None"), None);
    }

    #[test]
    fn values_have_the_form_of_their_types() {
        let layouts = own();
        let mut out = Vec::new();
        let symbol = layouts.number("jdk.types.Symbol").unwrap();
        layouts.value(
            symbol,
            &[("string", Given::Text(Some("ab".into())))],
            &mut out,
        );
        assert_eq!(out, [3, 2, b'a', b'b']);
        out.clear();
        let stack = layouts.number("jdk.types.StackTrace").unwrap();
        let frame = vec![
            ("method", Given::Long(200)),
            ("lineNumber", Given::Long(-1)),
        ];
        let given = [
            ("truncated", Given::Bool(true)),
            ("frames", Given::Values(vec![frame])),
        ];
        layouts.value(stack, &given, &mut out);
        assert_eq!(out, [1, 1, 0xC8, 1, 0xFF, 0xFF, 0xFF, 0xFF, 15, 0, 0]);
    }

    #[test]
    fn malformed_metadata_are_none() {
        let mut bytes = Vec::new();
        metadata::write(&mut bytes);
        for end in 1..bytes.len() {
            assert!(Layouts::parse(&bytes[1..end]).is_none(), "{end}");
        }
    }
}
