//! Messages on the wire: a header with their length, then JSON (Debug Adapter Protocol, "Base Protocol").

use serde_json::Value;
use thiserror::Error;

/// Bytes of a header.
const MOST_HEADER: usize = 8 << 10;
/// Bytes of a message.
const MOST_MESSAGE: usize = 16 << 20;
/// What ends a header.
const END: &[u8] = b"\r\n\r\n";

/// Why bytes are no header.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum FrameError {
    #[error("a header has more than {MOST_HEADER} bytes")]
    LongHeader,
    #[error("a header is not text")]
    NoText,
    #[error("a line of a header has no colon")]
    NoColon,
    #[error("a header has no Content-Length")]
    NoLength,
    #[error("Content-Length is not a number")]
    NoNumber,
    #[error("a message has more than {MOST_MESSAGE} bytes")]
    LongMessage,
}

/// Takes messages out of a stream of bytes.
#[derive(Default)]
pub struct Unframer(Vec<u8>);

impl Unframer {
    /// Some bytes have come.
    pub fn push(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }
    /// The next message, if all of it has come.
    ///
    /// # Errors
    /// The bytes are no header. Nothing after them can be read.
    pub fn take(&mut self) -> Result<Option<Vec<u8>>, FrameError> {
        let searched = &self.0[..self.0.len().min(MOST_HEADER)];
        let Some(end) = searched.windows(END.len()).position(|w| w == END) else {
            return match self.0.len() >= MOST_HEADER {
                true => Err(FrameError::LongHeader),
                false => Ok(None),
            };
        };
        let length = length(&self.0[..end])?;
        let begin = end + END.len();
        if self.0.len() - begin < length {
            return Ok(None);
        }
        let message = self.0[begin..begin + length].to_vec();
        self.0.drain(..begin + length);
        Ok(Some(message))
    }
}

/// The length of the message after a header.
fn length(header: &[u8]) -> Result<usize, FrameError> {
    let text = std::str::from_utf8(header).map_err(|_| FrameError::NoText)?;
    let mut length = None;
    for line in text.split("\r\n") {
        let (name, value) = line.split_once(':').ok_or(FrameError::NoColon)?;
        if name.trim().eq_ignore_ascii_case("Content-Length") {
            let value = value.trim();
            let plain = value.bytes().all(|b| b.is_ascii_digit());
            let n = value.parse::<usize>().ok().filter(|_| plain);
            length = Some(n.ok_or(FrameError::NoNumber)?);
        }
    }
    let length = length.ok_or(FrameError::NoLength)?;
    match length > MOST_MESSAGE {
        true => Err(FrameError::LongMessage),
        false => Ok(length),
    }
}

/// A message with its header.
pub fn framed(message: &Value) -> Vec<u8> {
    let text = message.to_string();
    format!("Content-Length: {}\r\n\r\n{text}", text.len()).into_bytes()
}

/// A request of the client.
#[derive(Clone, Debug, PartialEq)]
pub struct DapRequest {
    pub seq: i64,
    pub command: String,
    /// An object, or null.
    pub arguments: Value,
}

/// Why a message is no request, and its number if it has one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoRequest {
    pub seq: Option<i64>,
    pub why: String,
}

