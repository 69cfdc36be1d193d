//! What can be called: one table of functions, one of aggregations, one of actions. (`names.rs` has the values.)

/// Types, as far as they are known before anything runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ty {
    /// Known when it runs.
    Any,
    Int,
    Float,
    Bool,
    Str,
    Object,
    Stack,
}

impl Ty {
    /// In messages.
    pub fn reported(self) -> &'static str {
        match self {
            Ty::Any => "a value",
            Ty::Int | Ty::Float => "a number",
            Ty::Bool => "true or false",
            Ty::Str => "a string",
            Ty::Object => "an object",
            Ty::Stack => "a stack",
        }
    }
}

/// Functions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    Str,
    Len,
    ClassOf,
    SizeOf,
    Hash,
    Int,
    Float,
    Chr,
    Hex,
    Abs,
    Log2,
    Upper,
    Lower,
    Trim,
    Substr,
    Contains,
    StartsWith,
    EndsWith,
    IndexOf,
    Replace,
    Simple,
    Package,
    BaseName,
}

/// A function: name, parameters (`?`: may be left out), result, description.
pub struct FunctionNamed {
    pub name: &'static str,
    pub function: Function,
    pub parameters: &'static [Ty],
    pub optional: usize,
    pub result: Ty,
    pub about: &'static str,
}

const fn function(
    name: &'static str,
    function: Function,
    parameters: &'static [Ty],
    optional: usize,
    result: Ty,
    about: &'static str,
) -> FunctionNamed {
    FunctionNamed {
        name,
        function,
        parameters,
        optional,
        result,
        about,
    }
}

use Function as F;

/// All functions that give a value.
pub const FUNCTIONS: &[FunctionNamed] = &[
    function(
        "str",
        F::Str,
        &[Ty::Any],
        0,
        Ty::Str,
        "as text: a String's characters, a box's value, an enum constant's name, otherwise the class",
    ),
    function(
        "len",
        F::Len,
        &[Ty::Any],
        0,
        Ty::Int,
        "characters of a string, elements of an array, frames of a stack",
    ),
    function(
        "classof",
        F::ClassOf,
        &[Ty::Any],
        0,
        Ty::Str,
        "the name of an object's class",
    ),
    function(
        "sizeof",
        F::SizeOf,
        &[Ty::Any],
        0,
        Ty::Int,
        "bytes of an object in the heap, without the objects that it refers to",
    ),
    function(
        "hash",
        F::Hash,
        &[Ty::Any],
        0,
        Ty::Int,
        "an object's identity hash; null if it has none yet",
    ),
    function(
        "int",
        F::Int,
        &[Ty::Any],
        0,
        Ty::Int,
        "as an integer: without the fraction, a box's value, the number in a string",
    ),
    function(
        "float",
        F::Float,
        &[Ty::Any],
        0,
        Ty::Float,
        "as a floating-point number",
    ),
    function(
        "chr",
        F::Chr,
        &[Ty::Int],
        0,
        Ty::Str,
        "the character with this code",
    ),
    function("hex", F::Hex, &[Ty::Int], 0, Ty::Str, "in hexadecimal"),
    function("abs", F::Abs, &[Ty::Float], 0, Ty::Any, "without sign"),
    function(
        "log2",
        F::Log2,
        &[Ty::Int],
        0,
        Ty::Int,
        "the largest power of two in it: 10 for 1024 to 2047",
    ),
    function("upper", F::Upper, &[Ty::Str], 0, Ty::Str, "in capitals"),
    function(
        "lower",
        F::Lower,
        &[Ty::Str],
        0,
        Ty::Str,
        "in small letters",
    ),
    function(
        "trim",
        F::Trim,
        &[Ty::Str],
        0,
        Ty::Str,
        "without surrounding white space",
    ),
    function(
        "substr",
        F::Substr,
        &[Ty::Str, Ty::Int, Ty::Int],
        1,
        Ty::Str,
        "the part from character n, m characters long",
    ),
    function(
        "contains",
        F::Contains,
        &[Ty::Str, Ty::Str],
        0,
        Ty::Bool,
        "whether s contains t",
    ),
    function(
        "startswith",
        F::StartsWith,
        &[Ty::Str, Ty::Str],
        0,
        Ty::Bool,
        "whether s begins with t",
    ),
    function(
        "endswith",
        F::EndsWith,
        &[Ty::Str, Ty::Str],
        0,
        Ty::Bool,
        "whether s ends with t",
    ),
    function(
        "indexof",
        F::IndexOf,
        &[Ty::Str, Ty::Str],
        0,
        Ty::Int,
        "the place of t in s, or -1",
    ),
    function(
        "replace",
        F::Replace,
        &[Ty::Str, Ty::Str, Ty::Str],
        0,
        Ty::Str,
        "s with u for each occurrence of t",
    ),
    function(
        "simple",
        F::Simple,
        &[Ty::Str],
        0,
        Ty::Str,
        "a class's or method's name without packages",
    ),
    function(
        "package",
        F::Package,
        &[Ty::Str],
        0,
        Ty::Str,
        "the package of a class's name",
    ),
    function(
        "basename",
        F::BaseName,
        &[Ty::Str],
        0,
        Ty::Str,
        "a path's last name",
    ),
];

/// What a map gathers of many events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gather {
    Count,
    Sum,
    Min,
    Max,
    Avg,
    Stats,
    Hist,
    Lhist,
    Quantiles,
}

/// Aggregations: name, which, how many values, description.
pub const GATHERS: [(&str, Gather, usize, &str); 9] = [
    ("count", Gather::Count, 0, "how many events"),
    ("sum", Gather::Sum, 1, "the sum of a number"),
    ("min", Gather::Min, 1, "the least"),
    ("max", Gather::Max, 1, "the greatest"),
    ("avg", Gather::Avg, 1, "the average"),
    (
        "stats",
        Gather::Stats,
        1,
        "count, sum, least, average and greatest",
    ),
    ("hist", Gather::Hist, 1, "a histogram by powers of two"),
    (
        "lhist",
        Gather::Lhist,
        4,
        "a histogram by steps: lhist(n, from, to, step)",
    ),
    (
        "quantiles",
        Gather::Quantiles,
        1,
        "upper bounds for 50 %, 90 %, 99 % and 100 % of the events, within 3 %",
    ),
];

impl Gather {
    pub fn name(self) -> &'static str {
        let found = GATHERS.iter().find(|(_, g, ..)| *g == self);
        found.map_or("", |(name, ..)| name)
    }
}

/// Actions besides assignments: name and description.
pub const ACTIONS: [(&str, &str); 7] = [
    (
        "print",
        "prints values, or a map; print(@m, 5): its first five keys",
    ),
    (
        "printf",
        "prints with a format: %d %x %s %f, widths as in C, and %%",
    ),
    ("clear", "empties a map"),
    ("delete", "deletes one key: delete(@m[k])"),
    ("discard", "leaves a map out of the results at the end"),
    ("snapshot", "writes the current profile"),
    ("stop", "ends the program at the end of the thread's turn"),
];
