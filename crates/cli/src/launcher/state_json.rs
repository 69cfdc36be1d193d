//! A stopped VM as JSON.

use crate::tools::Json;
use rjvm_vm::inspect::{FrameInfo, InspectedValue, Local, Object, ObjectContents, Thread, VmState};

/// The state, and where that is, in words.
pub fn of(state: &VmState, labels: &[&str]) -> Json {
    Json::Object(vec![
        ("bytecodes", number(state.bytecodes)),
        ("at", list(labels, |l| (*l).into())),
        ("threads", list(&state.threads, thread)),
        ("objects", list(&state.objects, object)),
    ])
}

fn list<T>(items: &[T], f: impl Fn(&T) -> Json) -> Json {
    Json::List(items.iter().map(f).collect())
}

fn number(n: i64) -> Json {
    Json::Number(n.into())
}

fn text(s: &Option<String>) -> Json {
    s.as_deref().map_or(Json::Null, Json::from)
}

fn thread(t: &Thread) -> Json {
    let waits = t.waits_for.as_ref().map_or(Json::Null, |w| {
        Json::Object(vec![
            ("what", w.what.as_str().into()),
            ("object", w.object.map_or(Json::Null, value)),
            ("owner", text(&w.owner)),
            ("until_ns", w.until.map_or(Json::Null, number)),
        ])
    });
    Json::Object(vec![
        ("name", t.name.as_str().into()),
        ("id", t.tid.map_or(Json::Null, number)),
        ("daemon", Json::Bool(t.daemon)),
        ("runs_next", Json::Bool(t.current)),
        ("state", t.state.into()),
        ("bytecodes", number(t.executed)),
        ("waits_for", waits),
        ("holds", list(&t.holds, |v| value(*v))),
        ("frames", list(&t.frames, frame)),
        ("frames_left_out", Json::Number(t.left_out as i128)),
    ])
}

fn frame(f: &FrameInfo) -> Json {
    let small = |n: Option<u16>| n.map_or(Json::Null, |n| Json::Number(n.into()));
    Json::Object(vec![
        ("class", f.class.as_str().into()),
        ("method", f.method.as_str().into()),
        ("descriptor", f.descriptor.as_str().into()),
        ("file", text(&f.file)),
        ("line", small(f.line)),
        ("native", Json::Bool(f.native)),
        ("index", small(f.bci)),
        ("instruction", text(&f.instruction)),
        ("is_next", Json::Bool(f.next)),
        ("locals", list(&f.locals, local)),
        ("operands", list(&f.stack, |v| value(*v))),
        ("synchronized_on", f.locked.map_or(Json::Null, value)),
    ])
}

fn local(l: &Local) -> Json {
    let mut members = vec![
        ("slot", Json::Number(l.slot.into())),
        ("name", text(&l.name)),
    ];
    members.extend(typed(l.value));
    Json::Object(members)
}

fn value(v: InspectedValue) -> Json {
    Json::Object(typed(v))
}

fn typed(v: InspectedValue) -> Vec<(&'static str, Json)> {
    let (kind, value) = match v {
        InspectedValue::Unset => ("unset", None),
        InspectedValue::Null => ("null", None),
        InspectedValue::Boolean(v) => ("boolean", Some(Json::Bool(v))),
        InspectedValue::Byte(v) => ("byte", Some(number(v.into()))),
        InspectedValue::Short(v) => ("short", Some(number(v.into()))),
        InspectedValue::Char(v) => ("char", Some(number(v.into()))),
        InspectedValue::Int(v) => ("int", Some(number(v.into()))),
        InspectedValue::Long(v) => ("long", Some(number(v))),
        InspectedValue::Float(v) => ("float", Some(real(v.into()))),
        InspectedValue::Double(v) => ("double", Some(real(v))),
        InspectedValue::ReturnAddress(v) => ("returnAddress", Some(number(v.into()))),
        InspectedValue::Object(n) => ("object", Some(Json::Number(n as i128))),
    };
    let mut members = vec![("type", Json::from(kind))];
    members.extend(value.map(|v| ("value", v)));
    members
}

/// JSON has no other than finite numbers: the others are strings.
fn real(v: f64) -> Json {
    match v.is_finite() {
        true => Json::Real(v),
        false => Json::Text(v.to_string()),
    }
}

fn object(o: &Object) -> Json {
    let mut members = vec![("class", Json::from(o.class.as_str()))];
    if let Some(length) = o.length {
        members.push(("length", Json::Number(length as i128)));
    }
    match &o.contents {
        ObjectContents::Deferred => {}
        ObjectContents::Text(text, whole) => {
            members.push(("text", text.as_str().into()));
            let whole = whole.map(|n| ("characters", Json::Number(n as i128)));
            members.extend(whole);
        }
        ObjectContents::Boxed(v) => members.push(("boxed", value(*v))),
        ObjectContents::Class(of) => members.push(("of", of.as_str().into())),
        ObjectContents::Elements(e) => members.push(("elements", list(e, |v| value(*v)))),
        ObjectContents::Fields(fields, more) => {
            let field = |(name, v): &(String, InspectedValue)| {
                let mut members = vec![("name", Json::from(name.as_str()))];
                members.extend(typed(*v));
                Json::Object(members)
            };
            members.push(("fields", list(fields, field)));
            members.push(("fields_left_out", Json::Number(*more as i128)));
        }
    }
    Json::Object(members)
}
