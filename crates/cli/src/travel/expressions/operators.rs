//! Operators on values, as Java has them (JLS 15.15 to 15.25).

use super::super::reading;
use super::{Computed, ExpressionError, ExpressionWorld};
use rjvm_vm::jdk::moves::BOXES;

/// Two operands after binary numeric promotion (JLS 5.6).
enum Promoted {
    Int(i32, i32),
    Long(i64, i64),
    Float(f32, f32),
    Double(f64, f64),
}

/// The value that a box holds; all others as they are.
pub fn unboxed(w: &mut dyn ExpressionWorld, v: Computed) -> Computed {
    let Computed::Object(held, _) = v else {
        return v;
    };
    let r = w.object(held);
    let class = w.vm().class_of(r);
    if !BOXES.contains(&&*w.vm().class(class).name) {
        return v;
    }
    match reading::fields(w.vm(), class, false).into_iter().next() {
        Some(at) => {
            let inside = reading::field(w.vm(), r, at);
            w.computed(inside)
        }
        None => v,
    }
}

fn as_int(v: &Computed) -> Option<i32> {
    Some(match v {
        Computed::Byte(v) => (*v).into(),
        Computed::Short(v) => (*v).into(),
        Computed::Char(v) => (*v).into(),
        Computed::Int(v) => *v,
        _ => return None,
    })
}

fn as_long(v: &Computed) -> Option<i64> {
    match v {
        Computed::Long(v) => Some(*v),
        v => as_int(v).map(i64::from),
    }
}

fn as_float(v: &Computed) -> Option<f32> {
    match v {
        Computed::Float(v) => Some(*v),
        v => as_long(v).map(|v| v as f32),
    }
}

fn as_double(v: &Computed) -> Option<f64> {
    match v {
        Computed::Double(v) => Some(*v),
        Computed::Float(v) => Some((*v).into()),
        v => as_long(v).map(|v| v as f64),
    }
}

fn promoted(a: &Computed, b: &Computed) -> Option<Promoted> {
    let is = |of: fn(&Computed) -> bool| of(a) || of(b);
    if is(|v| matches!(v, Computed::Double(_))) {
        Some(Promoted::Double(as_double(a)?, as_double(b)?))
    } else if is(|v| matches!(v, Computed::Float(_))) {
        Some(Promoted::Float(as_float(a)?, as_float(b)?))
    } else if is(|v| matches!(v, Computed::Long(_))) {
        Some(Promoted::Long(as_long(a)?, as_long(b)?))
    } else {
        Some(Promoted::Int(as_int(a)?, as_int(b)?))
    }
}

/// A number as one of the primitive types, by the letter of its descriptor, widened or narrowed (JLS 5.1.2, 5.1.3).
pub fn to_primitive(v: &Computed, letter: u8) -> Option<Computed> {
    if let (Computed::Bool(v), b'Z') = (v, letter) {
        return Some(Computed::Bool(*v));
    }
    let long = || match v {
        Computed::Float(v) => Some(*v as i64),
        Computed::Double(v) => Some(*v as i64),
        v => as_long(v),
    };
    let int = || match v {
        // numbers with fractions go by way of an int, and end at its bounds
        Computed::Float(v) => Some(*v as i32),
        Computed::Double(v) => Some(*v as i32),
        v => as_long(v).map(|v| v as i32),
    };
    Some(match letter {
        b'B' => Computed::Byte(int()? as i8),
        b'S' => Computed::Short(int()? as i16),
        b'C' => Computed::Char(int()? as u16),
        b'I' => Computed::Int(int()?),
        b'J' => Computed::Long(long()?),
        b'F' => Computed::Float(match v {
            Computed::Double(v) => *v as f32,
            v => as_float(v)?,
        }),
        b'D' => Computed::Double(as_double(v)?),
        _ => return None,
    })
}

/// The letter of a primitive value's descriptor.
pub fn letter(v: &Computed) -> Option<u8> {
    Some(match v {
        Computed::Bool(_) => b'Z',
        Computed::Byte(_) => b'B',
        Computed::Short(_) => b'S',
        Computed::Char(_) => b'C',
        Computed::Int(_) => b'I',
        Computed::Long(_) => b'J',
        Computed::Float(_) => b'F',
        Computed::Double(_) => b'D',
        _ => return None,
    })
}

/// Whether a primitive type is another one, or widened to it without a cast (JLS 5.1.2).
pub fn widens(from: u8, to: u8) -> bool {
    let order = |letter: u8| b"BSIJFD".iter().position(|l| *l == letter);
    match (from, to) {
        _ if from == to => true,
        (b'C', to) => order(to).is_some_and(|to| to >= 2),
        _ => order(from).zip(order(to)).is_some_and(|(a, b)| a < b),
    }
}

/// The value of an operator with one operand.
pub fn unary(op: &str, v: &Computed) -> Result<Computed, ExpressionError> {
    let wrong = || ExpressionError::Operands(op.into(), kind(v).into());
    match (op, v) {
        ("!", Computed::Bool(v)) => Ok(Computed::Bool(!v)),
        ("~", v) => match v {
            Computed::Long(v) => Ok(Computed::Long(!v)),
            v => as_int(v).map(|v| Computed::Int(!v)).ok_or_else(wrong),
        },
        ("-" | "+", v) => {
            let negates = op == "-";
            Ok(match v {
                Computed::Long(v) if negates => Computed::Long(v.wrapping_neg()),
                Computed::Float(v) if negates => Computed::Float(-v),
                Computed::Double(v) if negates => Computed::Double(-v),
                Computed::Long(_) | Computed::Float(_) | Computed::Double(_) => v.clone(),
                v => {
                    let v = as_int(v).ok_or_else(wrong)?;
                    Computed::Int(if negates { v.wrapping_neg() } else { v })
                }
            })
        }
        _ => Err(wrong()),
    }
}

