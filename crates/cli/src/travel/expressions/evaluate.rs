//! The value of an expression.

use super::syntax::{Expression, PRIMITIVES, TypeName};
use super::{CallingWorld, Computed, ExpressionError, ExpressionWorld, calls, members, operators};
use rjvm_vm::instruments::ClassView;

/// Characters of a string that an expression puts together.
const LONGEST_TEXT: usize = 1 << 24;
/// Why a call of a `void` method cannot be used.
pub const NO_RESULT: &str = "a method without a result has no value";
/// Elements of an array that an expression makes.
const MOST_ELEMENTS: i32 = 1 << 20;

/// The value of an expression.
///
/// # Errors
/// It has none; why.
pub fn evaluate(w: &mut dyn ExpressionWorld, e: &Expression) -> Result<Computed, ExpressionError> {
    match e {
        Expression::Value(value) => Ok(value.clone()),
        Expression::Name(_) | Expression::Member(..) => match (e.names(), e) {
            (Some(names), _) => members::named(w, &names),
            (None, Expression::Member(of, name)) => {
                let of = evaluate(w, of)?;
                members::member(w, &of, name)
            }
            (None, _) => Err(ExpressionError::Expected("a name")),
        },
        Expression::Element(of, index) => {
            let of = evaluate(w, of)?;
            let index = index_of(w, index)?;
            members::element(w, &of, index)
        }
        Expression::Call(of, name, arguments) => {
            // whoever calls nothing has nothing evaluated either
            w.caller()?;
            calls::call(w, of.as_deref(), name, arguments)
        }
        Expression::New(of, arguments) => {
            w.caller()?;
            calls::make(w, of, arguments)
        }
        Expression::NewArray(of, lengths, elements) => {
            new_array(w, of, lengths, elements.as_deref())
        }
        Expression::Cast(to, of) => {
            let value = evaluate(w, of)?;
            cast(w, to, value)
        }
        Expression::InstanceOf(of, ty) => {
            let value = evaluate(w, of)?;
            let class = members::class_of_type(w, ty)?;
            let class_of = members::class_of(w, &value);
            Ok(Computed::Bool(match class_of {
                Some(of) => members::is_subtype(w.vm(), of, class),
                None if value == Computed::Null => false,
                None => return Err(ExpressionError::Wrong("instanceof needs an object")),
            }))
        }
        Expression::Unary(op, of) => {
            let value = evaluate(w, of)?;
            operators::unary(op, &operators::unboxed(w, value))
        }
        Expression::Binary(op @ ("&&" | "||"), left, right) => {
            let first = truth(w, left)?;
            match first == (*op == "||") {
                true => Ok(Computed::Bool(first)),
                false => truth(w, right).map(Computed::Bool),
            }
        }
        Expression::Binary(op, left, right) => {
            let (a, b) = (evaluate(w, left)?, evaluate(w, right)?);
            let is_text = |v: &Computed| matches!(v, Computed::Text(..));
            if *op == "+" && (is_text(&a) || is_text(&b)) {
                return concatenated(w, &a, &b);
            }
            operators::binary(w, op, a, b)
        }
        Expression::Choice(condition, yes, no) => {
            let branch = if truth(w, condition)? { yes } else { no };
            evaluate(w, branch)
        }
    }
}

/// Whether it is true.
///
/// # Errors
/// As from [`evaluate`].
pub fn is_true(w: &mut dyn ExpressionWorld, e: &Expression) -> Result<bool, ExpressionError> {
    truth(w, e)
}

fn truth(w: &mut dyn ExpressionWorld, e: &Expression) -> Result<bool, ExpressionError> {
    let value = evaluate(w, e)?;
    match operators::unboxed(w, value) {
        Computed::Bool(v) => Ok(v),
        _ => Err(ExpressionError::Expected("something that is true or false")),
    }
}

