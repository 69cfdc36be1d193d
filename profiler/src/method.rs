//! Methods as a profile names them: normalised class names, application or library, labels.

use crate::origin::Origin;
use crate::source::Source;
use hashbrown::HashMap;
use std::cmp::Ordering;

/// A method of a profile.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MethodInfo {
    /// Binary name of the class with dots. A hidden class has lost what differs from run to run:
    /// `A$$Lambda` represents every class named like `A$$Lambda$14/0x0000000800c03000`.
    pub class: String,
    /// Name of the method.
    pub name: String,
    /// Method descriptor (JVMS §4.3.3).
    pub descriptor: String,
    /// The method is native: its nodes have no self bytecodes.
    pub native: bool,
    /// The class is hidden (made by `Lookup.defineHiddenClass`): lambda proxies, lambda forms.
    pub hidden: bool,
    /// The method belongs to the application, see [`is_application`].
    pub app: bool,
    /// Where the method is in the sources, if that is known. It does not report methods apart.
    pub source: Option<Source>,
    /// Where the method comes from, if its name or its class's is a number of a compiler's, and that is known. It does
    /// not distinguish the methods of one profile; it matches those of several.
    pub origin: Option<Origin>,
}

/// The class of [`MethodInfo::truncated`].
const TRUNCATED_CLASS: &str = "[truncated]";

/// The class of [`MethodInfo::pruned`].
const PRUNED_CLASS: &str = "[pruned]";

/// The name of methods that represent contexts.
const CONTEXTS: &str = "contexts";

/// The name for classes without a package.
const UNNAMED_PACKAGE: &str = "unnamed package";

impl MethodInfo {
    /// Describes a method. `class` is the binary name, with dots or slashes; a hidden class may
    /// carry the suffix its name got at run time, after `/`, `+` or `.`.
    pub fn new(class: &str, name: &str, descriptor: &str, native: bool, hidden: bool) -> Self {
        let class = class_name(class, hidden);
        MethodInfo {
            app: is_application(&class, hidden),
            class,
            name: printable(name),
            descriptor: printable(descriptor),
            native,
            hidden,
            source: None,
            origin: None,
        }
    }

    /// The same method with its place in the sources: the name of its class's file, and the rows of
    /// its table of lines (bytecode index, line).
    pub fn with_source(mut self, file: &str, lines: &[(u16, u16)]) -> Self {
        // the files of two classes are not the same either
        let variant = &self.class[self.plain_class().len()..];
        let source = Source::new(self.plain_class(), &format!("{file}{variant}"), lines);
        self.source = Some(source);
        self
    }

    /// The same method of another class of that name: classes of one name from several loaders that are not the same are
    /// numbered, `p.A`, `p.A[2]`, `p.A[3]`. `variant` is 0 for the first one.
    pub fn of_variant(mut self, variant: u32) -> Self {
        if variant > 0 {
            self.class = format!("{}[{}]", self.class, u64::from(variant) + 1);
        }
        self
    }

    /// The name of the class without the number that [`of_variant`](Self::of_variant) adds.
    pub fn plain_class(&self) -> &str {
        without_variant(&self.class)
    }

