//! Patterns: which classes, methods and fields a probe is about. Those of `--include`, with arrays, subclasses,
//! annotations and descriptors.
//!
//! | pattern | names |
//! |---|---|
//! | `com.x.Shape`, `com.x.*`, `com.x..`, `..` | classes, as in `--include` |
//! | `byte[]`, `com.x.*[][]` | classes of arrays |
//! | `com.x.Shape+` | that class and all that extend or implement it |
//! | `com.x..@org.junit.Test` | annotated methods, or methods of annotated classes |
//! | `com.x.Shape::area` | methods or fields of that name |
//! | `com.x.Shape::area(int,String)` | methods with these parameters |
//! | `com.x.Shape::area(..,int)` | `..`: any number of parameters, `*`: one of any type |
//! | `com.x.Shape::area(ID)D` | methods with this descriptor |

use rjvm_profiler::Pattern;
use std::fmt;

/// A class as the VM shows it to patterns.
pub trait ClassSubject {
    /// Its name with dots; of an array such as `byte[]` or `java.lang.String[][]`.
    fn name(&self) -> &str;
    /// Visits the names of all classes it extends and interfaces it implements, directly or not, without itself, until
    /// `visit` is true. True if it was.
    fn any_supertype(&self, visit: &mut dyn FnMut(&str) -> bool) -> bool;
    /// Visits the names of its annotations' types until `visit` is true. True if it was.
    fn any_annotation(&self, visit: &mut dyn FnMut(&str) -> bool) -> bool;
}

/// A method or field as the VM shows it to patterns.
pub trait MemberSubject {
    /// Its class.
    fn class(&self) -> &dyn ClassSubject;
    /// Its name.
    fn name(&self) -> &str;
    /// Its descriptor (JVMS 4.3).
    fn descriptor(&self) -> &str;
    /// Visits the names of its annotations' types until `visit` is true. True if it was.
    fn any_annotation(&self, visit: &mut dyn FnMut(&str) -> bool) -> bool;
}

/// Names classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClassPattern {
    text: String,
    class: Pattern,
    /// Pairs of brackets.
    dimensions: usize,
    /// Subclasses as well.
    below: bool,
    annotation: Option<Annotation>,
}

/// Names methods or fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberPattern {
    text: String,
    class: ClassPattern,
    parameters: Option<Parameters>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Annotation {
    /// By its simple name.
    Simple(String),
    Qualified(Pattern),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Parameters {
    /// A descriptor.
    Exact(String),
    /// Names of types as in Java.
    Types(Vec<Type>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Type {
    /// `..`
    Rest,
    /// `*`
    Any,
    /// Qualified if it contains a dot.
    Named(String),
}

impl Annotation {
    fn parse(text: &str) -> Result<Annotation, PatternError> {
        match text.contains('.') {
            true => pattern(text).map(Annotation::Qualified),
            false => {
                pattern(text)?;
                Ok(Annotation::Simple(text.to_owned()))
            }
        }
    }

    fn matches(&self, name: &str) -> bool {
        match self {
            Annotation::Simple(simple) => simple_name(name) == simple,
            Annotation::Qualified(pattern) => pattern.matches_class(name),
        }
    }
}

/// Without package and classes around it.
fn simple_name(name: &str) -> &str {
    name.rsplit(['.', '$']).next().unwrap_or(name)
}

/// Why a text is not a pattern; each names the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// It is not a pattern of classes.
    #[error("'{0}' is not a class pattern: com.x.Name, com.x.*, com.x.. or .. is")]
    NoClasses(String),
    /// It is a pattern of members where classes are expected.
    #[error("'{0}' names members; expected a pattern of classes")]
    NamesMembers(String),
    /// `+` after an array.
    #[error("'{0}': arrays have no subclasses")]
    SubclassesOfArray(String),
    /// It is not a pattern of members.
    #[error(
        "'{0}' is not a pattern of members: com.x.Name::member, com.x.*::member or ..::member is"
    )]
    NoMembers(String),
    /// Parameters do not end.
    #[error("'{0}': a ) is missing")]
    Unclosed(String),
    /// Parameters are not types.
    #[error("'{0}': expected names of types, * or .. in (…), with commas between them")]
    NoTypes(String),
    /// Parameters with a result are not a descriptor.
    #[error("'{text}': {descriptor} is not a descriptor such as (ILjava/lang/String;)V")]
    NoDescriptor {
        /// The whole text.
        text: String,
        /// What should be a descriptor.
        descriptor: String,
    },
    /// Parameters without a method.
    #[error("'{0}': parameters, but no method: write Class::method(…)")]
    NoMethod(String),
}

