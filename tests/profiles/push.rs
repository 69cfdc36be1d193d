//! `rjvm profile push`: the requests that a server on loopback gets, and the messages when it refuses them.

use crate::common;
use crate::common::run::{Outcome, Run, vm};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

/// A request, as it came.
struct Got {
    line: String,
    headers: Vec<String>,
    body: Vec<u8>,
}

impl Got {
    fn has(&self, header: &str) -> bool {
        self.headers.iter().any(|h| h.eq_ignore_ascii_case(header))
    }
}

/// Takes one request and answers it; where it listens, and what comes.
fn server(answer: &'static str) -> (String, thread::JoinHandle<Got>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    let taken = thread::spawn(move || {
        let (client, _) = listener.accept().expect("somebody comes");
        let mut reader = BufReader::new(&client);
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).expect("a line");
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let length = lines.iter().find_map(|l| {
            let (name, value) = l.split_once(": ")?;
            name.eq_ignore_ascii_case("content-length")
                .then(|| value.parse().ok())?
        });
        let mut body = vec![0; length.expect("a length")];
        reader.read_exact(&mut body).expect("the body");
        (&client).write_all(answer.as_bytes()).expect("it listens");
        Got {
            line: lines.remove(0),
            headers: lines,
            body,
        }
    });
    (address, taken)
}

fn profile(name: &str) -> PathBuf {
    let options = ["--profile=exact", "--allocations", "--quiet", "-o", "x.rjp"];
    let (got, dir) = common::example("Recursion", &format!("push-of-{name}"), &options);
    assert_eq!(got.exit, 0, "{}", got.err());
    dir.join("x.rjp")
}

fn push(name: &str, url: &str, file: &Path, options: &[&str]) -> Outcome {
    let run = Run::new(&vm(), &format!("push-{name}"));
    let run = run.args(["profile", "push", url]).arg(file);
    run.args(options.iter().copied()).finish()
}

const TAKEN: &str = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";