    /// What reports the method from others.
    pub fn identity(&self) -> Identity<'_> {
        (
            &self.class,
            &self.name,
            &self.descriptor,
            self.native,
            self.hidden,
            self.app,
        )
    }

    /// `HashMap.java:123`, the file and the method's first line, as far as they are known.
    pub fn place(&self) -> Option<String> {
        let source = self.source.as_ref()?;
        Some(source.place(source.first_line()))
    }

    /// The line of the method's first bytecode, if it is known.
    pub fn first_line(&self) -> Option<u32> {
        self.source.as_ref()?.first_line()
    }

    /// The line of the bytecode at an index, if it is known; of a call site that is not known, none.
    pub fn line(&self, index: Option<u32>) -> Option<u32> {
        self.source.as_ref()?.line(index?)
    }

    /// The method of contexts that were folded for lack of memory (see
    /// [`Arena::fold`](crate::cct::Arena::fold)): it cannot be the name of any method.
    pub fn truncated() -> Self {
        MethodInfo::new(TRUNCATED_CLASS, CONTEXTS, "()V", false, false)
    }

    /// The method of contexts that a file leaves out (see [`Profile::pruned`](crate::Profile::pruned)): it
    /// cannot be the name of any method.
    pub fn pruned() -> Self {
        MethodInfo::new(PRUNED_CLASS, CONTEXTS, "()V", false, false)
    }

    /// The method that represents contexts of a package that a file leaves out. `None` if the package's methods are not
    /// grouped: those that represent several contexts themselves.
    pub(crate) fn pruned_package(&self) -> Option<MethodInfo> {
        if self.class.starts_with('[') {
            return None;
        }
        let class = self.plain_class();
        let package = class
            .rsplit_once('.')
            .map_or(UNNAMED_PACKAGE, |(package, _)| package);
        let class = format!("[{package}]");
        Some(MethodInfo::new(&class, CONTEXTS, "()V", false, false))
    }

    /// Whether it represents contexts that a file leaves out: [`pruned`](Self::pruned) or a package.
    pub(crate) fn is_pruned(&self) -> bool {
        self.class.starts_with('[')
            && self.class.ends_with(']')
            && self.name == CONTEXTS
            && self.class != TRUNCATED_CLASS
    }

    /// `Class.name(parameters)return`, with the descriptor as in the class file: the form of the
    /// path format, and the one that names a method without doubt.
    pub fn label(&self) -> String {
        format!("{}.{}{}", self.class, self.name, self.descriptor)
    }

    /// The order of the labels.
    pub(crate) fn cmp_label(&self, other: &MethodInfo) -> Ordering {
        let (a, b) = (self.class.as_bytes(), other.class.as_bytes());
        let common = a.len().min(b.len());
        match a[..common].cmp(&b[..common]) {
            Ordering::Equal if a.len() == b.len() => {}
            Ordering::Equal => return self.label().cmp(&other.label()),
            differ => return differ,
        }
        let (a, b) = (self.name.as_bytes(), other.name.as_bytes());
        let common = a.len().min(b.len());
        match a[..common].cmp(&b[..common]) {
            Ordering::Equal if a.len() == b.len() => self.descriptor.cmp(&other.descriptor),
            Ordering::Equal => {
                let text = |m: &MethodInfo| [m.name.as_bytes(), m.descriptor.as_bytes()].concat();
                text(self).cmp(&text(other))
            }
            differ => differ,
        }
    }

    /// `Class.name(int,java.lang.String[])`: the form for people and for formats that separate
    /// frames by semicolons. Methods that differ only by the return type look alike.
    pub fn readable(&self) -> String {
        if self.class == TRUNCATED_CLASS || self.is_pruned() {
            return self.class.clone();
        }
        let mut out = format!("{}.{}", self.class, self.name);
        match parameters(&self.descriptor) {
            Some((types, _)) => {
                out.push('(');
                out.push_str(&types.join(","));
                out.push(')');
            }
            None => out.push_str(&self.descriptor.replace(';', ",")),
        }
        out
    }

    /// The return type as Java writes it; the descriptor if that is malformed.
    pub fn return_type(&self) -> String {
        match parameters(&self.descriptor) {
            Some((_, result)) => result,
            None => self.descriptor.replace(';', ","),
        }
    }
}