/// A pattern of classes only.
fn pattern(text: &str) -> Result<Pattern, PatternError> {
    let wrong = |_| PatternError::NoClasses(text.to_owned());
    text.parse().map_err(wrong)
}

impl ClassPattern {
    /// Reads one.
    ///
    /// # Errors
    /// Why it is none.
    pub fn parse(text: &str) -> Result<ClassPattern, PatternError> {
        if text.contains("::") {
            return Err(PatternError::NamesMembers(text.to_owned()));
        }
        ClassPattern::with_members(text)
    }

    /// Optionally with `::name`.
    fn with_members(text: &str) -> Result<ClassPattern, PatternError> {
        let (body, annotation) = match text.split_once('@') {
            Some((body, annotation)) => (body, Some(Annotation::parse(annotation)?)),
            None => (text, None),
        };
        let (class, member) = match body.split_once("::") {
            Some((class, member)) => (class, Some(member)),
            None => (body, None),
        };
        let (class, below) = match class.strip_suffix('+') {
            Some(class) => (class, true),
            None => (class, false),
        };
        let mut element = class;
        let mut dimensions = 0;
        while let Some(rest) = element.strip_suffix("[]") {
            (element, dimensions) = (rest, dimensions + 1);
        }
        if below && dimensions > 0 {
            return Err(PatternError::SubclassesOfArray(text.to_owned()));
        }
        let element = match (element, &annotation) {
            ("", Some(_)) => "..",
            _ => element,
        };
        let class = match member {
            Some(member) => {
                let wrong = |_| PatternError::NoMembers(text.to_owned());
                format!("{element}::{member}").parse().map_err(wrong)?
            }
            None => pattern(element)?,
        };
        Ok(ClassPattern {
            text: text.to_owned(),
            class,
            dimensions,
            below,
            annotation,
        })
    }

    /// Does it name the class?
    pub fn matches(&self, class: &dyn ClassSubject) -> bool {
        self.matches_class(class)
            && self
                .annotation
                .as_ref()
                .is_none_or(|a| class.any_annotation(&mut |name| a.matches(name)))
    }

    /// Annotations aside.
    fn matches_class(&self, class: &dyn ClassSubject) -> bool {
        self.matches_name(class.name())
            || self.below && class.any_supertype(&mut |name| self.matches_name(name))
    }

    /// Does it name a class of that name, as far as a name reports: without subclasses and annotations?
    pub fn matches_name(&self, name: &str) -> bool {
        let element = name.trim_end_matches("[]");
        let dimensions = (name.len() - element.len()) / 2;
        dimensions == self.dimensions && self.class.matches_class(element)
    }

    /// Does a name suffice to report?
    pub fn is_by_name(&self) -> bool {
        !self.below && self.annotation.is_none()
    }
}

impl fmt::Display for ClassPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl MemberPattern {
    /// Reads one: a pattern of classes means all their methods or fields.
    ///
    /// # Errors
    /// Why it is none.
    pub fn parse(text: &str) -> Result<MemberPattern, PatternError> {
        let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let (class, parameters) = match plain.split_once('(') {
            None => (plain.clone(), None),
            Some((class, rest)) => {
                let (inside, after) = rest
                    .split_once(')')
                    .ok_or_else(|| PatternError::Unclosed(text.to_owned()))?;
                let (result, annotation) = match after.split_once('@') {
                    Some((result, annotation)) => (result, format!("@{annotation}")),
                    None => (after, String::new()),
                };
                let parameters = match result {
                    "" => Parameters::Types(
                        types(inside).ok_or_else(|| PatternError::NoTypes(text.to_owned()))?,
                    ),
                    _ => {
                        let descriptor = format!("({inside}){result}");
                        if parameter_types(&descriptor).is_none() {
                            return Err(PatternError::NoDescriptor {
                                text: text.to_owned(),
                                descriptor,
                            });
                        }
                        Parameters::Exact(descriptor)
                    }
                };
                (format!("{class}{annotation}"), Some(parameters))
            }
        };
        let class = ClassPattern::with_members(&class)?;
        if parameters.is_some() && !class.class.names_members() {
            return Err(PatternError::NoMethod(text.to_owned()));
        }
        Ok(MemberPattern {
            text: plain,
            class,
            parameters,
        })
    }

