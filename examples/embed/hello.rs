//! A Java program from memory that calls a closure: `cargo run --release -p rjvm-embed --example embed-hello`.

use rjvm::{Caller, Context, Engine, Error};

const SOURCE: &str = r#"
    package app;

    public class Hello {
        static native String name();

        static String greeting() {
            return "Hello, " + name() + "!";
        }
    }
"#;

fn main() -> Result<(), Error> {
    let engine = Engine::new()?;
    let classes = engine.compile([("app/Hello.java", SOURCE)])?;
    let mut vm = engine
        .vm()
        .classes(classes)
        .host_fn("app.Hello", "name", |_: &mut Caller| "world")
        .build()?;
    let greeting: String = vm.call("app.Hello", "greeting", ())?;
    println!("{greeting}");
    assert_eq!(greeting, "Hello, world!");
    Ok(())
}
