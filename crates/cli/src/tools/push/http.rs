//! One HTTP request (RFC 9112) over a plain connection: a body is posted, the status and what a server says come back.

use super::error::{PushError, UrlError};
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// Of an answer so much is read: a status and a few words.
const LONGEST: usize = 64 * 1024;

/// Where to: `http://HOST[:PORT][/BASE]`, or `https`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Url {
    /// Is it `https`?
    pub secure: bool,
    /// As `Host` has it.
    authority: String,
    /// Without brackets.
    host: String,
    port: u16,
    /// Without `/` at the end.
    base: String,
}

impl Url {
    /// Reads an address; the error describes the mistake.
    pub fn parse(text: &str) -> Result<Url, UrlError> {
        let Some((scheme, rest)) = text.split_once("://") else {
            return Err(UrlError::NoScheme);
        };
        let secure = match scheme {
            "http" => false,
            "https" => true,
            other => return Err(UrlError::Scheme(other.into())),
        };
        let (authority, base) = match rest.find('/') {
            Some(at) => rest.split_at(at),
            None => (rest, ""),
        };
        if authority.contains('@') {
            return Err(UrlError::User);
        }
        if rest.chars().any(|c| c.is_whitespace() || c.is_control()) || rest.contains(['?', '#']) {
            return Err(UrlError::Character);
        }
        let (host, port) = match authority.strip_prefix('[') {
            Some(inner) => {
                let (host, rest) = inner.split_once(']').ok_or(UrlError::Bracket)?;
                (host, rest.strip_prefix(':'))
            }
            None => match authority.split_once(':') {
                Some((host, port)) => (host, Some(port)),
                None => (authority, None),
            },
        };
        let port = match port {
            Some(port) => port.parse().map_err(|_| UrlError::Port(port.into()))?,
            None if secure => 443,
            None => 80,
        };
        match host.is_empty() {
            true => Err(UrlError::NoHost),
            false => Ok(Url {
                secure,
                authority: authority.to_owned(),
                host: host.to_owned(),
                port,
                base: base.trim_end_matches('/').to_owned(),
            }),
        }
    }

    /// The whole address of a path below it.
    pub fn text(&self, path: &str) -> String {
        let scheme = if self.secure { "https" } else { "http" };
        format!("{scheme}://{}{}{path}", self.authority, self.base)
    }
}

/// The request to send.
pub struct HttpRequest<'a> {
    /// Below the address's own path, with a query.
    pub path: String,
    pub content_type: String,
    /// More header lines: names and values.
    pub headers: &'a [(String, String)],
    pub body: Vec<u8>,
}

/// What a server said: its status, and the beginning of what followed.
#[derive(Debug)]
pub struct HttpResponse {
    pub status: u16,
    pub text: String,
}

/// Posts a request. It has ended, one way or the other, after `limit`.
pub fn post(
    url: &Url,
    request: &HttpRequest<'_>,
    limit: Duration,
) -> Result<HttpResponse, PushError> {
    let deadline = Instant::now() + limit;
    let left = || {
        let left = deadline.saturating_duration_since(Instant::now());
        match left.is_zero() {
            true => Err(PushError::Timeout(limit)),
            false => Ok(left),
        }
    };
    let addresses = (url.host.as_str(), url.port).to_socket_addrs();
    let addresses = addresses.map_err(|e| PushError::Name(url.host.clone(), e))?;
    let mut connected = Err(PushError::NoAddress(url.host.clone()));
    for address in addresses {
        match TcpStream::connect_timeout(&address, left()?) {
            Ok(stream) => {
                connected = Ok(stream);
                break;
            }
            Err(error) => connected = Err(PushError::Connect(address, error)),
        }
    }
    let mut stream = connected?;
    let timed = |error: std::io::Error| match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => PushError::Timeout(limit),
        _ => PushError::Connection(error),
    };
    let mut head = format!(
        "POST {}{} HTTP/1.1\r\nHost: {}\r\nUser-Agent: rjvm/{}\r\nContent-Type: {}\r\nContent-Length: {}\r\n",
        url.base,
        request.path,
        url.authority,
        env!("CARGO_PKG_VERSION"),
        request.content_type,
        request.body.len()
    );
    for (name, value) in request.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("Connection: close\r\n\r\n");
    for mut rest in [head.as_bytes(), &request.body] {
        while !rest.is_empty() {
            stream.set_write_timeout(Some(left()?)).map_err(timed)?;
            match stream.write(rest) {
                Ok(0) => return Err(PushError::Closed),
                Ok(n) => rest = &rest[n..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // A server that refuses may answer before it has read all.
                Err(error) if is_closed(&error) => break,
                Err(error) => return Err(timed(error)),
            }
        }
    }
    let mut answer = Vec::new();
    let mut buffer = [0; 4096];
    while answer.len() < LONGEST {
        stream.set_read_timeout(Some(left()?)).map_err(timed)?;
        match stream.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => answer.extend_from_slice(&buffer[..n]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if is_closed(&error) && !answer.is_empty() => break,
            Err(error) => return Err(timed(error)),
        }
        if whole(&answer) {
            break;
        }
    }
    read(&answer)
}

