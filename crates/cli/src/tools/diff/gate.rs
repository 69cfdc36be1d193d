//! Gates: limits to what may change from one profile to another, and the verdict on each.

use super::super::ToolProblem;
use rjvm_profiler::{
    Change, Comparison, ContextPair, MethodChange, Pattern, PatternError, Profile,
};
use rjvm_profiler::{MethodInfo, Renamed, ThreadProfile, Totals, origin, summary::grouped};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// How gates are written, for help and errors.
pub const SYNTAX: &str = "LIMIT [METRIC] [METHOD or CONTEXT] [in THREAD]";

/// How much a count may be or grow.
#[derive(Clone, Copy, Debug, PartialEq)]
enum GateLimit {
    /// By so many percent.
    Percent(f64),
    /// By so many.
    Growth(u64),
    /// At most so many afterwards.
    Most(u64),
    /// Exactly so many afterwards.
    Exactly(u64),
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GateMetric {
    /// Bytecodes, those of callees included.
    Bytecodes,
    /// Bytecodes of the method itself.
    Own,
    /// Invocations.
    Calls,
    /// Objects allocated by the method itself.
    Objects,
    /// Bytes allocated by the method itself.
    Bytes,
    /// Calling contexts of the whole profile.
    Contexts,
}

/// The names of the metrics; the first one of each is the one that is printed.
const METRICS: [(&str, GateMetric); 9] = [
    ("bytecodes", GateMetric::Bytecodes),
    ("total", GateMetric::Bytecodes),
    ("inclusive", GateMetric::Bytecodes),
    ("self", GateMetric::Own),
    ("calls", GateMetric::Calls),
    ("invocations", GateMetric::Calls),
    ("objects", GateMetric::Objects),
    ("bytes", GateMetric::Bytes),
    ("contexts", GateMetric::Contexts),
];

/// A limit to what may change.
#[derive(Clone, Debug)]
pub struct Gate {
    text: String,
    limit: GateLimit,
    metric: GateMetric,
    /// Empty: the whole profile. One: methods. Several: contexts whose path ends with them.
    path: Vec<Pattern>,
    /// The name of the threads meant; all if there is none.
    thread: Option<String>,
}

/// Why a text is no gate.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("invalid limit '{text}': {problem}")]
pub struct GateError {
    text: String,
    problem: GateProblem,
}

/// What is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
enum GateProblem {
    /// The limit is none.
    #[error("expected 1%, +1000, <=5000 or =5000 instead of '{0}'")]
    Form(String),
    /// A name of methods is none.
    #[error("{0}; expected: {SYNTAX}")]
    Pattern(PatternError),
    /// Contexts are counted in the whole profile only.
    #[error("a limit on contexts can only be for the whole profile")]
    Contexts,
}

/// The first line of a file that is no gate.
#[derive(Clone, Debug, Error)]
#[error("line {line}: {error}")]
pub struct GateFileError {
    /// Its number, from 1.
    pub line: usize,
    /// Its mistake.
    pub error: GateError,
}

impl FromStr for Gate {
    type Err = GateError;