/// For the classes of methods a number each: methods of a lower one come first in the order of their labels, those of
/// equal ones are to be compared. Fewer texts are compared so, and shorter ones.
pub(crate) fn label_ranks<'a>(classes: impl Iterator<Item = &'a str>) -> Vec<u32> {
    let mut numbers = HashMap::new();
    let mut names = Vec::new();
    let mut ranks: Vec<u32> = Vec::with_capacity(classes.size_hint().0);
    for class in classes {
        let number = numbers.entry(class).or_insert_with(|| {
            names.push((class, names.len()));
            names.len() as u32 - 1
        });
        ranks.push(*number);
    }
    // as labels go on with a dot
    names.sort_unstable_by(|(a, _), (b, _)| {
        let (a, b) = (a.as_bytes(), b.as_bytes());
        let common = a.len().min(b.len());
        let rest = |c: &[u8]| c.get(common).copied().unwrap_or(b'.');
        (a[..common].cmp(&b[..common]))
            .then_with(|| rest(a).cmp(&rest(b)))
            .then_with(|| a.len().cmp(&b.len()))
    });
    // methods of `a` and of a class `a.b` come as their names have it
    let mixed = |pair: &[(&str, usize)]| {
        let rest = pair[1].0.strip_prefix(pair[0].0);
        rest.is_some_and(|rest| rest.starts_with('.'))
    };
    let mut rank = vec![0; names.len()];
    if !names.windows(2).any(mixed) {
        for (i, &(_, number)) in names.iter().enumerate() {
            rank[number] = i as u32;
        }
    }
    ranks.iter_mut().for_each(|r| *r = rank[*r as usize]);
    ranks
}

/// A name without the number in brackets that distinguishes classes and files of one name.
pub fn without_variant(name: &str) -> &str {
    let stem = name.strip_suffix(']').and_then(|rest| {
        let stem = rest.trim_end_matches(|c: char| c.is_ascii_digit());
        stem.strip_suffix('[').filter(|_| stem.len() < rest.len())
    });
    stem.filter(|stem| !stem.is_empty()).unwrap_or(name)
}

/// See [`MethodInfo::identity`].
pub type Identity<'a> = (&'a str, &'a str, &'a str, bool, bool, bool);

/// Readable names for all methods of a table, in its order. Where two methods would look alike,
/// the return type follows after a colon.
pub fn readable_names(methods: &[MethodInfo]) -> Vec<String> {
    let mut names: Vec<String> = methods.iter().map(MethodInfo::readable).collect();
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_unstable_by(|&a, &b| names[a].cmp(&names[b]));
    let mut alike = Vec::new();
    for group in order.chunk_by(|&a, &b| names[a] == names[b]) {
        if group.len() > 1 {
            alike.extend_from_slice(group);
        }
    }
    for i in alike {
        names[i] = format!("{}:{}", names[i], methods[i].return_type());
    }
    names
}

/// The readable name of method `index` of a table: as in [`readable_names`].
pub(crate) fn readable_name(methods: &[MethodInfo], index: usize) -> String {
    let (m, name) = (&methods[index], methods[index].readable());
    // what looks alike differs in the return type alone
    let near = |o: &MethodInfo| o.name == m.name && o.class == m.class;
    let alike = |(i, o): (usize, &MethodInfo)| i != index && near(o) && o.readable() == name;
    match methods.iter().enumerate().any(alike) {
        true => format!("{name}:{}", m.return_type()),
        false => name,
    }
}

/// Does a class belong to the application? Not to the class library, nor made by it at run time:
/// hidden classes and `$Proxy` classes; nor does what represents several methods and has a name in brackets.
pub fn is_application(class: &str, hidden: bool) -> bool {
    const LIBRARY: [&str; 5] = ["java.", "javax.", "jdk.", "sun.", "com.sun."];
    let simple = class.rsplit('.').next().unwrap_or(class);
    !hidden
        && !class.starts_with('[')
        && !LIBRARY.iter().any(|p| class.starts_with(p))
        && !simple.starts_with("$Proxy")
}

fn class_name(class: &str, hidden: bool) -> String {
    let mut class = class;
    if hidden {
        if let Some(at) = class.rfind(['/', '+', '.'])
            && class[at + 1..].starts_with(|c: char| c.is_ascii_digit())
        {
            class = &class[..at];
        }
        if let Some(at) = class.find("$$Lambda$") {
            class = &class[..at + "$$Lambda".len()];
        }
    }
    let class = class.replace('/', ".");
    match is_plain(&class) {
        true => class,
        false => printable(&class),
    }
}

