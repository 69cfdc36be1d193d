//! A test harness: the cost of a method, in bytecodes, is the same in every run, so that it can be asserted:
//! `cargo run --release -p rjvm-embed --example embed-assertions`.

use rjvm::{Context, Engine, Error, Object};

const SOURCE: &str = r#"
    import java.util.ArrayList;
    import java.util.List;

    public class Search {
        static int linear(List<Integer> sorted, int wanted) {
            for (int i = 0; i < sorted.size(); i++) {
                if (sorted.get(i) == wanted) {
                    return i;
                }
            }
            return -1;
        }

        static int binary(List<Integer> sorted, int wanted) {
            int low = 0, high = sorted.size() - 1;
            while (low <= high) {
                int middle = (low + high) >>> 1;
                int found = sorted.get(middle);
                if (found == wanted) {
                    return middle;
                }
                if (found < wanted) {
                    low = middle + 1;
                } else {
                    high = middle - 1;
                }
            }
            return -1;
        }

        static List<Integer> numbers(int n) {
            List<Integer> all = new ArrayList<>();
            for (int i = 0; i < n; i++) {
                all.add(i * 2);
            }
            return all;
        }
    }
"#;

fn main() -> Result<(), Error> {
    let engine = Engine::new()?;
    let classes = engine.compile([("Search.java", SOURCE)])?;
    // each case has a VM of its own, with fresh static fields
    let cost = |method: &str, n: i32| -> Result<u64, Error> {
        let mut vm = engine.vm().classes(classes.clone()).build()?;
        let list: Object = vm.call("Search", "numbers", (n,))?;
        let at: i32 = vm.call("Search", method, (&list, (n - 1) * 2))?;
        assert_eq!(at, n - 1);
        let profile = vm.profile()?;
        profile.assert_calls(&format!("Search.{method}"), 1);
        Ok(profile.bytecodes_of(&format!("Search.{method}")))
    };
    for n in [100, 200, 400] {
        let (linear, binary) = (cost("linear", n)?, cost("binary", n)?);
        println!("{n:4} numbers: linear {linear:5} bytecodes, binary {binary:4}");
        assert_eq!(linear, cost("linear", n)?);
        assert!(binary < 30 * u64::from(n.ilog2() + 1));
    }
    Ok(())
}
