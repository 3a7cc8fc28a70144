//! A simulated program whose failure rates are known.

use proofmark_test_support::fit_schema;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::{Dose, End, RaceLab, RaceRequest, Ran, run};
use crate::ExperimentError;
use crate::lab::LabError;
use crate::progress::Silent;

/// Fails with these probabilities: without a dose, and with one in each function.
struct Racing {
    without: f64,
    with: Vec<f64>,
    random: ChaCha8Rng,
    /// Kinds of runs in their order; 0: without a dose.
    order: Vec<usize>,
}

impl Racing {
    fn new(without: f64, with: &[f64]) -> Self {
        Racing {
            without,
            with: with.to_vec(),
            random: ChaCha8Rng::seed_from_u64(5),
            order: Vec::new(),
        }
    }
}

impl RaceLab for Racing {
    fn run(&mut self, dose: Option<Dose>) -> Result<Ran, LabError> {
        self.order.push(dose.map_or(0, |dose| dose.function + 1));
        let rate = dose.map_or(self.without, |dose| self.with[dose.function]);
        let end = match self.random.random_bool(rate) {
            true => End::Status(1),
            false => End::Passed,
        };
        let cpu_s = 0.1 + dose.map_or(0.0, |dose| 1e-6 * f64::from(dose.turns));
        Ok(Ran {
            end,
            wall_s: cpu_s / 2.0,
            cpu_s,
        })
    }

    fn keep(&mut self, dose: Dose) -> Result<String, LabError> {
        Ok(format!("/out/{}.dose", dose.function))
    }
}

fn request(functions: &[&str], turns: Option<u32>) -> RaceRequest {
    RaceRequest {
        program: "./racing".into(),
        functions: functions.iter().map(|name| (*name).to_owned()).collect(),
        turns,
        runs: 100,
        timeout_s: 10.0,
        failed_if: None,
        seed: 1,
    }
}

#[test]
fn what_widens_a_race_is_told_from_what_does_not() {
    let mut lab = Racing::new(0.02, &[0.6, 0.02]);
    let result = run(&mut lab, &request(&["add", "other"], Some(500)), &Silent).unwrap();
    let [add, other] = &result.functions[..] else {
        panic!("{:?}", result.functions);
    };
    assert!(add.differs && add.p_value < 1e-6, "{add:?}");
    assert!(!other.differs, "{other:?}");
    assert!((40.0..80.0).contains(&add.with.failed_pct.value), "{add:?}");
    assert!(result.without.failed_pct.value < 10.0, "{result:?}");
    assert_eq!(
        (add.turns, add.with.runs, result.without.runs),
        (500, 100, 100)
    );
    assert_eq!(add.with.ends["exit status 1"], add.with.failed);
    assert_eq!(add.dose_file, "/out/0.dose");
    assert!(add.with.cpu_s > result.without.cpu_s);
    assert!(
        result.failed() && result.remarks.is_empty(),
        "{:?}",
        result.remarks
    );
    // By turns: in every three runs each kind is there once, in changing order.
    let threes: Vec<&[usize]> = lab.order.chunks(3).collect();
    let each_once = |three: &&[usize]| (0..3).all(|kind| three.contains(&kind));
    assert!(threes.len() == 100 && threes.iter().all(each_once));
    assert!(threes.windows(2).any(|two| two[0] != two[1]));
    fit_schema("race.schema.json", &[result]);
}

#[test]
fn without_turns_a_dose_doubles_the_time() {
    let mut lab = Racing::new(0.0, &[0.0]);
    let result = run(&mut lab, &request(&["add"], None), &Silent).unwrap();
    assert_eq!(result.functions[0].turns, 100_000);
    assert!(!result.failed() && !result.functions[0].differs);
    assert!(
        result.remarks[0].contains("no run failed"),
        "{:?}",
        result.remarks
    );
    assert!(result.without.failed_pct.high > 2.0, "{:?}", result.without);
}

#[test]
fn what_fails_in_any_case_is_said() {
    let mut lab = Racing::new(1.0, &[1.0]);
    let result = run(&mut lab, &request(&["add"], Some(1)), &Silent).unwrap();
    assert!(!result.functions[0].differs);
    assert!(
        result.remarks[0].contains("without a dose as well"),
        "{:?}",
        result.remarks
    );
}

/// Its time does not depend on the dose.
struct Unmoved;

impl RaceLab for Unmoved {
    fn run(&mut self, _dose: Option<Dose>) -> Result<Ran, LabError> {
        Ok(Ran {
            end: End::Passed,
            wall_s: 0.1,
            cpu_s: 0.1,
        })
    }

    fn keep(&mut self, _dose: Dose) -> Result<String, LabError> {
        Ok(String::new())
    }
}

#[test]
fn a_function_that_is_never_run_is_no_place_for_a_dose() {
    let refused = run(&mut Unmoved, &request(&["never"], None), &Silent);
    match refused {
        Err(ExperimentError::Cannot(text)) => {
            assert!(text.starts_with("never: a loop in it hardly"), "{text}")
        }
        other => panic!("{other:?}"),
    }
}