/// Names of class files may hold any character but `. ; [ /`; a profile is read line by line and
/// column by column, so control characters appear as `\u0009`.
pub(crate) fn printable(name: &str) -> String {
    if is_plain(name) || !name.contains(char::is_control) {
        return name.to_owned();
    }
    let mut out = String::new();
    for c in name.chars() {
        if c.is_control() {
            out.push_str(&format!("\\u{:04x}", c as u32));
        } else {
            out.push(c);
        }
    }
    out
}

/// Surely no control characters.
fn is_plain(name: &str) -> bool {
    name.bytes().all(|b| (0x20..0x7f).contains(&b))
}

/// Parameter types and return type of a method descriptor, as Java writes them.
fn parameters(descriptor: &str) -> Option<(Vec<String>, String)> {
    let mut rest = descriptor.strip_prefix('(')?;
    let mut types = Vec::new();
    while !rest.starts_with(')') {
        let (name, after) = field_type(rest)?;
        types.push(name);
        rest = after;
    }
    let (result, after) = field_type(&rest[1..])?;
    after.is_empty().then_some((types, result))
}

fn field_type(text: &str) -> Option<(String, &str)> {
    let element = text.trim_start_matches('[');
    let dimensions = text.len() - element.len();
    let (mut name, rest) = match element.chars().next()? {
        'L' => {
            let end = element.find(';')?;
            (element[1..end].replace('/', "."), &element[end + 1..])
        }
        letter => {
            let name = match letter {
                'B' => "byte",
                'C' => "char",
                'D' => "double",
                'F' => "float",
                'I' => "int",
                'J' => "long",
                'S' => "short",
                'V' => "void",
                'Z' => "boolean",
                _ => return None,
            };
            (name.to_owned(), &element[1..])
        }
    };
    for _ in 0..dimensions {
        name.push_str("[]");
    }
    Some((name, rest))
}

