//! Two proportions beside each other: Fisher's exact test.

/// Probabilities that differ by less than this part count as equal, as in R's `fisher.test`.
const EQUAL: f64 = 1e-7;

/// Two-sided p-value of Fisher's exact test (1922) for two groups, each as hits and trials. `None` where a group has no
/// trials, or more hits than trials.
///
/// It is the probability, if both groups have the same proportion, of a table with these margins that is no more probable
/// than the one that was seen.
///
/// # Accuracy
/// Exact but for rounding. On the safe side: with small groups it calls fewer than 5 % of equal proportions different at 0.05.
#[must_use]
pub fn fisher_exact(a: (u64, u64), b: (u64, u64)) -> Option<f64> {
    let [hits_a, trials_a, hits_b, trials_b] =
        [a.0, a.1, b.0, b.1].map(|number| usize::try_from(number).unwrap_or(usize::MAX));
    if trials_a == 0 || trials_b == 0 || hits_a > trials_a || hits_b > trials_b {
        return None;
    }
    let ln_factorial = ln_factorials(trials_a.checked_add(trials_b)?);
    let ln_ways =
        |all: usize, hits: usize| ln_factorial[all] - ln_factorial[hits] - ln_factorial[all - hits];
    let hits = hits_a + hits_b;
    // The logarithm of a table's probability, but for a summand that is the same for all.
    let table = |of_a: usize| ln_ways(trials_a, of_a) + ln_ways(trials_b, hits - of_a);
    let tables: Vec<f64> = (hits.saturating_sub(trials_b)..=hits.min(trials_a))
        .map(table)
        .collect();
    let most = tables.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let limit = table(hits_a) + EQUAL;
    let weight = |ln: &f64| (ln - most).exp();
    let all: f64 = tables.iter().map(weight).sum();
    let extreme: f64 = tables.iter().filter(|ln| **ln <= limit).map(weight).sum();
    Some((extreme / all).min(1.0))
}

/// Logarithms of the factorials of 0 to `most`.
fn ln_factorials(most: usize) -> Vec<f64> {
    let mut sum = 0.0;
    let rest = (1..=most).map(|number| {
        sum += (number as f64).ln();
        sum
    });
    std::iter::once(0.0).chain(rest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// R: `fisher.test(matrix(c(3, 1, 1, 3), 2))$p.value` 0.4857143 (the lady who tasted tea);
    /// `fisher.test(matrix(c(1, 11, 9, 3), 2))$p.value` 0.002759456.
    #[test]
    fn as_r_says() {
        for (a, b, p) in [
            ((3, 4), (1, 4), 0.485_714_3),
            ((1, 12), (9, 12), 0.002_759_456),
            ((0, 50), (0, 50), 1.0),
        ] {
            let got = fisher_exact(a, b).unwrap();
            assert!(
                (got - p).abs() < 1e-8_f64.max(1e-7 * p),
                "{a:?} {b:?}: {got}"
            );
            assert!((fisher_exact(b, a).unwrap() - got).abs() < 1e-9);
        }
    }

    /// Two tables of all that 40 trials with 20 hits can be split into: 2 / C(40, 20).
    #[test]
    fn none_against_all_is_the_rarest_of_tables() {
        let p = fisher_exact((0, 20), (20, 20)).unwrap();
        assert!((p * 137_846_528_820.0 / 2.0 - 1.0).abs() < 1e-9, "{p}");
    }

    #[test]
    fn many_trials_do_not_overflow() {
        let far = fisher_exact((10, 20_000), (12_000, 20_000)).unwrap();
        assert!((0.0..1e-12).contains(&far), "{far}");
        let same = fisher_exact((5000, 20_000), (5000, 20_000)).unwrap();
        assert!((same - 1.0).abs() < 1e-6, "{same}");
    }

    #[test]
    fn nonsense_has_no_probability() {
        assert_eq!(fisher_exact((0, 0), (1, 2)), None);
        assert_eq!(fisher_exact((3, 2), (1, 2)), None);
    }
}