    fn from_str(text: &str) -> Result<Self, GateError> {
        let text = text.trim();
        let wrong = |problem| GateError {
            text: text.to_owned(),
            problem,
        };
        let (rest, thread) = match text.split_once(" in ") {
            Some((rest, thread)) => (rest, Some(thread.trim().to_owned())),
            None => (text, None),
        };
        let (limit, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let limit = limit_of(limit).ok_or_else(|| wrong(GateProblem::Form(limit.to_owned())))?;
        let rest = rest.trim();
        let (word, after) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let metric = METRICS.iter().find(|(name, _)| *name == word);
        let (metric, subject) = match metric {
            Some(&(_, metric)) => (metric, after.trim()),
            None => (GateMetric::Bytecodes, rest),
        };
        let mut path = Vec::new();
        if !subject.is_empty() {
            for element in subject.split('>') {
                let pattern = element.trim().parse::<Pattern>();
                path.push(pattern.map_err(|e| wrong(GateProblem::Pattern(e)))?);
            }
        }
        if metric == GateMetric::Contexts && !path.is_empty() {
            return Err(wrong(GateProblem::Contexts));
        }
        Ok(Gate {
            text: text.to_owned(),
            limit,
            metric,
            path,
            thread,
        })
    }
}

fn limit_of(text: &str) -> Option<GateLimit> {
    let count = |text: &str| text.replace([',', '_'], "").parse::<u64>().ok();
    if let Some(rest) = text.strip_prefix("<=") {
        return count(rest).map(GateLimit::Most);
    }
    if let Some(rest) = text.strip_prefix('=') {
        return count(rest).map(GateLimit::Exactly);
    }
    if let Some(rest) = text.strip_prefix('+')
        && !rest.ends_with('%')
    {
        return count(rest).map(GateLimit::Growth);
    }
    let percent = text.strip_suffix('%').unwrap_or(text).parse::<f64>().ok()?;
    (percent.is_finite() && percent >= 0.0).then_some(GateLimit::Percent(percent))
}

/// The gates of a file: one in each line; empty lines and what follows `#` are skipped.
pub fn read(text: &str) -> Result<Vec<Gate>, GateFileError> {
    let lines = text.lines().zip(1..);
    let gates = lines.filter_map(|(line, number)| {
        let line = line.split('#').next().unwrap_or_default().trim();
        (!line.is_empty()).then(|| {
            line.parse().map_err(|error| GateFileError {
                line: number,
                error,
            })
        })
    });
    gates.collect()
}

/// A count that a gate looked at.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The unit, in words.
    pub what: String,
    /// The count before and after.
    pub change: Change,
    /// Is it within the limit?
    pub passed: bool,
}

/// What a gate says.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The gate as it was written.
    pub gate: String,
    /// How many counts it looked at.
    pub looked_at: usize,
    /// Those beyond the limit, the largest growth first; if there is none, the largest growth.
    pub worst: Vec<Checked>,
    /// Why it cannot be said which methods it means.
    pub unclear: Vec<String>,
    /// Is everything within the limit, and was there anything?
    pub passed: bool,
}

/// Two profiles, and what gates look at in them.
pub struct GateInput {
    /// The contexts of both.
    pub both: Comparison,
    /// All methods.
    pub methods: Vec<MethodChange>,
    /// The names of methods, for people.
    pub names: Vec<String>,
    /// Sums over the profiles.
    pub totals: [Totals; 2],
}

impl GateInput {
    /// Matches two profiles.
    pub fn of(before: &Profile, after: &Profile) -> Result<GateInput, ToolProblem> {
        let both = Comparison::new(before, after)?;
        Ok(GateInput {
            methods: both.method_changes(),
            names: both.names(),
            totals: [before.totals(), after.totals()],
            both,
        })
    }
}

impl Gate {
    /// The limit as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }
    /// Does it say how much there may be, whatever there was before?
    pub fn is_absolute(&self) -> bool {
        matches!(self.limit, GateLimit::Most(_) | GateLimit::Exactly(_))
    }
    /// Cannot it be judged by the sums of each method alone?
    pub fn needs_contexts(&self) -> bool {
        match self.path[..] {
            [] => self.metric == GateMetric::Contexts || self.thread.is_some(),
            [_] => self.metric == GateMetric::Bytecodes || self.thread.is_some(),
            _ => true,
        }
    }
    /// Looks at two profiles, whose counts are `all`.
    pub fn verdict(
        &self,
        before: &Profile,
        after: &Profile,
        all: &GateInput,
    ) -> Result<Verdict, ToolProblem> {
        let mut unclear = self.unclear(&all.both);
        let mut checked = match &self.thread {
            None => self.counts(all),
            Some(name) => {
                let parts = [of_thread(before, name), of_thread(after, name)];
                let merged = |p: &Profile| p.threads.iter().any(|t| t.name.is_none());
                let named = parts.iter().any(|p| !p.threads.is_empty());
                if !named && (merged(before) || merged(after)) {
                    return Err(ToolProblem::Message(format!(
                        "'{}': the profiles merge threads; record them with --threads=apart",
                        self.text
                    )));
                }
                match named {
                    true => {
                        let counts = GateInput::of(&parts[0], &parts[1])?;
                        unclear.extend(self.unclear(&counts.both));
                        self.counts(&counts)
                    }
                    false => Vec::new(),
                }
            }
        };
        for count in &mut checked {
            count.passed = self.limit.allows(count.change);
        }
        let looked_at = checked.len();
        unclear.sort();
        unclear.dedup();
        let kept = looked_at > 0 && checked.iter().all(|c| c.passed);
        checked.sort_by_key(|c| (c.passed, -c.change.difference()));
        if kept {
            checked.truncate(1);
        } else {
            checked.retain(|c| !c.passed);
        }
        Ok(Verdict {
            gate: self.text.clone(),
            looked_at,
            worst: checked,
            passed: kept && unclear.is_empty(),
            unclear,
        })
    }

