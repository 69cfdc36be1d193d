//! The same request over TLS, by the program `curl`: certificates, proxies and what a site asks of them are its business.

use super::error::PushError;
use super::http::{HttpRequest, HttpResponse, Url, shown};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Of an answer so much is read: a status and a few words.
const LONGEST: u64 = 64 * 1024;

/// Posts a request. Headers may be secret: no argument of a process reports them.
pub fn post(
    url: &Url,
    request: &HttpRequest<'_>,
    limit: Duration,
) -> Result<HttpResponse, PushError> {
    let body = PrivateFile::new(&request.body).map_err(PushError::File)?;
    let mut settings = vec![
        ("url", url.text(&request.path)),
        ("header", format!("Content-Type: {}", request.content_type)),
        // a small server may not know what else would come
        ("header", "Expect:".into()),
        ("user-agent", format!("rjvm/{}", env!("CARGO_PKG_VERSION"))),
        ("data-binary", format!("@{}", body.path.display())),
        ("max-time", limit.as_secs_f64().to_string()),
        // what is printed after the answer
        ("write-out", "\\n%{http_code}".into()),
    ];
    for (name, value) in request.headers {
        settings.push(("header", format!("{name}: {value}")));
    }
    let mut config = String::from("silent\nshow-error\ngloboff\n");
    for (name, value) in settings {
        config.push_str(&format!("{name} = {}\n", quoted(name, &value)));
    }
    let started = Command::new("curl")
        .args(["--config", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = started.map_err(|error| match error.kind() {
        ErrorKind::NotFound => PushError::NoCurl,
        _ => PushError::Curl(error),
    })?;
    // Whether it has read all that is seen from what it says.
    if let Some(mut input) = child.stdin.take() {
        let _ = input.write_all(config.as_bytes());
    }
    let answer = answer(&mut child, limit);
    let _ = child.kill();
    let _ = child.wait();
    answer
}

/// What curl says.
fn answer(child: &mut Child, limit: Duration) -> Result<HttpResponse, PushError> {
    let text = |stream: Option<&mut dyn Read>| {
        let mut bytes = Vec::new();
        if let Some(stream) = stream {
            let _ = stream.take(LONGEST).read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    };
    let out = text(child.stdout.as_mut().map(|s| s as &mut dyn Read));
    if out.len() as u64 >= LONGEST {
        return Err(PushError::Incomplete);
    }
    let message = text(child.stderr.as_mut().map(|s| s as &mut dyn Read));
    let status = child.wait().map_err(PushError::Curl)?;
    // Of its exit codes that of a time limit.
    if status.code() == Some(28) {
        return Err(PushError::Timeout(limit));
    }
    if !status.success() {
        let line = message.lines().next().unwrap_or("curl fails");
        return Err(PushError::CurlFailed(line.to_owned()));
    }
    let (body, code) = out.rsplit_once('\n').unwrap_or(("", &out));
    let code = code.trim().parse().map_err(|_| PushError::NoStatus)?;
    Ok(HttpResponse {
        status: code,
        text: shown(body),
    })
}

/// A value in a file of curl's options. That of `write-out` has escapes already.
fn quoted(name: &str, value: &str) -> String {
    match name {
        "write-out" => format!("\"{value}\""),
        _ => format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"")),
    }
}

/// A file that is there as long as this is, for the user's eyes alone.
struct PrivateFile {
    path: PathBuf,
}

impl PrivateFile {
    fn new(content: &[u8]) -> std::io::Result<PrivateFile> {
        let folder = std::env::temp_dir();
        let (mut file, kept) = (0..1_000)
            .find_map(|n| {
                let path = folder.join(format!("rjvm-push-{}-{n}", std::process::id()));
                match create(&path) {
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => None,
                    other => Some(other.map(|file| (file, PrivateFile { path }))),
                }
            })
            .unwrap_or_else(|| Err(ErrorKind::AlreadyExists.into()))?;
        file.write_all(content)?;
        Ok(kept)
    }
}

impl Drop for PrivateFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.path);
    }
}

/// A new file; none that is there, and none behind a link.
fn create(path: &std::path::Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_quoted() {
        assert_eq!(quoted("header", "A: \"b\\c\""), r#""A: \"b\\c\"""#);
        assert_eq!(quoted("write-out", "\\n%{x}"), r#""\n%{x}""#);
    }

    #[test]
    fn files_go_with_what_keeps_them() {
        let (one, two) = (
            PrivateFile::new(b"a").unwrap(),
            PrivateFile::new(b"b").unwrap(),
        );
        assert_ne!(one.path, two.path);
        assert_eq!(std::fs::read(&two.path).unwrap(), b"b");
        let path = one.path.clone();
        drop(one);
        assert!(!path.exists());
    }
}
