//! `rjvm profile push`: profiles to servers that keep them, Pyroscope and Parca, in pprof's format.

mod curl;
mod error;
mod http;

use super::{ToolProblem, input};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use http::{HttpRequest, Url};
use rjvm_profiler::export::{JsonString, pprof};
use rjvm_profiler::{Kind, Profile};
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The command line.
pub fn command() -> Command {
    input::with_view(
        Command::new("push")
            .about("Sends profiles to a profile server: Pyroscope, Parca")
            .arg(
                Arg::new("URL")
                    .help("The server: http://HOST[:PORT][/BASE]; https:// requires the program curl")
                    .required(true),
            )
            .arg(
                Arg::new("FILE")
                    .help("Profiles, as .rjp or .paths")
                    .required(true)
                    .num_args(1..)
                    .value_parser(value_parser!(PathBuf)),
            )
            .arg(
                input::choice("to", &["pyroscope", "parca"])
                    .help("Interface of the server: Pyroscope's /ingest, or Parca's /profiles/writeraw")
                    .default_value("pyroscope"),
            )
            .arg(
                Arg::new("name")
                    .long("name")
                    .help("Name of the application on the server; default: the program"),
            )
            .arg(
                Arg::new("label")
                    .long("label")
                    .value_name("NAME=VALUE")
                    .help("A label of the profiles; may be repeated")
                    .action(ArgAction::Append),
            )
            .arg(
                Arg::new("header")
                    .long("header")
                    .value_name("NAME: VALUE")
                    .help("A header line of the request, such as 'Authorization: Bearer ...'; may be repeated")
                    .action(ArgAction::Append),
            )
            .arg(
                Arg::new("time")
                    .long("time")
                    .value_name("SECONDS")
                    .help("Time of the profiles, in seconds since 1970; default: now")
                    .value_parser(value_parser!(u64)),
            )
            .arg(
                Arg::new("timeout")
                    .long("timeout")
                    .value_name("SECONDS")
                    .help("Time limit for each request")
                    .default_value("30")
                    .value_parser(value_parser!(u64).range(1..=3600)),
            ),
    )
}

/// Sends the profiles, one by one; the first that is refused ends it.
pub fn run(matches: &ArgMatches, out: &mut dyn Write) -> Result<i32, ToolProblem> {
    let address = matches.get_one::<String>("URL").map_or("", String::as_str);
    let url = Url::parse(address).map_err(|e| ToolProblem::Message(format!("{address}: {e}")))?;
    let labels = pairs(matches, "label", '=', is_label)?;
    let headers = pairs(matches, "header", ':', is_token)?;
    let limit = Duration::from_secs(matches.get_one("timeout").copied().unwrap_or(30));
    let parca = input::chosen(matches, "to") == "parca";
    if !parca {
        for (name, value) in &labels {
            can_be_written(value, &[',', '}'], &format!("--label={name}={value}"))?;
        }
    }
    for file in matches.get_many::<PathBuf>("FILE").unwrap_or_default() {
        let profile = input::shown(input::profile(file)?, matches)?;
        let name = matches.get_one::<String>("name").cloned();
        let name = name.or_else(|| profile.program().map(str::to_owned));
        let name = name.unwrap_or_else(|| "rjvm".into());
        if !parca {
            can_be_written(&name, &['{'], &format!("the name {name}"))?;
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |since| since.as_secs());
        let time = matches.get_one("time").copied().unwrap_or(now);
        let mut body = Vec::new();
        pprof::write_at(&profile, time.saturating_mul(1_000_000_000), &mut body)?;
        let bytes = body.len();
        let (path, content_type, body) = match parca {
            true => to_parca(&profile, &name, &labels, &body),
            false => to_pyroscope(&profile, &name, &labels, time, &body),
        };
        let request = HttpRequest {
            path,
            content_type,
            headers: &headers,
            body,
        };
        let answer = match url.secure {
            true => curl::post(&url, &request, limit),
            false => http::post(&url, &request, limit),
        };
        let answer = answer.map_err(|e| ToolProblem::Message(format!("{address}: {e}")))?;
        if !(200..300).contains(&answer.status) {
            let (file, status) = (file.display(), answer.status);
            let what = match answer.text.is_empty() {
                true => String::new(),
                false => format!(": {}", answer.text),
            };
            return Err(ToolProblem::Message(format!(
                "{address}: the server refused {file} with status {status}{what}"
            )));
        }
        writeln!(out, "{}: {bytes} bytes as {name}", file.display())?;
    }
    Ok(0)
}

/// Names and values of an option that may be repeated.
fn pairs(
    matches: &ArgMatches,
    option: &str,
    separator: char,
    is_name: fn(&str) -> bool,
) -> Result<Vec<(String, String)>, ToolProblem> {
    let all = matches.get_many::<String>(option).unwrap_or_default();
    all.map(|text| {
        let pair = text.split_once(separator);
        let pair = pair.map(|(name, value)| (name.trim(), value.trim()));
        match pair {
            Some((name, value)) if is_name(name) && !value.chars().any(char::is_control) => {
                Ok((name.to_owned(), value.to_owned()))
            }
            _ => Err(ToolProblem::Message(format!(
                "--{option}={}: expected a name, '{separator}' and a value",
                text.escape_default()
            ))),
        }
    })
    .collect()
}