fn index_of(w: &mut dyn ExpressionWorld, e: &Expression) -> Result<i32, ExpressionError> {
    let value = evaluate(w, e)?;
    match operators::unboxed(w, value) {
        v @ (Computed::Byte(_) | Computed::Short(_) | Computed::Char(_) | Computed::Int(_)) => {
            match operators::to_primitive(&v, b'I') {
                Some(Computed::Int(v)) => Ok(v),
                _ => Err(ExpressionError::Expected("an index")),
            }
        }
        _ => Err(ExpressionError::Wrong("an index or a length is an int")),
    }
}

fn concatenated(
    w: &mut dyn ExpressionWorld,
    a: &Computed,
    b: &Computed,
) -> Result<Computed, ExpressionError> {
    let mut text = calls::string_of(w, a)?;
    text += &calls::string_of(w, b)?;
    match text.len() > LONGEST_TEXT {
        true => Err(ExpressionError::TooMany("a string", LONGEST_TEXT, "bytes")),
        false => Ok(Computed::text_of(text)),
    }
}

fn cast(
    w: &mut dyn ExpressionWorld,
    to: &TypeName,
    value: Computed,
) -> Result<Computed, ExpressionError> {
    let primitive = PRIMITIVES.iter().find(|p| p.0 == to.name);
    if let Some((name, letter)) = primitive.filter(|_| to.dimensions == 0) {
        let value = operators::unboxed(w, value);
        let cast = operators::to_primitive(&value, *letter);
        return cast.ok_or(ExpressionError::NoCast(name));
    }
    let class = members::class_of_type(w, to)?;
    let value = match operators::letter(&value) {
        Some(_) => calls::boxed(w, value)?,
        None => value,
    };
    let Some(of) = members::class_of(w, &value) else {
        return match value {
            Computed::Null => Ok(value),
            _ => Err(ExpressionError::Wrong(NO_RESULT)),
        };
    };
    if !members::is_subtype(w.vm(), of, class) {
        let name = |c| ClassView::new(w.vm(), c).name();
        return Err(ExpressionError::Thrown(format!(
            "java.lang.ClassCastException: {} cannot be cast to {}",
            name(of),
            name(class)
        )));
    }
    Ok(match value {
        Computed::Object(held, _) => Computed::Object(held, Some(class)),
        Computed::Text(text, held) if class == w.vm().known().string => Computed::Text(text, held),
        // a string with another class is an object
        text => {
            let caller = w.caller()?;
            Computed::Object(calls::object_of(caller, &text)?, Some(class))
        }
    })
}

fn new_array(
    w: &mut dyn ExpressionWorld,
    of: &TypeName,
    lengths: &[Expression],
    elements: Option<&[Expression]>,
) -> Result<Computed, ExpressionError> {
    w.caller()?;
    let lengths = { lengths.iter() }.map(|e| index_of(w, e));
    let lengths = lengths.collect::<Result<Vec<i32>, ExpressionError>>()?;
    if let Some(n) = lengths.iter().find(|n| **n < 0) {
        return Err(ExpressionError::Thrown(format!(
            "java.lang.NegativeArraySizeException: {n}"
        )));
    }
    let all = { lengths.iter() }.try_fold(1i32, |all, n| all.checked_mul((*n).max(1)));
    if all.is_none_or(|n| n > MOST_ELEMENTS) {
        return Err(ExpressionError::TooMany(
            "an array",
            MOST_ELEMENTS as usize,
            "elements",
        ));
    }
    let Some(elements) = elements else {
        let caller = w.caller()?;
        let held = calls::new_array(caller, of, &lengths)?;
        return Ok(Computed::Object(held, None));
    };
    let caller = w.caller()?;
    let held = calls::new_array(caller, of, &[elements.len() as i32])?;
    for (i, e) in elements.iter().enumerate() {
        let value = evaluate(w, e)?;
        let caller: &mut dyn CallingWorld = w.caller()?;
        super::store::store_element(caller, held, i, value)?;
    }
    Ok(Computed::Object(held, None))
}
