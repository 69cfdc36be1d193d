//! Many VMs in one process, each on its own OS thread, with exactly the same bytecodes:
//! `cargo run --release -p rjvm-embed --example embed-threads`.

use rjvm::{Engine, Error};

const SOURCE: &str = r#"
    import java.util.concurrent.*;

    public class Pool {
        public static void main(String[] args) throws Exception {
            ExecutorService pool = Executors.newFixedThreadPool(4);
            CompletionService<Integer> done = new ExecutorCompletionService<>(pool);
            for (int i = 0; i < 8; i++) {
                int n = i;
                done.submit(() -> {
                    Thread.sleep((n * 5) % 8);
                    return n;
                });
            }
            StringBuilder order = new StringBuilder();
            for (int i = 0; i < 8; i++) {
                order.append(done.take().get());
            }
            pool.shutdown();
            System.out.println(order + " " + Math.random());
        }
    }
"#;

fn main() -> Result<(), Error> {
    let engine = Engine::new()?;
    let classes = engine.compile([("Pool.java", SOURCE)])?;
    let run = |seed: u64| -> Result<(String, u64), Error> {
        let mut vm = engine.vm().classes(classes.clone()).seed(seed).build()?;
        assert_eq!(vm.run_main("Pool", ["none"])?, 0);
        Ok((vm.stdout_text(), vm.executed().bytecodes))
    };
    let want = run(1)?;
    print!("{} bytecodes: {}", want.1, want.0);
    let results = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| run(1))).collect();
        let joined = threads.into_iter().map(|t| t.join().expect("no panic"));
        joined.collect::<Result<Vec<_>, Error>>()
    })?;
    assert!(results.iter().all(|r| *r == want));
    let other = run(2)?;
    print!("{} bytecodes: {}", other.1, other.0);
    assert_ne!(other.0, want.0);
    Ok(())
}
