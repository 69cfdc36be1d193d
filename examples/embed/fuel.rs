//! Fuel: a call stops after exactly so many bytecodes, can be inspected, continues with more, or is abandoned:
//! `cargo run --release -p rjvm-embed --example embed-fuel`.

use rjvm::{Context, Engine, Error};

const SOURCE: &str = r#"
    public class Work {
        static int rounds;

        static long primes(int below) {
            long sum = 0;
            for (int n = 2; n < below; n++) {
                boolean prime = true;
                for (int d = 2; d * d <= n && prime; d++) {
                    prime = n % d != 0;
                }
                sum += prime ? n : 0;
            }
            return sum;
        }

        static void forever() {
            for (;;) {
                rounds++;
            }
        }
    }
"#;

fn main() -> Result<(), Error> {
    let engine = Engine::new()?;
    let classes = engine.compile([("Work.java", SOURCE)])?;
    let mut vm = engine.vm().classes(classes).build()?;
    vm.set_fuel(200_000);
    let mut sum = vm.call::<i64>("Work", "primes", (10_000,));
    while let Err(Error::OutOfFuel) = sum {
        let done = vm.profile()?.bytecodes_of("Work.primes");
        println!("stopped after {done} bytecodes of primes");
        vm.add_fuel(1_000_000);
        sum = vm.resume();
    }
    println!("the sum is {}", sum?);
    // what never ends is abandoned, and the VM is as good as before
    vm.set_fuel(100_000);
    assert!(matches!(
        vm.call::<()>("Work", "forever", ()),
        Err(Error::OutOfFuel)
    ));
    vm.abandon()?;
    vm.set_fuel(None);
    println!(
        "{} rounds of forever",
        vm.get_static::<i32>("Work", "rounds")?
    );
    Ok(())
}