    /// Does it name the method or field?
    pub fn matches(&self, member: &dyn MemberSubject) -> bool {
        let pattern = &self.class;
        pattern.class.matches_member(member.name())
            && self
                .parameters
                .as_ref()
                .is_none_or(|p| p.matches(member.descriptor()))
            && pattern.matches_class(member.class())
            && pattern.annotation.as_ref().is_none_or(|a| {
                member.any_annotation(&mut |name| a.matches(name))
                    || member.class().any_annotation(&mut |name| a.matches(name))
            })
    }

    /// Can a class have methods or fields that it names? For passing over classes quickly.
    pub fn may_match_in(&self, class: &dyn ClassSubject) -> bool {
        self.class.matches_class(class)
    }

    /// Are parameters reported? Fields have none.
    pub fn has_parameters(&self) -> bool {
        self.parameters.is_some()
    }

    /// Does it say what its members are called?
    pub fn names_members(&self) -> bool {
        self.class.class.names_members()
    }

    /// The types of the parameters as they are written, if it says how many there are; `*` for any.
    pub fn known_parameters(&self) -> Option<Vec<String>> {
        match &self.parameters {
            Some(Parameters::Exact(descriptor)) => parameter_types(descriptor),
            Some(Parameters::Types(types)) => types
                .iter()
                .map(|t| match t {
                    Type::Named(name) => Some(name.clone()),
                    Type::Any => Some("*".to_owned()),
                    Type::Rest => None,
                })
                .collect(),
            None => None,
        }
    }
}

impl fmt::Display for MemberPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The text between parentheses.
fn types(text: &str) -> Option<Vec<Type>> {
    if text.is_empty() {
        return Some(Vec::new());
    }
    text.split(',')
        .map(|name| match name {
            ".." | "..." => Some(Type::Rest),
            "*" => Some(Type::Any),
            _ => {
                let element = name.trim_end_matches("[]");
                let good = element
                    .split('.')
                    .all(|part| !part.is_empty() && !part.contains(['[', ']', '(', '*', '/', ';']));
                good.then(|| Type::Named(name.to_owned()))
            }
        })
        .collect()
}

/// The names of the types of a descriptor's parameters as Java writes them. None if it is not one of a method.
pub(crate) fn parameter_types(descriptor: &str) -> Option<Vec<String>> {
    let mut rest = descriptor.strip_prefix('(')?;
    let mut all = Vec::new();
    loop {
        if let Some(result) = rest.strip_prefix(')') {
            let good = result == "V" || one_type(result).is_some_and(|(_, rest)| rest.is_empty());
            return good.then_some(all);
        }
        let (name, after) = one_type(rest)?;
        all.push(name);
        rest = after;
    }
}

/// The type that a text begins with as Java writes it, and what follows.
fn one_type(text: &str) -> Option<(String, &str)> {
    let element = text.trim_start_matches('[');
    let dimensions = text.len() - element.len();
    let (name, rest) = match element.chars().next()? {
        'L' => {
            let (name, rest) = element.get(1..)?.split_once(';')?;
            if name.is_empty() {
                return None;
            }
            (name.replace('/', "."), rest)
        }
        primitive => {
            let name = match primitive {
                'Z' => "boolean",
                'B' => "byte",
                'C' => "char",
                'S' => "short",
                'I' => "int",
                'J' => "long",
                'F' => "float",
                'D' => "double",
                _ => return None,
            };
            (name.to_owned(), element.get(1..)?)
        }
    };
    (dimensions <= 255).then(|| (name + &"[]".repeat(dimensions), rest))
}

impl Parameters {
    fn matches(&self, descriptor: &str) -> bool {
        match self {
            Parameters::Exact(exact) => exact == descriptor,
            Parameters::Types(types) => {
                parameter_types(descriptor).is_some_and(|names| all_match(types, &names))
            }
        }
    }
}

/// Like globs: a way back to the latest `..` is enough.
fn all_match(types: &[Type], names: &[String]) -> bool {
    let (mut t, mut n) = (0, 0);
    let mut rest: Option<(usize, usize)> = None;
    while n < names.len() {
        match types.get(t) {
            Some(Type::Rest) => {
                rest = Some((t, n));
                t += 1;
            }
            Some(one) if one.matches(&names[n]) => (t, n) = (t + 1, n + 1),
            _ => match rest {
                Some((at, end)) => {
                    rest = Some((at, end + 1));
                    (t, n) = (at + 1, end + 1);
                }
                None => return false,
            },
        }
    }
    types[t..].iter().all(|t| *t == Type::Rest)
}