#[test]
fn pyroscope_gets_a_form_with_the_profile_and_its_units() {
    let file = profile("pyroscope");
    let (url, taken) = server(TAKEN);
    let options = [
        "--name=shop",
        "--label=commit=3f1c2ab",
        "--label=why=a=\"b {c\"",
        "--time=1700000000",
        "--header=Authorization: Bearer x",
    ];
    let got = push("pyroscope", &url, &file, &options);
    assert_eq!((got.exit, got.err()), (0, String::new()));
    assert!(got.out().ends_with(" bytes as shop\n"), "{}", got.out());
    let request = taken.join().expect("a request");
    assert_eq!(
        request.line,
        "POST /ingest?name=shop%7Bcommit%3D3f1c2ab%2Cwhy%3Da%3D%22b%20%7Bc%22%7D&from=1700000000&until=1700000001&format=pprof&spyName=rjvm HTTP/1.1"
    );
    assert!(request.has("Authorization: Bearer x"));
    let form = "Content-Type: multipart/form-data; boundary=rjvm-profile";
    assert!(request.has(form), "{:?}", request.headers);
    let text = String::from_utf8_lossy(&request.body);
    for part in [
        "name=\"profile\"; filename=\"profile.pb.gz\"",
        "\"bytecodes\":{\"units\":\"count\",\"display-name\":\"bytecodes\"",
        "\"alloc_space\":{\"units\":\"bytes\"",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(
        request.body.windows(3).any(|w| w == [0x1f, 0x8b, 8]),
        "gzip"
    );
    assert!(text.ends_with("\r\n--rjvm-profile--\r\n"));
}

#[test]
fn parca_gets_series_with_labels() {
    let file = profile("parca");
    let (url, taken) = server(TAKEN);
    let base = format!("{url}/base/");
    let got = push("parca", &base, &file, &["--to=parca", "--label=zone=a\"b"]);
    assert_eq!((got.exit, got.err()), (0, String::new()));
    let request = taken.join().expect("a request");
    assert_eq!(request.line, "POST /base/profiles/writeraw HTTP/1.1");
    let json: serde_json::Value = serde_json::from_slice(&request.body).expect("JSON");
    let labels = &json["series"][0]["labels"]["labels"];
    assert_eq!(labels[0]["value"], "bytecodes");
    assert_eq!(labels[1]["value"], "Recursion");
    assert_eq!(
        (&labels[2]["name"], &labels[2]["value"]),
        (&"zone".into(), &"a\"b".into())
    );
    let raw = json["series"][0]["samples"][0]["rawProfile"].as_str();
    assert!(raw.is_some_and(|r| r.starts_with("H4sI") && r.len() % 4 == 0));
}

#[test]
fn what_goes_wrong_is_reported() {
    let file = profile("wrong");
    let (url, taken) = server("HTTP/1.1 401 Unauthorized\r\nContent-Length: 8\r\n\r\nno token");
    let got = push("refused", &url, &file, &[]);
    assert_eq!(got.exit, 1);
    assert!(
        got.err().contains("with status 401: no token"),
        "{}",
        got.err()
    );
    taken.join().expect("a request");
    // nobody is there any more
    let got = push("nobody", &url, &file, &[]);
    assert_eq!(got.exit, 1);
    assert!(got.err().contains("refused"), "{}", got.err());
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let silent = format!("http://{}", listener.local_addr().expect("an address"));
    let got = push("silent", &silent, &file, &["--timeout=1"]);
    assert_eq!(got.exit, 1);
    assert!(got.err().contains(&silent), "{}", got.err());
    for (url, option, why) in [
        ("ftp://localhost", "--to=parca", "neither http nor https"),
        ("localhost:1", "--to=parca", "localhost:1"),
        (
            "http://localhost:1",
            "--label=1x=2",
            "a name, '=' and a value",
        ),
        (
            "http://localhost:1",
            "--header=x",
            "a name, ':' and a value",
        ),
        (
            "http://localhost:1",
            "--label=zone=a,host=b",
            "--label=zone=a,host=b: Pyroscope does not support ',' there",
        ),
        (
            "http://localhost:1",
            "--label=zone={a}",
            "does not support '}' there",
        ),
        (
            "http://localhost:1",
            "--name=shop{a=b}",
            "does not support '{' there",
        ),
    ] {
        let got = push("wrong", url, &file, &[option]);
        assert_eq!(got.exit, 1, "{url} {option}");
        assert!(got.err().contains(why), "{}", got.err());
    }
}

/// Over TLS: the JDK's server, with a self-made certificate.
#[test]
fn https_is_spoken_by_curl() {
    let file = profile("https");
    let url = "https://127.0.0.1:1";
    let without = |name: &str| {
        let run = Run::new(&vm(), name).env("PATH", "");
        run.args(["profile", "push", url]).arg(&file).finish()
    };
    let got = without("push-https-no-curl");
    assert_eq!(got.exit, 1);
    let why = "https requires the program curl, which is not on the PATH";
    assert!(got.err().contains(why), "{}", got.err());
    if !Command::new("curl")
        .arg("--version")
        .output()
        .is_ok_and(|o| o.status.success())
    {
        common::not_checked("curl is not installed");
        return;
    }
    let dir = common::work_dir().join("push-https");
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).expect("the work folder can be made");
    let keytool = |args: &[&str]| {
        let mut command = Command::new(common::jdk::tool("keytool"));
        let store = [
            "-keystore",
            "keys.p12",
            "-storepass",
            "secret",
            "-alias",
            "a",
        ];
        let output = command.current_dir(&dir).args(args).args(store).output();
        let output = output.expect("keytool starts");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stdout)
        );
    };
    let names = ["-dname", "CN=localhost", "-ext", "SAN=ip:127.0.0.1"];
    keytool(
        &[
            &["-genkeypair", "-keyalg", "EC", "-validity", "3"][..],
            &names,
        ]
        .concat(),
    );
    keytool(&["-exportcert", "-rfc", "-file", "a.pem"]);
    let mut server = Command::new(common::jdk::tool("java"))
        .arg(common::tests_dir().join("profiles/push/Https.java"))
        .args([&dir.join("keys.p12").display().to_string(), "secret"])
        .stdout(Stdio::piped())
        .stdin(Stdio::piped())
        .spawn()
        .expect("java starts");
    let mut message = BufReader::new(server.stdout.take().expect("its output"));
    let mut line = || {
        let mut line = String::new();
        message.read_line(&mut line).expect("a line");
        line.trim_end().to_owned()
    };
    let url = line();
    let to = |name: &str, ca: &Path, path: &str| {
        let run = Run::new(&vm(), &format!("push-https-{name}"));
        let run = run.env("CURL_CA_BUNDLE", ca).env("HOME", &dir);
        let run = run
            .args(["profile", "push", &format!("{url}{path}")])
            .arg(&file);
        run.args(["--name=shop", "--time=5", "--header=X-Key: \"a\\b\""])
            .finish()
    };
    let got = to("trusted", &dir.join("a.pem"), "/taken");
    assert_eq!((got.exit, got.err()), (0, String::new()));
    let query = "name=shop&from=5&until=6&format=pprof&spyName=rjvm";
    assert_eq!(line(), format!("POST /taken/ingest?{query}"));
    assert_eq!(line(), "X-Key: \"a\\b\"");
    assert_eq!(
        line(),
        "Content-Type: multipart/form-data; boundary=rjvm-profile"
    );
    // A form of one part and another: its beginning and its end.
    assert_eq!(line(), "--rjvm-profile ... --rjvm-profile--");
    let got = to("refused", &dir.join("a.pem"), "/refused");
    assert_eq!(got.exit, 1);
    assert!(
        got.err().contains("with status 403: not you"),
        "{}",
        got.err()
    );
    let others = to("other", Path::new("/dev/null"), "/taken");
    assert_eq!(others.exit, 1);
    assert!(others.err().contains("certificate"), "{}", others.err());
    drop(server.stdin.take());
    assert!(server.wait().expect("it ends").success());
}
