//! Exceptions in both directions, and objects that stay in Rust's hands:
//! `cargo run --release -p rjvm-embed --example embed-exceptions`.

use rjvm::{Caller, Context, Engine, Error, Object};

const SOURCE: &str = r#"
    package shop;

    import java.io.IOException;
    import java.util.function.IntUnaryOperator;

    public class Till {
        private int total;

        /** Asks the bank, which is written in Rust. */
        static native int balance(String account) throws IOException;

        /** Applies a function of Rust's to a Java function. */
        static native int twice(IntUnaryOperator f, int x);

        void pay(String account, int amount) {
            try {
                if (balance(account) < amount) {
                    throw new IllegalStateException(account + " has not enough");
                }
                total += amount;
            } catch (IOException e) {
                throw new IllegalStateException("no bank", e);
            }
        }

        static int seven() {
            return twice(n -> n + 3, 1);
        }
    }
"#;

fn main() -> Result<(), Error> {
    let engine = Engine::new()?;
    let classes = engine.compile([("shop/Till.java", SOURCE)])?;
    let mut vm = engine
        .vm()
        .classes(classes)
        .host_fn(
            "shop.Till",
            "balance",
            |_: &mut Caller, account: String| match account.as_str() {
                "mine" => Ok(100),
                _ => Err(Error::throw(
                    "java.io.IOException",
                    format!("who is {account}?"),
                )),
            },
        )
        .host_fn(
            "shop.Till",
            "twice",
            |caller: &mut Caller, f: Object, x: i32| {
                let once: i32 = f.call(caller, "applyAsInt", (x,))?;
                f.call::<i32>(caller, "applyAsInt", (once,))
            },
        )
        .build()?;
    assert_eq!(vm.call::<i32>("shop.Till", "seven", ())?, 7);
    let till = vm.new_object("shop.Till", ())?;
    till.call::<()>(&mut vm, "pay", ("mine", 30))?;
    assert_eq!(till.get::<i32>(&mut vm, "total")?, 30);
    match till.call::<()>(&mut vm, "pay", ("yours", 1)) {
        Err(Error::Exception(e)) => {
            assert_eq!(e.class, "java.lang.IllegalStateException");
            let cause = e.cause.as_ref().expect("it has a cause");
            assert_eq!(cause.to_string(), "java.io.IOException: who is yours?");
            print!("{}", e.stack_trace());
        }
        other => panic!("it throws: {other:?}"),
    }
    Ok(())
}