impl Type {
    fn matches(&self, name: &str) -> bool {
        match self {
            Type::Rest | Type::Any => true,
            Type::Named(wanted) if wanted.contains('.') => wanted == name,
            Type::Named(wanted) => simple_name(name) == wanted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Class(&'static str, Vec<&'static str>, Vec<&'static str>);

    impl ClassSubject for Class {
        fn name(&self) -> &str {
            self.0
        }
        fn any_supertype(&self, visit: &mut dyn FnMut(&str) -> bool) -> bool {
            self.1.iter().any(|name| visit(name))
        }
        fn any_annotation(&self, visit: &mut dyn FnMut(&str) -> bool) -> bool {
            self.2.iter().any(|name| visit(name))
        }
    }

    struct Method(Class, &'static str, &'static str, Vec<&'static str>);

    impl MemberSubject for Method {
        fn class(&self) -> &dyn ClassSubject {
            &self.0
        }
        fn name(&self) -> &str {
            self.1
        }
        fn descriptor(&self) -> &str {
            self.2
        }
        fn any_annotation(&self, visit: &mut dyn FnMut(&str) -> bool) -> bool {
            self.3.iter().any(|name| visit(name))
        }
    }

    #[test]
    fn members_are_named_by_class_name_parameters_and_annotations() {
        let method = Method(
            Class(
                "a.Circle",
                vec!["a.Shape", "java.lang.Object"],
                vec!["a.Service"],
            ),
            "draw",
            "(ILjava/lang/String;[J)V",
            vec!["org.junit.Test"],
        );
        for (text, expected) in [
            ("a.Circle", true),
            ("a.Circle::draw", true),
            ("a.Circle::dr*", true),
            ("a.Shape::draw", false),
            ("a.Shape+::draw", true),
            ("a.Shape+", true),
            ("java.lang.Object+::draw", true),
            ("..::draw(int,String,long[])", true),
            ("..::draw(int, java.lang.String, long[])", true),
            ("..::draw(int,String)", false),
            ("..::draw(int,String,*,*)", false),
            ("..::draw(..)", true),
            ("..::draw(..,long[])", true),
            ("..::draw(..,long)", false),
            ("..::draw(*,..)", true),
            ("..::draw(..,String,..,long[],..)", true),
            ("..::draw()", false),
            ("..::draw(ILjava/lang/String;[J)V", true),
            ("..::draw(ILjava/lang/String;[J)I", false),
            ("..@org.junit.Test", true),
            ("@Test", true),
            ("@Service", true),
            ("@a.Service", true),
            ("@Other", false),
            ("a..::draw@Test", true),
            ("a..::draw(..)@Test", true),
            ("a..::draw(..)V@Test", false),
            ("a.Circle[]::draw", false),
        ] {
            match MemberPattern::parse(text) {
                Ok(pattern) => assert_eq!(pattern.matches(&method), expected, "{text}"),
                Err(e) => assert_eq!(text, "a..::draw(..)V@Test", "{e}"),
            }
        }
    }

    #[test]
    fn classes_are_named_with_arrays_and_what_extends_them() {
        let bytes = Class("byte[]", vec!["java.lang.Object"], vec![]);
        assert!(ClassPattern::parse("byte[]").unwrap().matches(&bytes));
        assert!(!ClassPattern::parse("byte").unwrap().matches(&bytes));
        assert!(!ClassPattern::parse("byte[][]").unwrap().matches(&bytes));
        assert!(ClassPattern::parse("*[]").unwrap().matches(&bytes));
        assert!(ClassPattern::parse("..[]").unwrap().matches(&bytes));
        assert!(!ClassPattern::parse("..").unwrap().matches(&bytes));
    }

    #[test]
    fn what_is_no_pattern_is_reported() {
        for (text, message) in [
            ("", "'' is not a class pattern"),
            ("a.B::x(", "a ) is missing"),
            ("a.B(int)", "parameters, but no method"),
            ("a.B::x(a b/c)", "names of types"),
            ("a.B::x(int,,int)", "names of types"),
            ("a.B::x(I)Q", "(I)Q is not a descriptor"),
            ("a.B[]+::x", "arrays have no subclasses"),
            ("a.B@", "'' is not a class pattern"),
            ("a b::x y", ""),
        ] {
            match MemberPattern::parse(text) {
                Err(e) => {
                    let e = e.to_string();
                    assert!(e.contains(message) && !message.is_empty(), "{text}: {e}");
                }
                Ok(_) => assert!(message.is_empty(), "{text}"),
            }
        }
        assert!(ClassPattern::parse("a.B::x").is_err());
    }
}