impl DapRequest {
    /// Reads a message. `None`: it is no request, and needs no answer.
    ///
    /// # Errors
    /// It is malformed.
    pub fn read(message: &[u8]) -> Result<Option<DapRequest>, NoRequest> {
        let wrong = |seq, why: &str| NoRequest {
            seq,
            why: why.into(),
        };
        let value: Value = serde_json::from_slice(message)
            .map_err(|e| wrong(None, &format!("a message is not JSON: {e}")))?;
        let seq = value.get("seq").and_then(Value::as_i64);
        match value.get("type").and_then(Value::as_str) {
            Some("request") => {}
            Some("response" | "event") => return Ok(None),
            _ => return Err(wrong(seq, "a message has no type")),
        }
        let command = value.get("command").and_then(Value::as_str);
        let command = command.ok_or_else(|| wrong(seq, "a request has no command"))?;
        let number = seq.ok_or_else(|| wrong(None, "a request has no seq"))?;
        let arguments = value.get("arguments").cloned().unwrap_or_default();
        if !arguments.is_object() && !arguments.is_null() {
            return Err(wrong(seq, "the arguments of a request are not an object"));
        }
        Ok(Some(DapRequest {
            seq: number,
            command: command.into(),
            arguments,
        }))
    }
    /// A member of the arguments.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.arguments.get(name)?.as_str()
    }
    /// The same.
    pub fn number(&self, name: &str) -> Option<i64> {
        self.arguments.get(name)?.as_i64()
    }
    /// The same, of something that cannot be negative.
    pub fn count(&self, name: &str) -> Option<usize> {
        usize::try_from(self.number(name)?).ok()
    }
    /// The elements of a list.
    pub fn list(&self, name: &str) -> &[Value] {
        let list = self.arguments.get(name).and_then(Value::as_array);
        list.map_or(&[], |l| l)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn all(bytes: &[u8], piece: usize) -> Result<Vec<Vec<u8>>, FrameError> {
        let mut unframer = Unframer::default();
        let mut found = Vec::new();
        for piece in bytes.chunks(piece.max(1)) {
            unframer.push(piece);
            while let Some(message) = unframer.take()? {
                found.push(message);
            }
        }
        Ok(found)
    }

    #[test]
    fn messages_come_in_pieces() {
        let mut bytes = framed(&json!({"seq": 1}));
        bytes.extend(b"content-length:2 \r\nContent-Type: x\r\n\r\n{}Content-Length: 0\r\n\r\n");
        for piece in [1, 2, 7, 1000] {
            let want: [&[u8]; 3] = [b"{\"seq\":1}", b"{}", b""];
            assert_eq!(all(&bytes, piece).expect("three messages"), want);
        }
    }

    #[test]
    fn headers_without_a_length_are_refused() {
        let long = "x".repeat(MOST_HEADER);
        for header in [
            "Content-Length: 99999999999999999999\r\n\r\n",
            "Content-Length: 16777217\r\n\r\n",
            "Content-Length: -1\r\n\r\n",
            "Content-Length: +1\r\n\r\n",
            "Content-Length: \r\n\r\n",
            "Content-Type: x\r\n\r\n",
            "nothing\r\n\r\n",
            "\r\n\r\n",
            &long,
        ] {
            assert!(all(header.as_bytes(), 1000).is_err(), "{header}");
        }
        assert!(all(b"\xff: 1\r\n\r\n", 1000).is_err());
    }

    #[test]
    fn requests_are_read() {
        let read = |text: &str| DapRequest::read(text.as_bytes());
        let request = read(r#"{"seq":3,"type":"request","command":"next","arguments":{"a":1}}"#);
        let request = request.expect("a request").expect("a request");
        assert_eq!((request.seq, &*request.command), (3, "next"));
        assert_eq!((request.number("a"), request.text("a")), (Some(1), None));
        assert_eq!(read(r#"{"seq":3,"type":"event","event":"x"}"#), Ok(None));
        let deep = "[".repeat(10_000);
        for (text, seq) in [
            ("", None),
            ("{", None),
            ("1", None),
            ("[]", None),
            ("{\"seq\":4}", Some(4)),
            ("{\"seq\":4,\"type\":\"request\"}", Some(4)),
            (
                "{\"seq\":\"4\",\"type\":\"request\",\"command\":\"x\"}",
                None,
            ),
            (
                "{\"seq\":4,\"type\":\"request\",\"command\":\"x\",\"arguments\":[]}",
                Some(4),
            ),
            (&*deep, None),
        ] {
            assert_eq!(read(text).expect_err(text).seq, seq, "{text}");
        }
    }
}
