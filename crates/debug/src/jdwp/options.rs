//! The options of `-agentlib:jdwp=…`.

/// The text of `help`: the options.
pub const HELP: &str = "\
               Java Debugger JDWP Agent Library
               --------------------------------

  (See the \"VM Invocation Options\" section of the JPDA
   \"Connection and Invocation Details\" document for more information.)

jdwp usage: rjvm -agentlib:jdwp=[help]|[<option>=<value>, ...]

Option Name and Value            Description                       Default
---------------------            -----------                       -------
suspend=y|n                      wait on startup?                  y
transport=<name>                 transport spec                    none
address=<listen/attach address>  transport spec                    \"\"
server=y|n                       listen for debugger?              n
launch=<command line>            run debugger on event             none
onthrow=<exception name>         debug on throw                    none
onuncaught=y|n                   debug on any uncaught?            n
timeout=<timeout value>          for listen/attach in milliseconds n
includevirtualthreads=y|n        List of all threads includes virtual threads as well as platform threads.  n
quiet=y|n                        control over terminal messages    n

Examples
--------
  - Using sockets connect to a debugger at a specific address:
    rjvm -agentlib:jdwp=transport=dt_socket,address=localhost:8000 ...
  - Using sockets listen for a debugger to attach:
    rjvm -agentlib:jdwp=transport=dt_socket,server=y,suspend=y ...

Notes
-----
  - A timeout value of 0 (the default) is no timeout.
";

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Only print the help.
    pub help: bool,
    /// The VM listens, instead of calling a debugger.
    pub server: bool,
    /// The program waits for a debugger.
    pub suspend: bool,
    /// Host (none: loopback; `*`: all) and port.
    pub host: Option<String>,
    /// 0: any.
    pub port: u16,
    /// The debugger begins when an exception of this class is thrown.
    pub on_throw: Option<String>,
    /// The debugger begins when a thread ends with an exception.
    pub on_uncaught: bool,
    /// The command to run when it begins, with transport and address as arguments.
    pub launch: Option<String>,
    /// Milliseconds to wait for a debugger; 0: any time.
    pub timeout: u64,
    /// Threads are listed with the virtual ones.
    pub virtual_threads: bool,
    /// Nothing is printed.
    pub quiet: bool,
}

/// Why options are refused, in the words of HotSpot's agent where it has some.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OptionsError {
    /// A part is not `name=value`.
    #[error("JDWP option syntax error: {0}")]
    Syntax(String),
    /// A switch is neither on nor off.
    #[error("JDWP option syntax error: {0}: y or n is expected")]
    Switch(String),
    /// The time limit is not a number.
    #[error("JDWP option syntax error: {0}: milliseconds are expected")]
    Timeout(String),
    /// There is no such option.
    #[error("JDWP unknown option: {0}")]
    Unknown(String),
    /// There is no such transport.
    #[error("unknown JDWP transport {0}: expected dt_socket")]
    Transport(String),
    /// No transport is named.
    #[error("JDWP no transports specified: add transport=dt_socket")]
    NoTransport,
    /// A client without the address of its debugger.
    #[error(
        "JDWP non-server transport dt_socket must have a connection address specified through the 'address=' option"
    )]
    NoAddress,
    /// What to wait for, and no command to launch then.
    #[error(
        "JDWP option syntax error: specify launch=<command line> when using onthrow or onuncaught suboption"
    )]
    NoLaunch,
    /// The address has no port.
    #[error("JDWP invalid port number specified: {0}")]
    Port(String),
}

