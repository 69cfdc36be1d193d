//! Methods that are looked up once and called often: `cargo run --release -p rjvm-embed --example embed-functions`.

use rjvm::{Context, Engine, Error, Object};

const SOURCE: &str = r#"
    public class Parser {
        private final String separator;

        public Parser(String separator) {
            this.separator = separator;
        }

        public int fields(String line) {
            return line.split(separator).length;
        }

        public static long sum(int a, int b) {
            return (long) a + b;
        }
    }
"#;

fn main() -> Result<(), Error> {
    let engine = Engine::new()?;
    let mut vm = engine
        .vm()
        .classes(engine.compile([("Parser.java", SOURCE)])?)
        .build()?;
    let sum = vm.function::<(i32, i32), i64>("Parser", "sum")?;
    let mut total = 0;
    for i in 0..1_000 {
        total += sum.call(&mut vm, (i, 1))?;
    }
    println!("{total}");
    let fields = vm.method::<(&str,), i32>("Parser", "fields")?;
    let parser: Object = vm.new_object("Parser", (";",))?;
    println!("{} fields", fields.call(&mut vm, &parser, ("a;b;c",))?);
    // a wrong type is found when the method is looked up, not when it is called
    let wrong = vm.function::<(i32, i32), String>("Parser", "sum");
    println!("{}", wrong.expect_err("it returns a long"));
    Ok(())
}
