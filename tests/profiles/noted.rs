//! The notes of `rjvm profile` on views that show less than a user may expect.

use crate::common::tool::{folder, profile_tool};

#[test]
fn patterns_that_name_nothing_are_noted() {
    let dir = folder("noted", "patterns");
    let path = |name: &str, text: &str| {
        let path = dir.join(name);
        std::fs::write(&path, text).expect("a file");
        path.display().to_string()
    };
    let one = path("one.paths", "A.m()V\t1\t5\n");
    let two = path("two.paths", "A.m()V\t1\t5\nA.m()V;B.f()V\t1\t2\n");
    let library = path("library.paths", "java.lang.String.length()I\t1\t5\n");
    let (_, err, code) = profile_tool(&["top", &one, "--include=Nope", "--exclude=B,x.."]);
    let expected = "rjvm: note: --include=Nope matches no executed method\n\
                    rjvm: note: --exclude=B matches no executed method\n\
                    rjvm: note: --exclude=x.. matches no executed method\n";
    assert_eq!((code, &*err), (0, expected));
    // one of two has it
    let (_, err, code) = profile_tool(&["diff", &one, &two, "--exclude=B"]);
    assert_eq!((code, &*err), (0, ""));
    let (_, err, code) = profile_tool(&["top", &library, "--view=app"]);
    assert_eq!(code, 0);
    assert!(err.contains("--view=app shows nothing"), "{err}");
}

#[test]
fn threads_are_shown_by_name() {
    let file = folder("noted", "threads").join("threads.paths");
    let threads = [
        ("main", "A.main", 5),
        ("w-1", "B.run", 7),
        ("w-2", "B.run", 8),
    ];
    let text = threads
        .map(|(thread, method, n)| format!("[{thread}]\t0\t0\n[{thread}];{method}()V\t1\t{n}\n"));
    std::fs::write(&file, text.concat()).expect("the folder is writable");
    let file = file.to_str().expect("the path is text");
    let shown =
        |names: &str| profile_tool(&["convert", file, "-f", "paths", "--threads=merged", names]);
    let done = |text: &str| (text.to_owned(), String::new(), 0);
    assert_eq!(shown("--thread=w-*"), done("B.run()V\t2\t15\n"));
    let both = done("A.main()V\t1\t5\nB.run()V\t1\t8\n");
    assert_eq!(shown("--thread=main,w-2"), both);
    let (top, ..) = profile_tool(&["top", file, "--thread=main"]);
    assert!(top.contains("A.main") && !top.contains("B.run"), "{top}");
    let (_, err, code) = profile_tool(&["top", file, "--thread=x"]);
    assert_eq!(
        (code, &*err),
        (0, "rjvm: note: --thread=x matches no thread\n")
    );
}
