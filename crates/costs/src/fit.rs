//! Finding a model's parameters from programs whose costs were measured: least squares of relative errors with no
//! parameter below 0, held near the proportions that the model has already, as strongly as leaving out one program at a time
//! shows to predict best.

use crate::least;
use crate::model::Model;
use crate::parse::ModelError;
use crate::shape::Shape;
use crate::sums::Sums;
use crate::weigh::{CostError, FINE};
use rjvm_profiler::Profile;

/// How strongly parameters are held; the best one is used.
const HOLDS: [f64; 8] = [1e-5, 1e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1, 1.0];

/// Why there is no fit.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// The model with other parameters is none.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A profile cannot be weighed.
    #[error("{name}: {error}")]
    Cost {
        /// The program.
        name: String,
        /// Why.
        #[source]
        error: CostError,
    },
    /// There is nothing to fit.
    #[error("the model {0} has no parameters")]
    NoParameters(String),
    /// A parameter begins at nothing.
    #[error("the parameter {0} must start above 0: a fit scales the values of the model")]
    NoStart(String),
    /// Costs are not sums of parameters.
    #[error(
        "{name}: the cost is not linear in the parameters: {whole} as a whole, {parts} in parts"
    )]
    NotLinear {
        /// The program.
        name: String,
        /// What the model makes of it.
        whole: f64,
        /// What the parameters one by one make of it.
        parts: f64,
    },
    /// There are too few programs.
    #[error("{0} programs are too few for {1} parameters: at least 3 are needed")]
    TooFew(usize, usize),
    /// A measurement is none.
    #[error("{0}: expected a cost above 0")]
    NoMeasure(String),
}

/// A program's cost by each parameter, and its measured cost.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// The program.
    pub name: String,
    /// The measured cost, in the model's unit.
    pub measured: f64,
    /// What it costs whatever the parameters are.
    pub fixed: f64,
    /// What it costs for 1 of each parameter, in their order.
    pub parts: Vec<f64>,
}

/// A model taken apart by its parameters.
pub struct Parts {
    values: Vec<f64>,
    whole: Model,
    /// With all parameters 0.
    none: Model,
    /// With one of them 1, the others 0.
    ones: Vec<Model>,
}

impl Parts {
    /// Takes a model apart.
    pub fn of(model: &Model) -> Result<Parts, FitError> {
        let names: Vec<String> = model.parameters.iter().map(|p| p.name.clone()).collect();
        let only = |wanted: Option<usize>| {
            let names = names.iter().cloned().enumerate();
            let set = names.map(|(i, name)| (name, f64::from(u8::from(Some(i) == wanted))));
            model.with(&set.collect::<Vec<_>>())
        };
        let ones = (0..names.len()).map(|index| only(Some(index)));
        Ok(Parts {
            values: model.parameters.iter().map(|p| p.value).collect(),
            whole: model.clone(),
            none: only(None)?,
            ones: ones.collect::<Result<_, _>>()?,
        })
    }
}

impl Observation {
    /// Takes apart what a model makes of a profile.
    pub fn of(
        name: &str,
        profile: &Profile,
        shapes: &[Option<Shape>],
        model: &Parts,
        measured: f64,
    ) -> Result<Observation, FitError> {
        if !(measured.is_finite() && measured > 0.0) {
            return Err(FitError::NoMeasure(name.to_owned()));
        }
        let failed = |error| FitError::Cost {
            name: name.to_owned(),
            error,
        };
        let sums = Sums::of(profile, shapes).map_err(failed)?;
        let total = |model: &Model| -> Result<f64, FitError> {
            Ok(sums.total(model).map_err(failed)? as f64 / FINE)
        };
        let fixed = total(&model.none)?;
        let mut parts = Vec::new();
        for one in &model.ones {
            parts.push(total(one)? - fixed);
        }
        let whole = total(&model.whole)?;
        let sums = parts.iter().zip(&model.values).map(|(p, v)| p * v);
        let sum = fixed + sums.sum::<f64>();
        if (whole - sum).abs() > 1e-3 * whole.abs() + 1.0 {
            return Err(FitError::NotLinear {
                name: name.to_owned(),
                whole,
                parts: sum,
            });
        }
        Ok(Observation {
            name: name.to_owned(),
            measured,
            fixed,
            parts,
        })
    }

    fn predicted(&self, values: &[f64]) -> f64 {
        let parts = self.parts.iter().zip(values);
        self.fixed + parts.map(|(part, value)| part * value).sum::<f64>()
    }
}

/// A program in a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    /// The program.
    pub name: String,
    /// The measured cost.
    pub measured: f64,
    /// What the model says.
    pub predicted: f64,
    /// What it would say had this program not been measured.
    pub left_out: f64,
}

/// Parameters, and how well they do.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The values of the model's parameters, in their order.
    pub values: Vec<f64>,
    /// How strongly they were held.
    pub hold: f64,
    /// The programs, in their order.
    pub programs: Vec<Fitted>,
}

impl Fit {
    /// The mean of the relative errors, without their signs.
    pub fn mean_error(&self) -> f64 {
        self.mean(|p| p.predicted)
    }

    /// The same of predictions for programs that were left out.
    pub fn mean_error_left_out(&self) -> f64 {
        self.mean(|p| p.left_out)
    }

    fn mean(&self, of: impl Fn(&Fitted) -> f64) -> f64 {
        let errors = self.programs.iter();
        let sum: f64 = errors.map(|p| (of(p) / p.measured - 1.0).abs()).sum();
        sum / self.programs.len() as f64
    }
}