/// Length of the method element `Class.name(desc)return` at the start of `text`, as
/// `(end of class, end of name, end)`. `None` if there is no such element.
pub(crate) fn element(text: &str) -> Option<(usize, usize, usize)> {
    let open = text.find(['(', ';'])?;
    if !text[open..].starts_with('(') {
        return None;
    }
    let dot = text[..open].rfind('.')?;
    let close = open + text[open..].find(')')?;
    let (_, rest) = field_type(&text[close + 1..])?;
    (dot > 0 && dot + 1 < open).then_some((dot, open, text.len() - rest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(name: &str, hidden: bool) -> String {
        MethodInfo::new(name, "m", "()V", false, hidden).class
    }

    #[test]
    fn ranks_are_in_the_order_of_labels() {
        let distinct = [
            "a.b",
            "a",
            "a$c",
            "a-",
            "ab",
            "z.y",
            "a\u{e9}",
            "[truncated]",
        ];
        let with_package = [&distinct[1..], &["ab.c", "ab"]].concat();
        for (classes, ranked) in [(&distinct[1..], true), (&with_package, false), (&[], false)] {
            let ranks = label_ranks(classes.iter().copied());
            let methods = (classes.iter().zip(&ranks)).flat_map(|(class, rank)| {
                let method = |name| MethodInfo::new(class, name, "()V", false, false);
                [(*rank, method("c")), (*rank, method("c.e"))]
            });
            let mut methods: Vec<_> = methods.collect();
            methods.sort_by(|(r, a), (s, b)| r.cmp(s).then_with(|| a.cmp_label(b)));
            assert!(methods.is_sorted_by_key(|(_, m)| m.label()), "{methods:?}");
            assert_eq!(ranks.iter().any(|&r| r > 0), ranked);
        }
        // the package `a` has classes here
        assert_eq!(label_ranks(distinct.into_iter()), [0; 8]);
    }
    #[test]
    fn classes_of_one_name_are_numbered() {
        let m = MethodInfo::new("p/A", "m", "()V", false, false).of_variant(1);
        assert_eq!((&*m.class, m.plain_class()), ("p.A[2]", "p.A"));
        assert!("p.A".parse::<crate::Pattern>().unwrap().matches(&m));
        let m = m.with_source("A.java", &[(0, 7)]);
        assert_eq!(m.place().as_deref(), Some("A.java[2]:7"));
        assert_eq!(m.source.as_ref().unwrap().file(), "p/A.java[2]");
        for plain in ["[truncated]", "[2]", "A[]", "A2]", "A"] {
            assert_eq!(without_variant(plain), plain);
        }
    }
    #[test]
    fn hidden_classes_lose_number_and_address() {
        assert_eq!(
            class("p/A$$Lambda$14/0x0000000800c03000", true),
            "p.A$$Lambda"
        );
        assert_eq!(
            class("p.A$$Lambda$14/0x0000000800c03000", true),
            "p.A$$Lambda"
        );
        assert_eq!(class("p/A$$Lambda+0x00007f1", true), "p.A$$Lambda");
        assert_eq!(class("p/A$$Lambda$3.17", true), "p.A$$Lambda");
        assert_eq!(class("p.A$$Lambda", true), "p.A$$Lambda");
        assert_eq!(
            class("java/lang/invoke/LambdaForm$MH/0x0000000800c03000", true),
            "java.lang.invoke.LambdaForm$MH"
        );
        assert_eq!(class("p/A$$Lambda$14", false), "p.A$$Lambda$14");
    }

    #[test]
    fn library_and_generated_classes_are_not_the_application() {
        for (name, app) in [
            ("java/lang/String", false),
            ("javax/swing/A", false),
            ("jdk/proxy1/$Proxy1", false),
            ("sun/misc/Unsafe", false),
            ("com/sun/proxy/$Proxy1", false),
            ("$Proxy0", false),
            ("app/$Proxy0", false),
            ("app/My$Proxy0", true),
            ("javalike/A", true),
            ("com/sunny/A", true),
            ("Main", true),
        ] {
            assert_eq!(
                MethodInfo::new(name, "m", "()V", false, false).app,
                app,
                "{name}"
            );
        }
        assert!(!MethodInfo::new("Main$$Lambda$1/0x1", "m", "()V", false, true).app);
    }

    #[test]
    fn labels_and_readable_names() {
        let m = MethodInfo::new("a/B", "f", "([[ILjava/lang/String;J)[Lx/Y;", false, false);
        assert_eq!(m.label(), "a.B.f([[ILjava/lang/String;J)[Lx/Y;");
        assert_eq!(m.readable(), "a.B.f(int[][],java.lang.String,long)");
        assert_eq!(m.return_type(), "x.Y[]");
        for malformed in ["", "(", "()", "(Q)V", "(L", "(Lx;V", "()VV", "()[", "ä;"] {
            let m = MethodInfo::new("B", "f", malformed, false, false);
            assert_eq!(m.readable(), format!("B.f{}", malformed.replace(';', ",")));
        }
        assert_eq!(
            MethodInfo::new("B", "a\tb", "()V", false, false).label(),
            "B.a\\u0009b()V"
        );
    }

    #[test]
    fn names_that_look_alike_show_the_return_type() {
        let m = |d| MethodInfo::new("B", "f", d, false, false);
        let names = readable_names(&[m("()I"), m("(I)V"), m("()Lx/Y;")]);
        assert_eq!(names, ["B.f():int", "B.f(int)", "B.f():x.Y"]);
    }

    #[test]
    fn elements_end_at_the_return_type() {
        assert_eq!(element("A.m(Lx;I)Ly;;B.n()V"), Some((1, 3, 12)));
        assert_eq!(element("A.m()[[I"), Some((1, 3, 8)));
        for wrong in [
            "", "A", "A.m", "m()V", "A.()V", "A.m(", "A.m()", "A.m()L", "A;m()V",
        ] {
            assert_eq!(element(wrong), None, "{wrong}");
        }
    }
}
