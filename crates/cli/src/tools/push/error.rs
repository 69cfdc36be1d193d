//! Why a profile is not pushed.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;
use thiserror::Error;

/// Why a text is no address of a server.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum UrlError {
    /// It has no scheme.
    #[error("the address must begin with http:// or https://")]
    NoScheme,
    /// The scheme is another one.
    #[error("'{0}' is neither http nor https")]
    Scheme(String),
    /// There is a name or password.
    #[error("put names and passwords into a --header")]
    User,
    /// There is a character that no address of a server has.
    #[error("blanks, '?' and '#' are not allowed")]
    Character,
    /// The brackets around an address of IPv6 are open.
    #[error("']' is missing")]
    Bracket,
    /// The port is none.
    #[error("'{0}' is not a port")]
    Port(String),
    /// It has no host.
    #[error("the host is missing")]
    NoHost,
}

/// Why a request has no response.
#[derive(Debug, Error)]
pub enum PushError {
    /// The time is over.
    #[error("no response within {} s", .0.as_secs_f64())]
    Timeout(Duration),
    /// The name of the host is not known.
    #[error("{0}: {1}")]
    Name(String, io::Error),
    /// The name has no address.
    #[error("{0} has no address")]
    NoAddress(String),
    /// There is no connection to this address.
    #[error("{0}: {1}")]
    Connect(SocketAddr, io::Error),
    /// The connection breaks.
    #[error("{0}")]
    Connection(io::Error),
    /// The server has closed the connection before the request was complete.
    #[error("the server has closed the connection")]
    Closed,
    /// The same before the response.
    #[error("the server has closed the connection without a response")]
    NoResponse,
    /// The response is of another protocol.
    #[error("the response is not HTTP")]
    NotHttp,
    /// It is cut.
    #[error("the response is incomplete")]
    Incomplete,
    /// The request cannot be left in a file for curl.
    #[error("no temporary file: {0}")]
    File(io::Error),
    /// There is no curl.
    #[error(
        "https requires the program curl, which is not on the PATH: install it, or push by http to a proxy on this machine"
    )]
    NoCurl,
    /// It cannot be run.
    #[error("curl: {0}")]
    Curl(io::Error),
    /// It has failed, with this message.
    #[error("{0}")]
    CurlFailed(String),
    /// It reports no status.
    #[error("curl reports no status")]
    NoStatus,
}