/// Finds the parameters of a model.
pub fn fit(model: &Model, observations: &[Observation]) -> Result<Fit, FitError> {
    let starts: Vec<f64> = model.parameters.iter().map(|p| p.value).collect();
    if starts.is_empty() {
        return Err(FitError::NoParameters(model.name.clone()));
    }
    if let Some(p) = model.parameters.iter().find(|p| p.value <= 0.0) {
        return Err(FitError::NoStart(p.name.clone()));
    }
    if observations.len() < 3 {
        return Err(FitError::TooFew(observations.len(), starts.len()));
    }
    let all: Vec<&Observation> = observations.iter().collect();
    let mut best: Option<Fit> = None;
    for hold in HOLDS {
        let values = solve(&all, &starts, hold);
        let mut programs = Vec::new();
        for (index, one) in observations.iter().enumerate() {
            let mut others = all.clone();
            others.remove(index);
            programs.push(Fitted {
                name: one.name.clone(),
                measured: one.measured,
                predicted: one.predicted(&values),
                left_out: one.predicted(&solve(&others, &starts, hold)),
            });
        }
        let fit = Fit {
            values,
            hold,
            programs,
        };
        let error = Fit::mean_error_left_out;
        if best.as_ref().is_none_or(|best| error(&fit) < error(best)) {
            best = Some(fit);
        }
    }
    best.ok_or(FitError::TooFew(observations.len(), starts.len()))
}

/// The parameters with the least sum of squares of relative errors.
fn solve(observations: &[&Observation], starts: &[f64], hold: f64) -> Vec<f64> {
    let n = starts.len();
    // In multiples of their starts, and all starts in multiples of what suits them best together.
    let rows: Vec<(Vec<f64>, f64)> = observations
        .iter()
        .map(|one| {
            let parts = one.parts.iter().zip(starts);
            let row = parts.map(|(part, start)| part * start / one.measured);
            (row.collect(), 1.0 - one.fixed / one.measured)
        })
        .collect();
    let (mut both, mut own) = (0.0, 0.0);
    for (row, wanted) in &rows {
        let whole: f64 = row.iter().sum();
        both += whole * wanted;
        own += whole * whole;
    }
    let scale = if own > 0.0 {
        (both / own).max(1e-12)
    } else {
        1.0
    };
    let mut products = vec![vec![0.0; n]; n];
    let mut wanted = vec![0.0; n];
    for (row, right) in &rows {
        for i in 0..n {
            for j in 0..n {
                products[i][j] += row[i] * row[j] * scale * scale;
            }
            wanted[i] += row[i] * scale * right;
        }
    }
    let hold = hold * rows.len() as f64;
    for (i, row) in products.iter_mut().enumerate() {
        row[i] += hold;
        wanted[i] += hold;
    }
    let x = least::non_negative(&products, &wanted);
    x.iter()
        .zip(starts)
        .map(|(x, start)| x * start * scale)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observations(truth: &[f64], noise: &[f64]) -> Vec<Observation> {
        let part = |i: usize, j: usize| ((i * 7 + j * 13) % 11 + 1) as f64 * 1e6;
        (0..noise.len())
            .map(|i| {
                let parts: Vec<f64> = (0..truth.len()).map(|j| part(i, j)).collect();
                let sum: f64 = parts.iter().zip(truth).map(|(p, t)| p * t).sum();
                Observation {
                    name: i.to_string(),
                    measured: (5e5 + sum) * (1.0 + noise[i]),
                    fixed: 5e5,
                    parts,
                }
            })
            .collect()
    }

    fn model() -> Model {
        let text = "name = \"m\"\nunit = \"ns\"\n[parameters]\na = 1\nb = 1\nc = 1\n[opcodes]\n\"*\" = \"a + b + c\"\n";
        Model::parse(text, "m", &[]).unwrap()
    }

    #[test]
    fn parameters_are_found_again() {
        let fit = fit(&model(), &observations(&[2.0, 0.5, 4.0], &[0.0; 9])).unwrap();
        for (found, truth) in fit.values.iter().zip([2.0, 0.5, 4.0]) {
            assert!((found - truth).abs() < 1e-2, "{:?}", fit.values);
        }
        let errors = [fit.mean_error(), fit.mean_error_left_out()];
        assert!(errors.iter().all(|e| *e < 3e-3), "{errors:?}");
    }

    #[test]
    fn no_parameter_is_below_zero_and_noise_is_reported() {
        let noise = [0.05, -0.05, 0.08, -0.02, 0.04, -0.07, 0.01, 0.06];
        let fit = fit(&model(), &observations(&[3.0, 0.0, 1.0], &noise)).unwrap();
        assert!(fit.values.iter().all(|&v| v >= 0.0), "{:?}", fit.values);
        assert!(fit.mean_error() > 0.01 && fit.mean_error() < 0.08);
        assert!(fit.mean_error_left_out() >= fit.mean_error());
    }

    #[test]
    fn what_can_not_be_fitted_is_reported() {
        let few = observations(&[1.0, 1.0, 1.0], &[0.0; 2]);
        assert!(matches!(fit(&model(), &few), Err(FitError::TooFew(2, 3))));
        let none = model().with(&[("b".into(), 0.0)]).unwrap();
        let some = observations(&[1.0, 1.0, 1.0], &[0.0; 5]);
        let message = fit(&none, &some).unwrap_err().to_string();
        assert!(
            message.starts_with("the parameter b must start above 0"),
            "{message}"
        );
    }
}
