//! Calls as futures: each yields to the executor every so many bytecodes, so that a few OS threads run many VMs side by side
//! (`Vm` is `Send`): `cargo run --release -p rjvm-embed --example embed-async`.

use rjvm::{Args, Context, Engine, Error, FromJava, Vm};

const SOURCE: &str = r#"
    public class Work {
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
    }
"#;

/// Bytecodes between two yields: about a millisecond.
const SLICE: u64 = 100_000;

/// A call that yields, and how often it has.
async fn call<R: FromJava>(
    vm: &mut Vm,
    class: &str,
    method: &str,
    args: impl Args,
) -> Result<(R, u32), Error> {
    vm.set_fuel(SLICE);
    let mut result = vm.call(class, method, args);
    let mut yields = 0;
    while let Err(Error::OutOfFuel) = result {
        tokio::task::yield_now().await;
        yields += 1;
        vm.set_fuel(SLICE);
        result = vm.resume();
    }
    Ok((result?, yields))
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::new()?;
    let classes = engine.compile([("Work.java", SOURCE)])?;
    let mut tasks = Vec::new();
    for i in 1..=4 {
        let mut vm = engine.vm().classes(classes.clone()).build()?;
        tasks.push(tokio::spawn(async move {
            call::<i64>(&mut vm, "Work", "primes", (i * 5_000,)).await
        }));
    }
    for task in tasks {
        let (sum, yields) = task.await??;
        println!("the sum is {sum}, after {yields} yields");
    }
    Ok(())
}