    /// Which methods does it name by numbers that mean other ones in the other profile?
    fn unclear(&self, both: &Comparison) -> Vec<String> {
        let mut message = Vec::new();
        for renamed in both.numbered.values() {
            let named = renamed.names.iter().flatten();
            if !named
                .into_iter()
                .any(|m| self.path.iter().any(|p| by_number(p, m)))
            {
                continue;
            }
            message.extend(unclear(both, renamed));
        }
        message
    }

    fn counts(&self, all: &GateInput) -> Vec<Checked> {
        let GateInput {
            both,
            methods,
            names,
            totals,
        } = all;
        let metric = METRICS.iter().find(|(_, m)| *m == self.metric);
        let metric = metric.map_or("", |(name, _)| name);
        let place = match &self.thread {
            Some(name) => format!(" in thread {name}"),
            None => String::new(),
        };
        let checked = |of: String, change: Change| Checked {
            what: format!("{metric} of {of}{place}"),
            change,
            passed: false,
        };
        match &self.path[..] {
            [] => {
                let of: fn(&Totals) -> u64 = match self.metric {
                    GateMetric::Bytecodes | GateMetric::Own => |t| t.bytecodes,
                    GateMetric::Calls => |t| t.invocations,
                    GateMetric::Objects => |t| t.allocated.objects,
                    GateMetric::Bytes => |t| t.allocated.bytes,
                    GateMetric::Contexts => |t| t.nodes,
                };
                let [before, after] = [of(&totals[0]), of(&totals[1])];
                vec![checked("the program".into(), Change { before, after })]
            }
            [pattern] => {
                let meant = |m: &&MethodChange| pattern.matches(&both.methods[m.method as usize]);
                let meant = methods.iter().filter(meant);
                meant
                    .map(|m| {
                        let change = match self.metric {
                            GateMetric::Bytecodes => m.inclusive,
                            GateMetric::Own => m.bytecodes,
                            GateMetric::Calls => m.invocations,
                            GateMetric::Objects => m.objects,
                            GateMetric::Bytes => m.bytes,
                            // refused when the limit was read
                            GateMetric::Contexts => Change::default(),
                        };
                        checked(names[m.method as usize].clone(), change)
                    })
                    .collect()
            }
            path => {
                let meant = both.contexts().filter(|&pair| ends_with(both, pair, path));
                meant
                    .map(|pair| {
                        let [objects, bytes] = both.allocated(pair);
                        let change = match self.metric {
                            GateMetric::Bytecodes => both.inclusive(pair),
                            GateMetric::Own => both.bytecodes(pair),
                            GateMetric::Calls => both.invocations(pair),
                            GateMetric::Objects => objects,
                            GateMetric::Bytes => bytes,
                            GateMetric::Contexts => Change::default(),
                        };
                        checked(super::path_text(both, names, pair, false), change)
                    })
                    .collect()
            }
        }
    }
}

/// Does the pattern name the method, and not those that are called the same except for a number?
fn by_number(pattern: &Pattern, method: &MethodInfo) -> bool {
    let mut other = MethodInfo::new("A", "a", "()V", false, false);
    other.class = origin::unnumbered(&method.class);
    other.name = origin::unnumbered(&method.name);
    pattern.matches(method) && !pattern.matches(&other)
}

/// Why the number of a method does not say which one it is.
fn unclear(both: &Comparison, renamed: &Renamed) -> Option<String> {
    let name = |m: &MethodInfo| format!("{}::{}", m.class, m.name);
    let any = |m: &MethodInfo| {
        let text = |t: &str| origin::unnumbered(t).replace('#', "*");
        format!("{}::{}", text(&m.class), text(&m.name))
    };
    let (reason, method) = match (&renamed.names[..], renamed.in_doubt) {
        ([Some(before), Some(after)], _) if name(before) == name(after) => return None,
        ([Some(before), Some(after)], _) => {
            (format!("{} is {} now", name(before), name(after)), after)
        }
        ([before, after], true) => {
            let method = before.as_ref().or(after.as_ref())?;
            let side = if before.is_some() { "now" } else { "before" };
            let several = format!("it is uncertain which method {} is {side}", name(method));
            (several, method)
        }
        ([before, after], false) => {
            let method = before.as_ref().or(after.as_ref())?;
            let side = usize::from(before.is_some());
            let mut others = both
                .numbered
                .values()
                .filter_map(|r| r.names[side].as_ref());
            others.find(|other| other.label() == method.label())?;
            (
                format!("{} is a different method now", name(method)),
                method,
            )
        }
        _ => return None,
    };
    Some(format!(
        "{reason}: its number cannot name it in a limit; '{}' means each of these methods",
        any(method)
    ))
}