impl Options {
    /// Reads them.
    ///
    /// # Errors
    /// The mistake.
    pub fn parse(text: &str) -> Result<Options, OptionsError> {
        let mut o = Options {
            help: false,
            server: false,
            suspend: true,
            host: None,
            port: 0,
            on_throw: None,
            on_uncaught: false,
            launch: None,
            timeout: 0,
            virtual_threads: false,
            quiet: false,
        };
        let (mut transport, mut address) = (None, None);
        if text == "help" {
            o.help = true;
            return Ok(o);
        }
        for part in text.split(',').filter(|p| !p.is_empty()) {
            let (name, value) = part
                .split_once('=')
                .ok_or_else(|| OptionsError::Syntax(part.to_owned()))?;
            let flag = || match value {
                "y" => Ok(true),
                "n" => Ok(false),
                _ => Err(OptionsError::Switch(part.to_owned())),
            };
            match name {
                "transport" => transport = Some(value),
                "address" => address = Some(value),
                "server" => o.server = flag()?,
                "suspend" => o.suspend = flag()?,
                "launch" => o.launch = Some(value.into()),
                "onthrow" => o.on_throw = Some(value.replace('.', "/")),
                "onuncaught" => o.on_uncaught = flag()?,
                "includevirtualthreads" => o.virtual_threads = flag()?,
                "quiet" => o.quiet = flag()?,
                "timeout" => {
                    let wrong = |_| OptionsError::Timeout(part.to_owned());
                    o.timeout = value.parse().map_err(wrong)?;
                }
                // what serves to look for faults in the agent itself
                "mutf8" | "stdalloc" | "logflags" | "logfile" | "errorexit" | "coredump"
                | "strict" | "pause" | "allowStartViaJcmd" => {}
                _ => return Err(OptionsError::Unknown(part.to_owned())),
            }
        }
        match transport {
            Some("dt_socket") => {}
            Some(other) => return Err(OptionsError::Transport(other.to_owned())),
            None => return Err(OptionsError::NoTransport),
        }
        if let Some(address) = address {
            o.set_address(address)?;
        } else if !o.server {
            return Err(OptionsError::NoAddress);
        }
        let waits = o.on_throw.is_some() || o.on_uncaught;
        if waits && o.launch.is_none() {
            return Err(OptionsError::NoLaunch);
        }
        Ok(o)
    }
    fn set_address(&mut self, text: &str) -> Result<(), OptionsError> {
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) => (Some(host), port),
            None => (None, text),
        };
        let host = host.map(|h| h.trim_start_matches('[').trim_end_matches(']'));
        self.port = port
            .parse()
            .map_err(|_| OptionsError::Port(text.to_owned()))?;
        self.host = host.filter(|h| !h.is_empty()).map(str::to_owned);
        Ok(())
    }
    /// Where the VM listens or calls.
    pub fn host(&self) -> &str {
        match self.host.as_deref() {
            None | Some("localhost") => "127.0.0.1",
            Some("*") => "0.0.0.0",
            Some(host) => host,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_as_hotspot_reads_them() {
        let o = Options::parse("transport=dt_socket,server=y,suspend=n,address=*:5005").unwrap();
        assert_eq!(
            (o.server, o.suspend, o.host(), o.port),
            (true, false, "0.0.0.0", 5005)
        );
        let o = Options::parse("transport=dt_socket,address=5005").unwrap();
        assert_eq!(
            (o.server, o.suspend, o.host(), o.port),
            (false, true, "127.0.0.1", 5005)
        );
        let o = Options::parse("transport=dt_socket,server=y").unwrap();
        assert_eq!((o.port, o.host()), (0, "127.0.0.1"));
        let o = Options::parse("transport=dt_socket,server=y,address=[::1]:9").unwrap();
        assert_eq!((o.port, o.host()), (9, "::1"));
        assert!(Options::parse("help").unwrap().help);
    }

    #[test]
    fn wrong_options_are_refused() {
        for wrong in [
            "",
            "server=y",
            "transport=dt_shmem,server=y",
            "transport=dt_socket",
            "transport=dt_socket,server=maybe",
            "transport=dt_socket,server=y,address=x",
            "transport=dt_socket,server=y,address=70000",
            "transport=dt_socket,server=y,colour=red",
            "transport=dt_socket,server=y,onuncaught=y",
            "transport=dt_socket,server=y,timeout=soon",
            "nonsense",
        ] {
            assert!(Options::parse(wrong).is_err(), "{wrong}");
        }
    }
}
