//! Least squares without negative solutions: the active sets of C. L. Lawson and R. J. Hanson (*Solving Least Squares
//! Problems*, chapter 23), on the normal equations.

/// Solutions so much above 0 are.
const SMALL: f64 = 1e-12;

/// The `x` without a negative element that makes `x' Q x / 2 - c' x` least. `Q` is symmetric and positive definite.
pub fn non_negative(q: &[Vec<f64>], c: &[f64]) -> Vec<f64> {
    let n = c.len();
    let mut x = vec![0.0; n];
    let mut free = vec![false; n];
    // An element that its own step would make negative, for rounding's sake, waits for the others to move.
    let mut waits = vec![false; n];
    // Each round lowers what is sought, and there are only so many sets; the limit is for numbers that are none.
    for _ in 0..30 * n {
        let slope = |i: usize| c[i] - q[i].iter().zip(&x).map(|(q, x)| q * x).sum::<f64>();
        let steep = (0..n).filter(|&i| !free[i] && !waits[i]);
        let steepest = steep
            .map(|i| (i, slope(i)))
            .filter(|&(i, slope)| slope > SMALL * q[i][i].max(c[i].abs()))
            .reduce(|best, next| if next.1 > best.1 { next } else { best });
        let Some((new, _)) = steepest else {
            break;
        };
        free[new] = true;
        loop {
            let set: Vec<usize> = (0..n).filter(|&i| free[i]).collect();
            let Some(aim) = solved(q, c, &set) else {
                // What depends on the others within the precision of numbers adds nothing.
                free[new] = false;
                waits[new] = true;
                break;
            };
            let at = |i: usize| set.iter().position(|&s| s == i).map_or(0.0, |at| aim[at]);
            if x[new] == 0.0 && at(new) <= 0.0 && free[new] {
                free[new] = false;
                waits[new] = true;
                break;
            }
            // As far as nothing gets negative.
            let far = set.iter().zip(&aim).filter(|(_, aim)| **aim <= SMALL);
            let step = far.map(|(&i, aim)| x[i] / (x[i] - aim));
            let step = step.fold(1.0, f64::min).clamp(0.0, 1.0);
            let all = set.iter().zip(&aim).all(|(_, aim)| *aim > SMALL);
            for (&i, aim) in set.iter().zip(&aim) {
                x[i] += step * (aim - x[i]);
            }
            if all {
                waits = vec![false; n];
                break;
            }
            for (&i, aim) in set.iter().zip(&aim) {
                if x[i] <= SMALL && *aim <= SMALL {
                    x[i] = 0.0;
                    free[i] = false;
                }
            }
        }
    }
    x
}

/// The solution of the equations of a set alone, by Cholesky's decomposition; none if they depend on each other.
fn solved(q: &[Vec<f64>], c: &[f64], set: &[usize]) -> Option<Vec<f64>> {
    let n = set.len();
    let mut lower = vec![vec![0.0; n]; n];
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| lower[i][k] * lower[j][k]).sum();
            let left = q[set[i]][set[j]] - known;
            lower[i][j] = match i == j {
                false => left / lower[j][j],
                true if left > 1e-15 * q[set[i]][set[i]] => left.sqrt(),
                true => return None,
            };
        }
    }
    let mut x = vec![0.0; n];
    for i in 0..n {
        let known: f64 = (0..i).map(|k| lower[i][k] * x[k]).sum();
        x[i] = (c[set[i]] - known) / lower[i][i];
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|k| lower[k][i] * x[k]).sum();
        x[i] = (x[i] - known) / lower[i][i];
    }
    Some(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look like chance, the same each time.
    fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
        }
    }

    /// `A' A + hold` and `A' b` of such numbers.
    fn problem(seed: u64, rows: usize, n: usize, hold: f64) -> (Vec<Vec<f64>>, Vec<f64>) {
        let mut next = numbers(seed);
        let (mut q, mut c) = (vec![vec![0.0; n]; n], vec![0.0; n]);
        for _ in 0..rows {
            let row: Vec<f64> = (0..n).map(|_| next()).collect();
            let right = next();
            for i in 0..n {
                c[i] += row[i] * right;
                for j in 0..n {
                    q[i][j] += row[i] * row[j];
                }
            }
        }
        for (i, row) in q.iter_mut().enumerate() {
            row[i] += hold;
        }
        (q, c)
    }

    /// At the minimum, no slope leads further down: Karush, Kuhn and Tucker.
    #[test]
    fn no_way_leads_further_down() {
        let mut zeros = 0;
        for seed in 1..400 {
            let (rows, n) = (3 + seed as usize % 40, 1 + seed as usize % 23);
            let hold = [1e-5, 1e-2, 1.0][seed as usize % 3];
            let (q, c) = problem(seed, rows, n, hold);
            let x = non_negative(&q, &c);
            for i in 0..n {
                let slope = c[i] - q[i].iter().zip(&x).map(|(q, x)| q * x).sum::<f64>();
                assert!(x[i] >= 0.0, "{seed}: {x:?}");
                match x[i] > 0.0 {
                    true => assert!(slope.abs() < 1e-8, "{seed}: {i}: {slope}"),
                    false => assert!(slope < 1e-8, "{seed}: {i}: {slope}"),
                }
                zeros += usize::from(x[i] == 0.0);
            }
        }
        assert!(zeros > 500, "{zeros}");
    }

    #[test]
    fn what_depends_on_each_other_ends_too() {
        let q = vec![
            vec![1.0, 1.0, 0.0],
            vec![1.0, 1.0, 0.0],
            vec![0.0, 0.0, 2.0],
        ];
        let x = non_negative(&q, &[1.0, 1.0, 4.0]);
        assert!((x[0] + x[1] - 1.0).abs() < 1e-9 && (x[2] - 2.0).abs() < 1e-9);
        assert_eq!(non_negative(&q, &[-1.0, -1.0, -1.0]), [0.0; 3]);
        assert_eq!(non_negative(&q, &[f64::NAN; 3]), [0.0; 3]);
    }
}
