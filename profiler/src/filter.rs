//! Filters: which methods of a profile are shown, how deep, and with which recursion. Hidden contexts are folded into the
//! nearest shown caller, so that nothing executed gets lost.

use crate::method::{MethodInfo, without_variant};
use crate::profile::{About, Kind, Profile, ThreadProfile};
use crate::tree::{LeftOut, Regrouped, Rule, TreeError, regroup};
use std::fmt;
use std::str::FromStr;

/// Names methods by their class, and optionally by their own name.
///
/// | pattern | methods of |
/// |---|---|
/// | `com.x.Shape` | that class |
/// | `com.x.*` | classes of package `com.x`, nested ones too, not those of its subpackages |
/// | `com.x..` or `com.x...` | classes of package `com.x` and of its subpackages |
/// | `com.x.Shape*` | classes of package `com.x` whose name starts with `Shape` |
/// | `..` | all classes |
/// | `com.x.Shape::area` | that class, if they are named so; the name may contain `*` |
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    class: Class,
    method: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Class {
    /// Where `*` matches any characters but dots.
    Glob(String),
    /// All below a package prefix that ends with a dot, or is empty.
    Below(String),
}

/// Why a text is not a [`Pattern`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a class pattern: com.x.Name, com.x.*, com.x.. or one of them with ::method")]
pub struct PatternError(String);

impl FromStr for Pattern {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let wrong = || PatternError(text.to_owned());
        let (class, method) = match text.split_once("::") {
            Some((class, method)) => (class, Some(method)),
            None => (text, None),
        };
        let class = class.replace('/', ".");
        let below = class
            .strip_suffix("...")
            .or_else(|| class.strip_suffix(".."));
        let name = below.unwrap_or(&class);
        let forbidden = |c: char| c.is_whitespace() || c.is_control() || "(),;:[".contains(c);
        let bad_parts = name.split('.').any(str::is_empty) && !(below.is_some() && name.is_empty());
        let bad_method = method.is_some_and(|m| m.is_empty() || m.contains(['.', '/', ':']));
        if bad_parts
            || bad_method
            || name.contains(forbidden)
            || method.unwrap_or_default().contains(forbidden)
            || below.is_some() && name.contains('*')
        {
            return Err(wrong());
        }
        Ok(Pattern {
            text: text.to_owned(),
            method: method.map(str::to_owned),
            class: match below {
                Some("") => Class::Below(String::new()),
                Some(package) => Class::Below(format!("{package}.")),
                None => Class::Glob(class),
            },
        })
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Pattern {
    /// Several patterns, separated by commas.
    pub fn list(text: &str) -> Result<Vec<Pattern>, PatternError> {
        text.split(',').map(str::parse).collect()
    }

    /// Does it name the method?
    pub fn matches(&self, method: &MethodInfo) -> bool {
        self.matches_class(&method.class) && self.matches_member(&method.name)
    }

    /// Does it name methods of the class, whose name has dots?
    pub fn matches_class(&self, class: &str) -> bool {
        let class = without_variant(class);
        match &self.class {
            Class::Glob(glob) => matches(glob, class, not_a_dot),
            Class::Below(prefix) => class.starts_with(prefix.as_str()),
        }
    }

    /// Does it name members of that name, in classes that it names?
    pub fn matches_member(&self, name: &str) -> bool {
        self.method
            .as_ref()
            .is_none_or(|glob| matches(glob, name, not_a_dot))
    }

    /// Does it name members, not only classes?
    pub fn names_members(&self) -> bool {
        self.method.is_some()
    }
}

fn not_a_dot(c: u8) -> bool {
    c != b'.'
}

/// Does `text` match, where `*` matches characters that a star takes? Greedy with one way back: what an earlier star takes never
/// matters once a later one is reached, as long as no character lies between that a star does not take.
fn matches(glob: &str, text: &str, takes: impl Fn(u8) -> bool) -> bool {
    let (glob, text) = (glob.as_bytes(), text.as_bytes());
    let (mut g, mut t) = (0, 0);
    // The latest star, and where the text it takes ends.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        if glob.get(g) == Some(&b'*') {
            star = Some((g, t));
            g += 1;
        } else if glob.get(g) == Some(&text[t]) {
            (g, t) = (g + 1, t + 1);
        } else {
            match star {
                Some((at, end)) if takes(text[end]) => {
                    star = Some((at, end + 1));
                    (g, t) = (at + 1, end + 1);
                }
                _ => return false,
            }
        }
    }
    glob[g..].iter().all(|&b| b == b'*')
}

