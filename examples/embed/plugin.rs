//! A plug-in that was not reviewed, in a VM without access to anything outside, with limits (docs/tutorial/embed.md):
//! `cargo run --release -p rjvm-embed --example embed-plugin`.

use rjvm::{Caller, Context, Engine, Error};

const PLUGIN: &str = r#"
    package shop;

    public class Discount {
        static native long listPrice(String product);

        static long price(String product, int quantity) {
            long price = listPrice(product) * quantity;
            return quantity >= 10 ? price * 90 / 100 : price;
        }

        static String spy() throws java.io.IOException {
            return java.nio.file.Files.readString(java.nio.file.Path.of("/etc/passwd"));
        }

        static void spin() {
            while (true) {}
        }

        static void hoard() {
            var all = new java.util.ArrayList<byte[]>();
            while (true) all.add(new byte[1 << 20]);
        }
    }
"#;

fn main() -> Result<(), Error> {
    let engine = Engine::new()?;
    let classes = engine.compile([("shop/Discount.java", PLUGIN)])?;
    let list_price = |_: &mut Caller, product: String| match product.as_str() {
        "pen" => Ok(250_i64),
        _ => Err(Error::throw("java.util.NoSuchElementException", product)),
    };
    let mut vm = engine
        .vm()
        .classes(classes)
        .memory(64 << 20)
        .host_fn("shop.Discount", "listPrice", list_price)
        .build()?;

    vm.set_fuel(10_000_000);
    let price: i64 = vm.call("shop.Discount", "price", ("pen", 12))?;
    println!("12 pens cost {price}");

    let result = vm.call::<i64>("shop.Discount", "price", ("car", 1));
    println!("a car: {}", result.unwrap_err());

    let result = vm.call::<String>("shop.Discount", "spy", ());
    println!("spy: {}", result.unwrap_err());

    vm.set_fuel(1_000_000);
    let result = vm.call::<()>("shop.Discount", "spin", ());
    println!("spin: {}", result.unwrap_err());
    vm.abandon()?;

    vm.set_fuel(100_000_000);
    let error = vm.call::<()>("shop.Discount", "hoard", ()).unwrap_err();
    println!("hoard: {error}, limit: {:?}", error.limit());

    let price: i64 = vm.call("shop.Discount", "price", ("pen", 1))?;
    println!("1 pen costs {price}");

    let profile = vm.profile()?;
    let method = profile.method("shop.Discount.price").expect("it has run");
    println!(
        "price: {} calls, {} bytecodes",
        method.calls, method.bytecodes
    );
    assert_eq!((method.calls, method.bytecodes), (3, 29));
    Ok(())
}
