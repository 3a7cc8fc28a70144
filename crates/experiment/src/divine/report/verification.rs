//! What a plan does in JVMs that had no part in divining it.

use proofmark_stats::{Confidence, Estimate, mean_t, sample_variance, t_quantile};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The plan in one fresh JVM.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FreshJvm {
    /// Part of the time of the plan's units that is in units with the plan's signature, %.
    pub same_code_pct: f64,
    /// Units that were refused, with the first difference.
    pub refused: Vec<String>,
    /// Overhead of the program, not sampled, interleaved, %; n: pairs of placements. None if no unit was the plan's.
    pub overhead_pct: Option<Estimate>,
}

/// The plan in several fresh JVMs with loaded profiles.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Verification {
    /// One entry per JVM.
    pub jvms: Vec<FreshJvm>,
    /// Mean overhead over the JVMs, %; n: JVMs. None below two.
    pub overhead_pct: Option<Estimate>,
    /// Standard deviation of the overhead between JVMs, points; none below two.
    pub spread_pt: Option<f64>,
    /// Overhead in the JVM in which the plan was divined, %.
    pub laboratory_pct: Option<Estimate>,
    /// Mean minus the laboratory's, points.
    pub difference_pt: Option<f64>,
    /// Standard error of that difference, points.
    pub difference_se_pt: Option<f64>,
    /// Whether the mean is within two standard errors of the laboratory's; none if that is not known.
    pub agrees: Option<bool>,
}

impl Verification {
    /// Puts the JVMs together.
    #[must_use]
    pub fn new(jvms: Vec<FreshJvm>, laboratory_pct: Option<Estimate>) -> Self {
        let seen: Vec<f64> = jvms
            .iter()
            .filter_map(|jvm| Some(jvm.overhead_pct?.value))
            .collect();
        let overhead_pct = mean_t(&seen);
        let variance = sample_variance(&seen);
        let difference_pt = overhead_pct
            .zip(laboratory_pct)
            .map(|(mean, lab)| mean.value - lab.value);
        let difference_se_pt = variance.zip(laboratory_pct).map(|(variance, lab)| {
            let lab_se = lab.half_width() / t_quantile(f64::INFINITY, Confidence::P95);
            (variance / seen.len() as f64 + lab_se * lab_se).sqrt()
        });
        let agrees = difference_pt
            .zip(difference_se_pt)
            .map(|(difference, se)| difference.abs() <= 2.0 * se);
        let spread_pt = variance.map(f64::sqrt);
        Self {
            jvms,
            overhead_pct,
            spread_pt,
            laboratory_pct,
            difference_pt,
            difference_se_pt,
            agrees,
        }
    }

    /// Smallest part of the plan's time in one JVM that is in the plan's code, %.
    #[must_use]
    pub fn least_same_code_pct(&self) -> Option<f64> {
        self.jvms
            .iter()
            .map(|jvm| jvm.same_code_pct)
            .reduce(f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jvm(overhead: f64) -> FreshJvm {
        FreshJvm {
            same_code_pct: 100.0,
            refused: vec![],
            overhead_pct: Some(Estimate::around(overhead, 1.0, 9)),
        }
    }

    /// 98, 100, 102: mean 100, standard deviation 2, standard error 2 / sqrt(3); the laboratory's 1.96 / 1.96 = 1.
    #[test]
    fn by_hand() {
        let lab = Some(Estimate::around(101.0, 1.96, 5));
        let v = Verification::new(vec![jvm(98.0), jvm(100.0), jvm(102.0)], lab);
        assert!(
            (v.overhead_pct.unwrap().value - 100.0).abs() < 1e-9
                && (v.spread_pt.unwrap() - 2.0).abs() < 1e-9
        );
        assert!(
            (v.difference_se_pt.unwrap() - (4.0f64 / 3.0 + 1.0).sqrt()).abs() < 1e-3,
            "{v:?}"
        );
        assert_eq!(v.agrees, Some(true));
        let far = Verification::new(
            vec![jvm(98.0), jvm(100.0), jvm(102.0)],
            Some(Estimate::around(110.0, 1.96, 5)),
        );
        assert_eq!(far.agrees, Some(false));
    }

    #[test]
    fn one_jvm_has_no_spread() {
        let v = Verification::new(vec![jvm(98.0)], None);
        assert_eq!((v.overhead_pct, v.spread_pt, v.agrees), (None, None, None));
    }
}
