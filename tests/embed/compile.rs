//! The compiler on a separate VM, and the access of a program to the outside: `Engine::compile`, `VmBuilder::grants`.

use crate::common::embed::{engine, failure};
use rjvm::{Classes, Context, Error, Grants, Limits, MemoryFiles, Object};

#[test]
fn sources_in_memory_become_classes() -> Result<(), Error> {
    let engine = engine();
    let shapes = engine.compile([
        ("shapes/Shape.java", "package shapes; public interface Shape { double area(); }"),
        (
            "shapes/Square.java",
            "package shapes; public record Square(double a) implements Shape { public double area() { return a * a; } }",
        ),
    ])?;
    assert_eq!(
        shapes.names().collect::<Vec<_>>(),
        ["shapes.Shape", "shapes.Square"]
    );
    let user =
        "import shapes.*; class User { static double twice(Shape s) { return 2 * s.area(); } }";
    let user = engine.compile_with([("User.java", user)], &shapes, &["-g"])?;
    assert_eq!(user.names().collect::<Vec<_>>(), ["User"]);
    let mut vm = engine.vm().classes(user.and(shapes)).build()?;
    let square = vm.new_object("shapes.Square", (3.0,))?;
    assert_eq!(vm.call::<f64>("User", "twice", (&square,))?, 18.0);
    let again = engine.compile([("A.java", "class A { }")])?;
    assert!(again == engine.compile([("A.java", "class A { }")])?);
    Ok(())
}

#[test]
fn what_does_not_compile_is_reported_by_the_compiler() {
    let engine = engine();
    let source = "class A {\n    int x = \"text\";\n}\n";
    let Err(Error::Compile(messages)) = engine.compile([("p/A.java", source)]) else {
        panic!("it does not compile");
    };
    let want = "p/A.java:2: error: incompatible types: String cannot be converted to int";
    assert!(
        messages.starts_with(want) && messages.ends_with("1 error\n"),
        "{messages}"
    );
    let text = failure(engine.compile([("A.java", "class B {}")]).and_then(|c| {
        assert_eq!(c.names().collect::<Vec<_>>(), ["B"]);
        engine.vm().classes(Classes::new()).build()?.class("B")
    }));
    assert_eq!(text, "there is no class B");
}

#[test]
fn nothing_is_within_reach_that_is_not_granted() -> Result<(), Error> {
    let engine = engine();
    let read = |grants: Option<Grants>, path: &str| -> Result<String, Error> {
        let vm = engine.vm();
        let mut vm = match grants {
            Some(grants) => vm.grants(grants),
            None => vm,
        }
        .build()?;
        let file = vm.new_object("java.io.File", (path,))?;
        let input: Object = vm.new_object("java.io.FileInputStream", (&file,))?;
        let bytes = input.call::<Vec<u8>>(&mut vm, "readAllBytes", ())?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    for path in [
        "/etc/passwd",
        "/proc/self/environ",
        "Cargo.toml",
        "/classes/../etc/passwd",
    ] {
        let text = failure(read(None, path));
        assert!(
            text.starts_with("java.io.FileNotFoundException"),
            "{path}: {text}"
        );
    }
    let files = MemoryFiles::new();
    files.write("/dir/in.txt", "text").expect("room");
    let grants = Grants::none().memory_files(&files);
    assert_eq!(read(Some(grants.clone()), "/dir/in.txt")?, "text");
    assert!(read(Some(grants), "/etc/passwd").is_err());
    assert!(read(Some(Grants::launcher()), "/etc/passwd")?.contains("root"));
    let mut vm = engine.vm().grants(Grants::none()).build()?;
    let text = failure(vm.call::<()>("java.lang.System", "exit", (3,)));
    assert!(text.starts_with("java.lang.SecurityException"), "{text}");
    let mut vm = engine.vm().build()?;
    assert!(matches!(
        vm.call::<()>("java.lang.System", "exit", (3,)),
        Err(Error::Exit(3))
    ));
    Ok(())
}

#[test]
fn what_a_program_observes_follows_from_the_seed() -> Result<(), Error> {
    let source = r#"
        class Seen {
            static String all() throws Exception {
                return System.nanoTime() + " " + System.currentTimeMillis() + " " + java.util.UUID.randomUUID()
                    + " " + new java.util.Random().nextInt() + " " + Math.random() + " " + System.getenv()
                    + " " + System.getProperties() + " " + new Object().hashCode()
                    + " " + ProcessHandle.current().pid() + " " + java.net.InetAddress.getLocalHost()
                    + " " + Seen.class.getProtectionDomain().getCodeSource().getLocation();
            }
        }
    "#;
    let classes = engine().compile([("Seen.java", source)])?;
    let seen = |seed: u64| -> Result<String, Error> {
        let mut vm = engine().vm().classes(classes.clone()).seed(seed).build()?;
        vm.call("Seen", "all", ())
    };
    let first = seen(1)?;
    assert_eq!(seen(1)?, first);
    assert_ne!(seen(2)?, first);
    assert!(first.ends_with(" file:/classes/0/"), "{first}");
    Ok(())
}

#[test]
fn limits_are_kept() -> Result<(), Error> {
    let source = r#"
        class Takes {
            static void run() {}

            static int threads(int n) {
                for (int i = 0; i < n; i++) {
                    Thread t = new Thread(() -> {
                        synchronized (Takes.class) {
                            try {
                                Takes.class.wait();
                            } catch (InterruptedException e) {
                            }
                        }
                    });
                    t.setDaemon(true);
                    t.start();
                }
                return n;
            }

            static int outside(int n) {
                return java.nio.ByteBuffer.allocateDirect(n).capacity();
            }

            static void prints() {
                for (int i = 0; i < 1000; i++) {
                    System.out.println("0123456789");
                }
            }
        }
    "#;
    let classes = engine().compile([("Takes.java", source)])?;
    let mut limits = Limits::default();
    (limits.heap, limits.off_heap) = (32 << 20, Some(64 << 20));
    (limits.threads, limits.output_bytes) = (Some(20), Some(500));
    let mut vm = engine().vm().limits(limits).classes(classes).build()?;
    assert_eq!(vm.call::<i32>("Takes", "threads", (5,))?, 5);
    let text = failure(vm.call::<i32>("Takes", "threads", (50,)));
    assert!(
        text.starts_with("java.lang.OutOfMemoryError: unable to create native thread"),
        "{text}"
    );
    assert_eq!(vm.call::<i32>("Takes", "outside", (1 << 20,))?, 1 << 20);
    let text = failure(vm.call::<i32>("Takes", "outside", (128 << 20,)));
    assert!(text.starts_with("java.lang.OutOfMemoryError"), "{text}");
    vm.call::<()>("Takes", "prints", ())?;
    assert_eq!(vm.stdout().len(), 500);
    Ok(())
}
