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
