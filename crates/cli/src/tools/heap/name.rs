//! Naming objects of a dump, and finding those that are named.

use super::ToolProblem;
use rjvm_heapdump::{Dump, Holder, ObjectId, Path, RootKind};

/// Which objects a command is about.
pub enum ObjectSelection {
    /// Those of a class, by its index.
    Class(u32),
    /// One.
    Object(ObjectId),
}

impl ObjectSelection {
    /// Whether an object is one of them.
    pub fn is(&self, dump: &Dump, object: ObjectId) -> bool {
        match self {
            ObjectSelection::Class(c) => dump.class_of(object) == *c,
            ObjectSelection::Object(o) => object == *o,
        }
    }
}

/// Finds what a command line names: an address, a class by its whole name or, if only one has objects, by its last part.
pub fn find(dump: &Dump, text: &str) -> Result<ObjectSelection, ToolProblem> {
    if let Some(hex) = text.strip_prefix("0x") {
        let id = u64::from_str_radix(hex, 16);
        let id = id.map_err(|_| ToolProblem::Message(format!("{text} is not an address")))?;
        return match dump.at_address(id) {
            Some(object) => Ok(ObjectSelection::Object(object)),
            None => Err(ToolProblem::Message(format!("no object at {text}"))),
        };
    }
    let mut used = vec![false; dump.classes().len()];
    for object in 0..dump.objects() {
        used[dump.class_of(object) as usize] = true;
    }
    let mut classes: Vec<(usize, &str)> = dump
        .classes()
        .iter()
        .map(|c| c.name.as_str())
        .enumerate()
        .filter(|(i, _)| used[*i])
        .collect();
    let whole = classes.iter().filter(|(_, n)| *n == text).count();
    if whole > 0 {
        classes.retain(|(_, n)| *n == text);
    } else {
        classes.retain(|(_, n)| {
            let before = n.strip_suffix(text);
            before.is_some_and(|b| b.ends_with('.') || b.ends_with('$'))
        });
        if classes.is_empty() {
            return Err(ToolProblem::Message(format!(
                "no object has the class {text}"
            )));
        }
    }
    match classes[..] {
        [(i, _)] => Ok(ObjectSelection::Class(i as u32)),
        _ => {
            let names: Vec<&str> = classes.iter().map(|c| c.1).take(5).collect();
            Err(ToolProblem::Message(format!(
                "{} classes have the name {text}: {}",
                classes.len(),
                names.join(", ")
            )))
        }
    }
}

/// An object in words: class and address; the text of a string, the class that a class object is.
pub fn object(dump: &mut Dump, object: ObjectId) -> Result<String, ToolProblem> {
    /// Characters of a string that are shown.
    const SHOWN: usize = 60;
    let address = dump.address(object);
    if let Some(class) = dump.as_class(object) {
        return Ok(format!("class {} @{address:#x}", class.name));
    }
    let class = dump.classes()[dump.class_of(object) as usize].name.clone();
    let text = dump.string(object)?;
    let text = text.map(|t| {
        let cut: String = t.chars().take(SHOWN).collect();
        let more = if cut.len() < t.len() { "…" } else { "" };
        format!(" {:?}{more}", cut)
    });
    Ok(format!("{class} @{address:#x}{}", text.unwrap_or_default()))
}

/// The place of a reference, as it follows the object that has it.
pub fn holder(holder: &Holder) -> String {
    match holder {
        Holder::Field(_, name) => format!(".{name}"),
        Holder::Static(_, name) => format!(".{name} (static)"),
        Holder::Element(i) => format!("[{i}]"),
        Holder::Class => " (class, loader or other metadata)".to_string(),
    }
}

/// What a path begins at.
pub fn root(dump: &Dump, path: &Path) -> String {
    let thread = match &path.thread {
        Some(name) => format!(", thread \"{name}\""),
        None => String::new(),
    };
    match (path.root.kind, &path.frame) {
        (RootKind::Frame, Some(frame)) => {
            let local = match path.local.as_deref() {
                Some("an operand") => "an operand".to_string(),
                Some(l) if l.starts_with("slot ") => format!("local variable {l}"),
                Some(l) => format!("local variable `{l}`"),
                None if dump.as_class(path.steps[0].object).is_some() => "a frame".to_string(),
                None => "a local variable or operand".to_string(),
            };
            format!("{local} of {frame}{thread}")
        }
        (RootKind::Thread, _) => format!("a thread{thread}"),
        (kind, Some(frame)) => format!("{} of {frame}{thread}", kind.name()),
        (kind, None) => format!("root: {}{thread}", kind.name()),
    }
}