/// The threads of that name alone.
fn of_thread(profile: &Profile, name: &str) -> Profile {
    let meant = |t: &&ThreadProfile| t.name.as_deref() == Some(name);
    let threads: Vec<ThreadProfile> = profile.threads.iter().filter(meant).cloned().collect();
    Profile {
        kind: profile.kind,
        call_sites: profile.call_sites,
        methods: profile.methods.clone(),
        thread_count: threads.len() as u64,
        threads,
        about: profile.about.clone(),
    }
}

/// Are the last methods of a context's path those that the patterns name?
fn ends_with(both: &Comparison, pair: ContextPair, patterns: &[Pattern]) -> bool {
    let mut callers = both.callers(pair);
    let mut named = patterns.iter().rev();
    named.all(|pattern| {
        let method = callers.next();
        method.is_some_and(|(_, method)| pattern.matches(&both.methods[method as usize]))
    })
}

impl GateLimit {
    fn allows(self, change: Change) -> bool {
        match self {
            GateLimit::Percent(percent) => super::growth(change) <= percent,
            GateLimit::Growth(most) => change.difference() <= i128::from(most),
            GateLimit::Most(most) => change.after <= most,
            GateLimit::Exactly(count) => change.after == count,
        }
    }
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Change { before, after } = self.change;
        let growth = super::growth_text(self.change);
        write!(
            f,
            "{}: {}|{} ({growth})",
            self.what,
            grouped(before),
            grouped(after)
        )
    }
}

impl Verdict {
    /// Why it is so, a line each.
    pub fn reasons(&self) -> Vec<String> {
        /// Counts told of one gate.
        const MOST: usize = 10;
        if !self.unclear.is_empty() {
            return self.unclear.iter().take(MOST).cloned().collect();
        }
        if self.looked_at == 0 {
            return vec!["it matches nothing in either profile".into()];
        }
        let mut lines: Vec<String> = self
            .worst
            .iter()
            .take(MOST)
            .map(Checked::to_string)
            .collect();
        if self.worst.len() > MOST {
            lines.push(format!("and {} more", self.worst.len() - MOST));
        }
        if self.passed && self.looked_at > 1 {
            lines[0] = format!("{} counts; most grew {}", self.looked_at, lines[0]);
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read() {
        for (text, limit) in [
            ("1%", GateLimit::Percent(1.0)),
            ("0.5", GateLimit::Percent(0.5)),
            ("+1,000", GateLimit::Growth(1000)),
            ("+2%", GateLimit::Percent(2.0)),
            ("<=12_031", GateLimit::Most(12_031)),
            ("=7", GateLimit::Exactly(7)),
        ] {
            assert_eq!(limit_of(text), Some(limit), "{text}");
        }
        for text in ["", "%", "-1%", "x", "+", "<=", "=x", "nan%", "inf"] {
            assert_eq!(limit_of(text), None, "{text}");
        }
    }

    #[test]
    fn gates_are_read() {
        let gate: Gate = "1% calls a.B::f > a.C::g in main".parse().unwrap();
        assert_eq!(gate.metric, GateMetric::Calls);
        assert_eq!(gate.path.len(), 2);
        assert_eq!(gate.thread.as_deref(), Some("main"));
        let gate: Gate = "=12031 a.B::f".parse().unwrap();
        assert_eq!(
            (gate.limit, gate.metric),
            (GateLimit::Exactly(12031), GateMetric::Bytecodes)
        );
        assert!(
            "a.B::f"
                .parse::<Gate>()
                .unwrap_err()
                .to_string()
                .contains("instead of 'a.B::f'")
        );
        assert!(
            "1% a b"
                .parse::<Gate>()
                .unwrap_err()
                .to_string()
                .contains("is not a class pattern")
        );
        let gates = read("# all\n1%\n\n2% a.B # that one\n").unwrap();
        assert_eq!(gates[1].text, "2% a.B");
        let error = read("1%\nx\n").unwrap_err().to_string();
        assert!(error.starts_with("line 2: "));
    }
}
