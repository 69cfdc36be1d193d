//! All runs of a program, and programs at random.

use crate::toy::{Do::*, *};
use rjvm_explore::{Choice, Mode, Random, Strategy};

/// Goes through all choices, of threads and of values, one run after the other.
#[derive(Default)]
pub struct All {
    /// The choices of this run: which, of how many.
    choices: Vec<(usize, usize)>,
    at: usize,
}

impl All {
    fn next(&mut self, n: usize) -> usize {
        if self.at == self.choices.len() {
            self.choices.push((0, n));
        }
        let (chosen, of) = self.choices[self.at];
        assert_eq!(of, n, "the same choices lead to the same ones");
        self.at += 1;
        chosen
    }

    /// Whether there is another run.
    pub fn advance(&mut self) -> bool {
        self.at = 0;
        while let Some((chosen, n)) = self.choices.pop() {
            if chosen + 1 < n {
                self.choices.push((chosen + 1, n));
                return true;
            }
        }
        false
    }
}

impl Strategy for All {
    fn begin(&mut self, _: &rjvm_explore::Start) {}
    fn choose(&mut self, choice: &Choice<'_>) -> usize {
        self.next(choice.candidates.len())
    }
    fn choose_value(&mut self, n: usize) -> usize {
        self.next(n)
    }
}

/// All runs of a program, sequentially consistent.
pub fn all_runs(program: &Program, mut each: impl FnMut(&Run)) -> usize {
    let mut all = All::default();
    let mut runs = 0;
    loop {
        each(&run(program, &mut all));
        runs += 1;
        if !all.advance() {
            return runs;
        }
        assert!(runs < 5_000_000, "too large for all its runs");
    }
}

/// A program of random instructions that always ends: no loops, monitors nested and left, all threads started by the first one
/// and joined by it.
pub fn random_program(random: &mut Random, threads: usize, length: usize) -> Program {
    let mut code = vec![Vec::new()];
    let mode = |random: &mut Random| {
        [PLAIN, PLAIN, PLAIN, VOLATILE, Mode::Acquire, OPAQUE][random.below(6) as usize]
    };
    for t in 1..=threads as u32 {
        code[0].push(Start(t));
    }
    for t in 1..=threads {
        let mut own = Vec::new();
        let mut entered = Vec::new();
        for _ in 0..length {
            let v = random.below(3) as usize;
            let r = random.below(2) as usize;
            let n = (t * 10) as i64 + random.below(3) as i64;
            let m = random.below(2) as usize;
            own.push(match random.below(9) {
                0..3 => Read(v, mode(random), r),
                3..5 => match mode(random) {
                    Mode::Acquire => Write(v, Mode::Release, n),
                    mode => Write(v, mode, n),
                },
                5 => GetAdd(v, VOLATILE, n, r),
                6 => Cas(v, VOLATILE, 0, n, r),
                // in one order, so that there is no deadlock
                7 if entered.iter().all(|&e| e < m) => {
                    entered.push(m);
                    Enter(m)
                }
                _ => match entered.pop() {
                    Some(m) => Exit(m),
                    None => WriteReg(v, PLAIN, r),
                },
            });
        }
        own.extend(entered.into_iter().rev().map(Exit));
        code.push(own);
    }
    for t in 1..=threads as u32 {
        code[0].push(Join(t));
    }
    code[0].extend([Read(0, PLAIN, 0), Write(1, PLAIN, 99)]);
    let slices: Vec<&[Do]> = code.iter().map(|c| &c[..]).collect();
    Program::new(&slices)
}