/// The shown part of a profile. The default is everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Methods that are shown; all if empty.
    pub include: Vec<Pattern>,
    /// Methods that are not, even if included.
    pub exclude: Vec<Pattern>,
    /// Depth of the deepest contexts shown; roots have depth 1.
    pub max_depth: Option<u32>,
    /// Fold recursive cycles: a context whose method is already active becomes part of the active
    /// one, with its invocations, bytecodes, allocations and counts of single bytecodes.
    pub fold_recursion: bool,
    /// The counts of hidden contexts vanish. If not, their bytecodes and allocations are added to the
    /// nearest shown caller (in a samples profile the samples too), and bytecodes without one to
    /// [`ThreadProfile::remainder`], so that the total stays the same. Invocations and the counts
    /// of single bytecodes vanish in any case: they mean nothing for another method.
    pub drop_hidden: bool,
}

impl Filter {
    /// Is everything shown?
    pub fn is_all(&self) -> bool {
        self.include.is_empty()
            && self.exclude.is_empty()
            && self.max_depth.is_none()
            && !self.fold_recursion
    }

    /// What it does, in words.
    pub(crate) fn about(&self) -> About {
        let mut about = About::new();
        let list = |patterns: &[Pattern]| {
            let texts: Vec<String> = patterns.iter().map(Pattern::to_string).collect();
            texts.join(", ")
        };
        for (name, patterns) in [
            ("Only methods of", &self.include),
            ("Without methods of", &self.exclude),
        ] {
            if !patterns.is_empty() {
                about.push((name.into(), list(patterns)));
            }
        }
        if self.fold_recursion {
            about.push(("Recursion".into(), "recursive cycles are folded".into()));
        }
        if let Some(depth) = self.max_depth {
            about.push(("Depth".into(), format!("at most {depth}")));
        }
        if self.drop_hidden && !self.is_all() {
            let text = "counts of hidden methods are dropped";
            about.push(("Dropped".into(), text.into()));
        }
        about
    }

    /// Warnings about patterns that name none of the methods.
    pub fn unmatched(&self, methods: &[MethodInfo]) -> Vec<String> {
        let mut notes = Vec::new();
        for (option, patterns) in [("include", &self.include), ("exclude", &self.exclude)] {
            for pattern in patterns {
                if !methods.iter().any(|m| pattern.matches(m)) {
                    notes.push(format!("--{option}={pattern} matches no executed method"));
                }
            }
        }
        notes
    }

    /// Are the method's contexts shown?
    pub fn shows(&self, method: &MethodInfo) -> bool {
        (self.include.is_empty() || self.include.iter().any(|p| p.matches(method)))
            && !self.exclude.iter().any(|p| p.matches(method))
    }
}

impl Profile {
    /// The profile as `filter` shows it: first methods are hidden, then recursion is folded, then
    /// the depth is limited. What a hidden context calls moves up to the nearest shown caller and
    /// takes the call site the hidden context had.
    ///
    /// ```
    /// use rjvm_profiler::{Filter, export::paths};
    ///
    /// let text = "A.main()V\t1\t5\nA.main()V;lib.L.f()V\t1\t20\nA.main()V;lib.L.f()V;A.g()V\t2\t6\n";
    /// let profile = paths::read(&mut text.as_bytes())?;
    /// let filter = Filter { exclude: vec!["lib..".parse()?], ..Filter::default() };
    /// let shown = profile.filter(&filter)?;
    /// assert_eq!(shown.method("A.main()V").unwrap().bytecodes, 25);
    /// assert_eq!(shown.method("A.g()V").unwrap().bytecodes, 6);
    /// assert_eq!(shown.totals().bytecodes, profile.totals().bytecodes);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn filter(&self, filter: &Filter) -> Result<Profile, TreeError> {
        let shown: Vec<bool> = self.methods.iter().map(|m| filter.shows(m)).collect();
        let left_out = match (filter.drop_hidden, self.kind) {
            (true, _) => LeftOut::Drop,
            (false, Kind::Exact) => LeftOut::Add,
            (false, Kind::Samples) => LeftOut::AddSamples,
        };
        let depth = filter.max_depth.map_or(usize::MAX, |depth| depth as usize);
        let rule = Rule {
            shown: &|method, _| shown[method as usize],
            max_depth: if filter.fold_recursion {
                usize::MAX
            } else {
                depth
            },
            left_out,
            ..Rule::all(self.call_sites)
        };
        let thread = |thread: &ThreadProfile| -> Result<ThreadProfile, TreeError> {
            let Regrouped {
                mut tree, unplaced, ..
            } = regroup(&[&thread.tree], &rule)?;
            if filter.fold_recursion {
                let rule = Rule {
                    max_depth: depth,
                    left_out,
                    ..Rule::all(self.call_sites)
                };
                tree = regroup(&[&tree.fold_recursion()?], &rule)?.tree;
            }
            Ok(ThreadProfile {
                name: thread.name.clone(),
                id: thread.id,
                tree,
                remainder: thread.remainder.saturating_add(unplaced),
            })
        };
        Ok(Profile {
            kind: self.kind,
            call_sites: self.call_sites,
            methods: self.methods.clone(),
            threads: self.threads.iter().map(thread).collect::<Result<_, _>>()?,
            thread_count: self.thread_count,
            about: self.about.iter().cloned().chain(filter.about()).collect(),
        }
        .without_unused_methods())
    }
}