/// Pyroscope's `NAME{LABEL=VALUE,...}` has no way to write the characters that end its parts: it would take other labels.
fn can_be_written(text: &str, ends: &[char], what: &str) -> Result<(), ToolProblem> {
    match text.find(ends).and_then(|at| text[at..].chars().next()) {
        None => Ok(()),
        Some(end) => Err(ToolProblem::Message(format!(
            "{what}: Pyroscope does not support '{end}' there; Parca does (--to=parca)"
        ))),
    }
}

/// A label's name: letters, digits, `_` and `.`, no digit first.
fn is_label(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    !name.is_empty() && !name.starts_with(|c: char| c.is_ascii_digit()) && name.chars().all(letter)
}

/// A header's name (RFC 9110, 5.6.2).
fn is_token(name: &str) -> bool {
    let letter = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    !name.is_empty() && name.chars().all(letter)
}

/// Path, type of content, content.
type Content = (String, String, Vec<u8>);

fn to_pyroscope(
    profile: &Profile,
    name: &str,
    labels: &[(String, String)],
    time: u64,
    pprof: &[u8],
) -> Content {
    let labels: Vec<String> = labels.iter().map(|(n, v)| format!("{n}={v}")).collect();
    let name = match labels.is_empty() {
        true => name.to_owned(),
        false => format!("{name}{{{}}}", labels.join(",")),
    };
    let path = format!(
        "/ingest?name={}&from={time}&until={}&format=pprof&spyName=rjvm",
        escaped(&name),
        time.saturating_add(1)
    );
    // Which of the profile's values are stored, and in what units.
    let calls = match profile.kind {
        Kind::Exact => "calls",
        Kind::Samples => "samples",
    };
    let cost = match profile.unit() {
        "bytecodes" => ("bytecodes", "count"),
        unit => ("cost", unit),
    };
    let mut types = vec![cost, (calls, "count")];
    if profile.has_allocations() {
        types.extend([("alloc_objects", "count"), ("alloc_space", "bytes")]);
    }
    let types: Vec<String> = types
        .iter()
        .map(|(name, unit)| {
            let (name, unit) = (JsonString(name).to_string(), JsonString(unit).to_string());
            format!("{name}:{{\"units\":{unit},\"display-name\":{name},\"aggregation\":\"sum\",\"sampled\":false}}")
        })
        .collect();
    let config = format!("{{{}}}", types.join(","));
    // What is between the parts of a form must be in none of them.
    let mut boundary = String::from("rjvm-profile");
    while pprof
        .windows(boundary.len())
        .any(|w| w == boundary.as_bytes())
        || config.contains(&boundary)
    {
        boundary.push('-');
    }
    let mut body = Vec::new();
    let mut part = |field: &str, file: &str, content: &[u8]| {
        let head = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"{file}\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    };
    part("profile", "profile.pb.gz", pprof);
    part(
        "sample_type_config",
        "sample_type_config.json",
        config.as_bytes(),
    );
    body.extend_from_slice(format!("--{boundary}--\r\n").as_bytes());
    let content_type = format!("multipart/form-data; boundary={boundary}");
    (path, content_type, body)
}

fn to_parca(profile: &Profile, name: &str, labels: &[(String, String)], pprof: &[u8]) -> Content {
    let kind = match profile.unit() {
        "bytecodes" => "bytecodes",
        _ => "cost",
    };
    let own = [("__name__", kind), ("job", name)];
    let labels = labels.iter().map(|(n, v)| (n.as_str(), v.as_str()));
    let labels: Vec<String> = own
        .into_iter()
        .chain(labels)
        .map(|(n, v)| format!("{{\"name\":{},\"value\":{}}}", JsonString(n), JsonString(v)))
        .collect();
    let body = format!(
        "{{\"series\":[{{\"labels\":{{\"labels\":[{}]}},\"samples\":[{{\"rawProfile\":\"{}\"}}]}}],\"normalized\":false}}",
        labels.join(","),
        base64(pprof)
    );
    let path = "/profiles/writeraw".into();
    (path, "application/json".into(), body.into_bytes())
}

/// A value in a query.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            true => out.push(byte.into()),
            false => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}

/// RFC 4648, section 4.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let number = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = number(0) << 16 | number(1) << 8 | number(2);
        for at in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * at) & 63) as usize];
            out.push(if at <= three.len() {
                letter.into()
            } else {
                '='
            });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_encoded_as_the_standards_say() {
        for (text, code) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
        ] {
            assert_eq!(base64(text.as_bytes()), code);
        }
        assert_eq!(base64(&[0xfb, 0xff]), "+/8=");
        assert_eq!(escaped("a.b{c=d e}/ü"), "a.b%7Bc%3Dd%20e%7D%2F%C3%BC");
    }
}