fn is_closed(error: &std::io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::BrokenPipe | ErrorKind::ConnectionReset
    )
}

/// Has as much come as the answer announced?
fn whole(answer: &[u8]) -> bool {
    let text = String::from_utf8_lossy(answer);
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.trim().parse::<usize>().ok())?
    });
    length.is_some_and(|length| body.len() >= length)
}

fn read(answer: &[u8]) -> Result<HttpResponse, PushError> {
    let text = String::from_utf8_lossy(answer);
    let mut words = text.split_whitespace();
    let version = words.next().unwrap_or("");
    let status = words.next().and_then(|word| word.parse().ok());
    let Some(status) = status.filter(|_| version.starts_with("HTTP/1.")) else {
        return Err(match answer.is_empty() {
            true => PushError::NoResponse,
            false => PushError::NotHttp,
        });
    };
    let body = text.split_once("\r\n\r\n").map_or("", |parts| parts.1);
    Ok(HttpResponse {
        status,
        text: shown(body),
    })
}

/// The beginning of what a server said, on one line.
pub fn shown(body: &str) -> String {
    let shown = body.chars().map(|c| if c.is_control() { ' ' } else { c });
    let shown: String = shown.take(300).collect();
    shown.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_host_and_perhaps_more() {
        let url = |text: &str| Url::parse(text).map(|url| (url.host, url.port, url.base));
        let ok = |host: &str, port, base: &str| Ok((host.to_owned(), port, base.to_owned()));
        assert_eq!(url("http://h"), ok("h", 80, ""));
        assert_eq!(url("http://h:4040/a/b/"), ok("h", 4040, "/a/b"));
        assert_eq!(url("http://[::1]:7070"), ok("::1", 7070, ""));
        assert_eq!(url("https://h/a"), ok("h", 443, "/a"));
        let text = |address: &str| Url::parse(address).unwrap().text("/p?q");
        assert_eq!(text("https://h:1/a/"), "https://h:1/a/p?q");
        assert_eq!(text("http://[::1]"), "http://[::1]/p?q");
        for (wrong, message) in [
            ("h:1", "the address must begin with http://"),
            ("ftp://h", "'ftp' is neither http nor https"),
            ("http://", "the host is missing"),
            ("http://h:99999", "'99999' is not a port"),
            ("http://[::1", "']' is missing"),
            ("http://u:p@h", "put names and passwords into a --header"),
            ("http://h/a?b", "blanks, '?' and '#'"),
        ] {
            let error = url(wrong).unwrap_err().to_string();
            assert!(error.starts_with(message), "{wrong}: {error}");
        }
    }

    #[test]
    fn answers_are_read_as_far_as_they_go() {
        let answer = read(b"HTTP/1.1 422 No\r\nContent-Length: 9\r\n\r\nbad\nname!").unwrap();
        assert_eq!((answer.status, &*answer.text), (422, "bad name!"));
        assert!(
            read(b"")
                .unwrap_err()
                .to_string()
                .contains("without a response")
        );
        assert_eq!(
            read(b"SSH-2.0\r\n").unwrap_err().to_string(),
            "the response is not HTTP"
        );
        assert!(whole(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"));
        assert!(!whole(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\no"));
    }
}