impl Profile {
    /// The threads whose names match one of the globs, with the methods that they executed; `*` matches any characters. No
    /// thread of a profile whose threads were merged has a name.
    ///
    /// ```
    /// use rjvm_profiler::export::paths;
    ///
    /// let text = "[main]\t0\t0\n[main];A.main()V\t1\t5\n[w-1]\t0\t0\n[w-1];A.run()V\t1\t8\n";
    /// let profile = paths::read(&mut text.as_bytes())?;
    /// let workers = profile.only_threads(&["w-*".to_string()]);
    /// assert_eq!(workers.totals().bytecodes, 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn only_threads(mut self, names: &[String]) -> Profile {
        let shown = |name: &str| names.iter().any(|glob| matches(glob, name, |_| true));
        self.threads
            .retain(|t| t.name.as_deref().is_some_and(shown));
        self.thread_count = self.threads.len() as u64;
        let text = names.join(", ");
        self.about.push(("Only threads".into(), text));
        self.without_unused_methods()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matched(pattern: &str, class: &str, name: &str) -> bool {
        let method = MethodInfo::new(class, name, "()V", false, false);
        pattern.parse::<Pattern>().unwrap().matches(&method)
    }

    #[test]
    fn patterns_name_classes_packages_and_methods() {
        for (pattern, class, expected) in [
            ("a.B", "a.B", true),
            ("a/B", "a.B", true),
            ("a.B", "a.B$C", false),
            ("a.B", "a.BC", false),
            ("B", "B", true),
            ("B", "a.B", false),
            ("a.*", "a.B", true),
            ("a.*", "a.B$C", true),
            ("a.*", "a.b.C", false),
            ("a.*", "ab.C", false),
            ("a..", "a.B", true),
            ("a...", "a.b.C", true),
            ("a..", "ab.C", false),
            ("a..", "a", false),
            ("..", "x.Y", true),
            ("*", "Y", true),
            ("*", "x.Y", false),
            ("a.B*", "a.Bar", true),
            ("a.*Test*", "a.MyTestCase", true),
            ("a.*Test*", "a.b.MyTestCase", false),
            ("*.B", "a.B", true),
            ("*.B", "a.b.B", false),
            ("a.*b*c", "a.xbybzc", true),
            ("a.*b*c", "a.xbybz", false),
            ("*.*.C", "a.b.C", true),
            ("*.*.C", "a.C", false),
        ] {
            assert_eq!(matched(pattern, class, "m"), expected, "{pattern} {class}");
        }
        assert!(matched("a.B::get*", "a.B", "getX"));
        assert!(!matched("a.B::get", "a.B", "getX"));
        assert!(matched("..::<init>", "a.B", "<init>"));
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for wrong in [
            "",
            ".",
            "a.",
            ".a",
            "a..b",
            "a....",
            "a b",
            "a.B::",
            "::m",
            "a.B::m()",
            "a.*..",
            "a;b",
            "a.B::x::y",
            "a.B:m",
        ] {
            let error = wrong.parse::<Pattern>().unwrap_err();
            assert!(error.to_string().starts_with(&format!("'{wrong}' is no")));
        }
        assert!(Pattern::list("a.B,,c").is_err());
        let list = Pattern::list("a.B,c..").unwrap();
        assert_eq!(list[1].to_string(), "c..");
    }
}
