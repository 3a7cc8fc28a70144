//! How well windows know a row's part in place, for intervals that accuse.
//!
//! A JVM has four to six pairs of windows of a row, whose scatter says little of how well they know it: an interval that holds the truth
//! in 9,997 of 10,000 cases is 19 standard errors wide to either side with four pairs, and 4 with thirty. The rows of a profiler are
//! measured alike, one after the other, so that the scatter of all says something of each.

use proofmark_rules::{DOSE_ALIKE_DF, DOSE_ALIKE_LEAST, DOSE_ALIKE_LEAST_DF};
use proofmark_stats::{CommonVariance, Confidence, Estimate, t_quantile};

use super::matrix::{Row, alarm};

/// What windows know of a part: of a row in one JVM, or in several together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Known {
    value: f64,
    standard_error: f64,
    pub(super) df: f64,
    n: u64,
}

impl Known {
    /// By a 95 % interval with so many degrees of freedom.
    pub(super) fn of(part: &Estimate, df: f64) -> Self {
        Self {
            value: part.value,
            standard_error: part.half_width() / t_quantile(df, Confidence::P95),
            df,
            n: part.n,
        }
    }

    /// The mean of these; none of none.
    ///
    /// # Accuracy
    /// It holds what differs from window to window, and nothing of what differs from JVM to JVM. Degrees of freedom are those of Welch
    /// and Satterthwaite.
    pub(super) fn mean(parts: &[Self]) -> Option<Self> {
        let first = parts.first()?;
        let squared = |part: &Self| part.standard_error * part.standard_error;
        let sum = parts.iter().map(squared).sum::<f64>();
        let each = parts.iter().map(|part| squared(part).powi(2) / part.df);
        let df = match (parts, sum > 0.0) {
            ([_], _) => first.df,
            (_, true) => sum * sum / each.sum::<f64>(),
            (_, false) => parts.iter().map(|part| part.df).sum(),
        };
        let n = parts.len() as f64;
        Some(Self {
            value: parts.iter().map(|part| part.value).sum::<f64>() / n,
            standard_error: sum.sqrt() / n,
            df,
            n: parts.iter().map(|part| part.n).sum(),
        })
    }

    /// Its interval, with so many degrees of freedom.
    pub(super) fn with_df(&self, df: f64, confidence: Confidence) -> Estimate {
        let half = t_quantile(df, confidence) * self.standard_error;
        Estimate::around(self.value, half, self.n)
    }

    /// Its interval.
    pub(super) fn at(&self, confidence: Confidence) -> Estimate {
        self.with_df(self.df, confidence)
    }

    /// Greatest probability with which it is called wrong where it is right, as [`false_alarm`](super::false_alarm) has it.
    pub(super) fn false_alarm(&self, confidence: Confidence, tolerance: f64) -> f64 {
        alarm(self.standard_error, self.df, confidence, tolerance)
    }

    /// Variance of one pair of windows, if it is known; those of a row are one more than its degrees of freedom.
    fn of_a_pair(&self) -> Option<f64> {
        let variance = self.standard_error * self.standard_error * (self.df + 1.0);
        (variance > 0.0).then_some(variance)
    }

    /// The same where it is of enough pairs of windows to say something of other rows, and they of it.
    fn scatter(&self) -> Option<f64> {
        self.of_a_pair().filter(|_| self.df >= DOSE_ALIKE_LEAST_DF)
    }

    /// With what all rows have in common: never known better than its own windows say.
    fn like(&self, common: &CommonVariance) -> Self {
        let Some(own) = self.scatter() else {
            return *self;
        };
        let (variance, df) = common.with(own, self.df);
        Self {
            standard_error: (variance.max(own) / (self.df + 1.0)).sqrt(),
            df,
            ..*self
        }
    }
}

/// The part in place of each row of each JVM of a profiler, by the scatter of its own windows and, where there are enough rows, by what
/// all of them have in common.
///
/// # Accuracy
/// Rows may differ: by how much they do is found from their scatter ([`CommonVariance`]), and what they have in common counts that much,
/// at most as four degrees of freedom more for each. A standard error is never less than a row's own windows say; what becomes smaller is
/// the quantile. Where rows scatter alike and have the same number of windows, an interval misses the truth less often than it says. Where they differ much (a tenth of
/// all has nine times the variance, or as by a chi-squared variable of 2.5 degrees of freedom), those of all JVMs together miss it up to
/// three times as often as they say, and a row is called wrong by its JVMs or all of them in 0.2 of 100 tests with eight rows, 0.4 with
/// three, where it is off by exactly as much as is allowed (docs/studies/verdicts/missed.py). A row stops getting windows when it looks
/// well known, so that its scatter is found too small: with four pairs of windows and up to six those of all JVMs together then miss
/// the truth 1.2 times as often as they say, with up to twelve 1.3 to 3.3 times (1.2 to 7.1 by each row's own scatter alone). Rows that
/// begin with two pairs (`--rounds 1`) would 7 times; they stand by themselves.
pub(super) fn alike(jvms: &[Vec<Option<Row>>]) -> Vec<Vec<Option<Known>>> {
    let own = |row: &Option<Row>| row.as_ref().map(|row| Known::of(&row.in_place, row.df));
    let all = jvms.iter().map(|rows| rows.iter().map(own).collect());
    let all: Vec<Vec<Option<Known>>> = all.collect();
    let scatter = all.iter().flatten().flatten();
    let scatter = scatter.filter_map(|one| Some((one.scatter()?, one.df)));
    let scatter: Vec<(f64, f64)> = scatter.collect();
    let enough = jvms.len() > 1 && scatter.len() >= DOSE_ALIKE_LEAST;
    match CommonVariance::of(&scatter).filter(|_| enough) {
        Some(common) => {
            let common = common.at_most(DOSE_ALIKE_DF);
            let like = |one: Option<Known>| one.map(|one| one.like(&common));
            all.into_iter()
                .map(|rows| rows.into_iter().map(like).collect())
                .collect()
        }
        None => all,
    }
}

#[cfg(test)]
mod tests;