/// What a value is, in words.
fn kind(v: &Computed) -> &'static str {
    match v {
        Computed::Bool(_) => "a boolean",
        Computed::Text(..) => "a string",
        Computed::Null => "null",
        Computed::Void => "no value",
        Computed::Object(..) => "an object",
        _ => "a number",
    }
}

macro_rules! whole {
    ($op:expr, $a:expr, $b:expr, $of:path) => {{
        let zero = || ExpressionError::Thrown("java.lang.ArithmeticException: / by zero".into());
        let divided = |v: Option<_>| v.map($of).ok_or_else(zero);
        match $op {
            "+" => Ok($of($a.wrapping_add($b))),
            "-" => Ok($of($a.wrapping_sub($b))),
            "*" => Ok($of($a.wrapping_mul($b))),
            "/" => divided(($b != 0).then(|| $a.wrapping_div($b))),
            "%" => divided(($b != 0).then(|| $a.wrapping_rem($b))),
            "&" => Ok($of($a & $b)),
            "|" => Ok($of($a | $b)),
            "^" => Ok($of($a ^ $b)),
            op => compared(op, $a.partial_cmp(&$b)),
        }
    }};
}

macro_rules! real {
    ($op:expr, $a:expr, $b:expr, $of:path) => {
        match $op {
            "+" => Ok($of($a + $b)),
            "-" => Ok($of($a - $b)),
            "*" => Ok($of($a * $b)),
            "/" => Ok($of($a / $b)),
            "%" => Ok($of($a % $b)),
            op @ ("&" | "|" | "^") => Err(ExpressionError::Operands(
                op.into(),
                "a number with a fraction".into(),
            )),
            op => compared(op, $a.partial_cmp(&$b)),
        }
    };
}

/// A comparison; numbers that are not numbers have no order.
fn compared(op: &str, order: Option<std::cmp::Ordering>) -> Result<Computed, ExpressionError> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    Ok(Computed::Bool(match op {
        "==" => order == Some(Equal),
        "!=" => order != Some(Equal),
        "<" => order == Some(Less),
        "<=" => matches!(order, Some(Less | Equal)),
        ">" => order == Some(Greater),
        ">=" => matches!(order, Some(Greater | Equal)),
        op => return Err(ExpressionError::Operands(op.into(), "numbers".into())),
    }))
}

fn shifted(op: &str, a: &Computed, b: &Computed) -> Result<Computed, ExpressionError> {
    let wrong = || ExpressionError::NotWhole(op.into());
    let by = as_long(b).ok_or_else(wrong)?;
    Ok(match a {
        Computed::Long(a) => {
            let by = (by & 63) as u32;
            Computed::Long(match op {
                "<<" => a.wrapping_shl(by),
                ">>" => a >> by,
                _ => ((*a as u64) >> by) as i64,
            })
        }
        a => {
            let (a, by) = (as_int(a).ok_or_else(wrong)?, (by & 31) as u32);
            Computed::Int(match op {
                "<<" => a.wrapping_shl(by),
                ">>" => a >> by,
                _ => ((a as u32) >> by) as i32,
            })
        }
    })
}

/// The value of an operator with two operands, except for those that leave one out, and strings put together.
pub fn binary(
    w: &mut dyn ExpressionWorld,
    op: &str,
    a: Computed,
    b: Computed,
) -> Result<Computed, ExpressionError> {
    let equality = matches!(op, "==" | "!=");
    let same = |same: bool| Ok(Computed::Bool(same == (op == "==")));
    if equality {
        match (&a, &b) {
            (Computed::Text(a, _), Computed::Text(b, _)) => return same(a == b),
            (Computed::Null, Computed::Null) => return same(true),
            (
                Computed::Object(..) | Computed::Text(..),
                Computed::Object(..) | Computed::Text(..),
            ) => {
                return same(a.held(w).is_some() && a.held(w) == b.held(w));
            }
            (Computed::Null, Computed::Object(..) | Computed::Text(..))
            | (Computed::Object(..) | Computed::Text(..), Computed::Null) => return same(false),
            _ => {}
        }
    }
    let (a, b) = (unboxed(w, a), unboxed(w, b));
    if let (Computed::Bool(a), Computed::Bool(b)) = (&a, &b) {
        match op {
            "&" => return Ok(Computed::Bool(a & b)),
            "|" => return Ok(Computed::Bool(a | b)),
            "^" | "!=" => return Ok(Computed::Bool(a ^ b)),
            "==" => return Ok(Computed::Bool(a == b)),
            _ => {}
        }
    }
    if matches!(op, "<<" | ">>" | ">>>") {
        return shifted(op, &a, &b);
    }
    match promoted(&a, &b) {
        Some(Promoted::Int(a, b)) => whole!(op, a, b, Computed::Int),
        Some(Promoted::Long(a, b)) => whole!(op, a, b, Computed::Long),
        Some(Promoted::Float(a, b)) => real!(op, a, b, Computed::Float),
        Some(Promoted::Double(a, b)) => real!(op, a, b, Computed::Double),
        None => Err(ExpressionError::Operands(
            op.into(),
            format!("{} and {}", kind(&a), kind(&b)),
        )),
    }
}
