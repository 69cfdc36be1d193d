//! Input at the port of a debugger does no harm: bytes that are not packets, and a client that sends nothing.
#![cfg(unix)]

use crate::common::debuggee::{Debuggee, PATIENCE};
use crate::common::jdk;
use crate::common::run::vm;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Bytes that look random, the same each time.
fn noise(seed: u64) -> impl Iterator<Item = u8> {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    std::iter::from_fn(move || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        Some((x >> 24) as u8)
    })
}

fn connect(port: u16) -> TcpStream {
    let begin = Instant::now();
    loop {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a socket");
        let mut word = [0; 14];
        // one that is still busy with the last connection closes this one
        if stream.write_all(b"JDWP-Handshake").is_ok() && stream.read_exact(&mut word).is_ok() {
            assert_eq!(&word, b"JDWP-Handshake");
            return stream;
        }
        assert!(begin.elapsed() < PATIENCE, "nobody answers");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn packet(id: u32, set: u8, number: u8, data: &[u8]) -> Vec<u8> {
    let mut all = ((11 + data.len()) as u32).to_be_bytes().to_vec();
    all.extend(id.to_be_bytes());
    all.extend([0, set, number]);
    all.extend(data);
    all
}

/// The error of the reply to a packet; events are passed over.
fn error_of(stream: &mut TcpStream, id: u32) -> Option<u16> {
    loop {
        let mut header = [0; 11];
        stream.read_exact(&mut header).ok()?;
        let length = u32::from_be_bytes([header[0], header[1], header[2], header[3]]);
        let mut rest = vec![0; length as usize - 11];
        stream.read_exact(&mut rest).ok()?;
        let answers = u32::from_be_bytes([header[4], header[5], header[6], header[7]]);
        if header[8] == 0x80 && answers == id {
            return Some(u16::from_be_bytes([header[9], header[10]]));
        }
    }
}

#[test]
fn bytes_that_are_no_packets_do_no_harm() {
    let home = jdk::java_home();
    let debuggee = Debuggee::start(&vm(), home, "y", &[]);
    // what says nothing that is known, or too little, is answered with an error
    let mut stream = connect(debuggee.port);
    let mut errors = 0;
    for (id, seed) in (1..).zip(0..3000u64) {
        let mut bytes = noise(seed);
        let (set, number) = ((seed % 20) as u8, (seed / 20 % 24) as u8);
        // those that end the connection or the program, or let it go on, are no faults
        let ends =
            set == 1 && matches!(number, 6 | 9 | 10 | 15) || set == 11 && matches!(number, 3 | 10);
        if ends {
            continue;
        }
        let length = usize::from(bytes.next().unwrap_or(0) % 60);
        let data: Vec<u8> = match seed % 3 {
            0 => bytes.take(length).collect(),
            // numbers that may be somebody's
            1 => (0..length)
                .map(|i| u8::from(i % 8 == 7) * (bytes.next().unwrap_or(0) % 9))
                .collect(),
            _ => vec![0; length],
        };
        stream
            .write_all(&packet(id, set, number, &data))
            .expect("it reads");
        errors += usize::from(error_of(&mut stream, id).expect("an answer") != 0);
    }
    assert!(errors > 1000, "{errors}");
    stream
        .write_all(&packet(9999, 1, 6, b""))
        .expect("it reads");
    assert_eq!(error_of(&mut stream, 9999), Some(0), "disposed of");
    ends_well(debuggee);
    // lengths that no packet has, and cut packets, end the connection: then nobody holds the program any more
    let wholes = [
        packet(1, 1, 1, b""),
        packet(2, 1, 2, b"\0\0\0\x10Ljava/lang/Object;"),
    ];
    let mut wrong: Vec<Vec<u8>> = vec![
        vec![0; 11],
        vec![0xff; 11],
        b"\0\0\0\x0a\0\0\0\0\0\x01\x01".to_vec(),
    ];
    wrong.extend(wholes.iter().map(|p| p[..p.len() - 3].to_vec()));
    for bytes in wrong {
        let debuggee = Debuggee::start(&vm(), home, "y", &[]);
        let mut stream = connect(debuggee.port);
        stream.write_all(&bytes).expect("it reads");
        let _ = stream.shutdown(std::net::Shutdown::Write);
        ends_well(debuggee);
    }
}

fn ends_well(debuggee: Debuggee) {
    let (out, code) = debuggee.end();
    assert!(out.contains("sold ") && code == 0, "{out}{code}");
}

#[test]
fn who_says_nothing_holds_nobody_up() {
    let home = jdk::java_home();
    let debuggee = Debuggee::start(&vm(), home, "y", &[]);
    let _silent = TcpStream::connect(("127.0.0.1", debuggee.port)).expect("it listens");
    let mut wrong = TcpStream::connect(("127.0.0.1", debuggee.port)).expect("it listens");
    wrong.write_all(b"GET / HTTP/1.1").expect("it reads");
    let mut stream = connect(debuggee.port);
    stream
        .write_all(&packet(1, 1, 10, &7u32.to_be_bytes()))
        .expect("it reads");
    assert_eq!(error_of(&mut stream, 1), Some(0));
    assert_eq!(debuggee.end().1, 7, "the code that the debugger asks for");
}
