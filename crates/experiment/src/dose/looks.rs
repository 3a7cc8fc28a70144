//! What a profiler shows of the program as it is, in several JVMs.

use std::collections::BTreeSet;

use proofmark_stats::Estimate;

use super::JavaShares;
use super::profile::share;

/// One profile for all times that a profiler looked at the program as it is: of each method the mean of its shares, with an interval that
/// holds those of all looks. A method that a look does not show may have been missed there. The only one where there is one.
///
/// # Accuracy
/// Of two JVMs the interval is never narrower than they differ by; what a third one would show may lie outside.
pub(super) fn in_all(looks: &[JavaShares]) -> JavaShares {
    let names: BTreeSet<&String> = looks.iter().flat_map(|one| one.keys()).collect();
    let of_all = |name: &String| {
        let shares: Vec<Estimate> = looks.iter().map(|one| share(one, name)).collect();
        around_all(&shares)
    };
    let all = names.into_iter();
    all.map(|name| (name.clone(), of_all(name))).collect()
}

/// The mean of estimates of one thing, with the least and the greatest end of their intervals. 0 of none.
pub(super) fn around_all(shares: &[Estimate]) -> Estimate {
    let fold = |of: fn(&Estimate) -> f64, pick: fn(f64, f64) -> f64| {
        shares.iter().map(of).reduce(pick).unwrap_or(0.0)
    };
    Estimate {
        value: shares.iter().map(|one| one.value).sum::<f64>() / shares.len().max(1) as f64,
        low: fold(|one| one.low, f64::min),
        high: fold(|one| one.high, f64::max),
        n: shares.iter().map(|one| one.n).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dose::ProfileChange;
    use crate::dose::profile::change;
    use crate::dose::profile::tests::profile;

    /// By the margin of 5 points, where sites take no time.
    fn changed(looks: &[JavaShares], with_sites: &JavaShares) -> Option<ProfileChange> {
        change(looks, with_sites, 0.0, 5.0)
    }

    #[test]
    fn shares_of_two_looks_are_known_no_better_than_their_jvms_differ() {
        let one = profile(&[("a", 28.0, 1.0), ("b", 72.0, 1.0)]);
        let other = profile(&[("a", 6.0, 0.5), ("b", 90.0, 1.0), ("c", 4.0, 0.5)]);
        assert_eq!(in_all(std::slice::from_ref(&one)), one);
        let both = in_all(&[one, other]);
        let a = both["a"];
        assert_eq!((a.value, a.low, a.high, a.n), (17.0, 5.5, 29.0, 2000));
        let c = both["c"];
        assert!((c.value - 2.0).abs() < 1e-9 && c.low == 0.0, "{c:?}");
        assert!((c.high - 4.5).abs() < 1e-9, "{c:?}");
        assert!(in_all(&[]).is_empty());
    }

    /// As in a stranger's trial: 28 % in one JVM, 6 % in another one and in those with sites.
    #[test]
    fn what_one_look_alone_shows_is_no_change() {
        let odd = profile(&[("a", 28.0, 1.0), ("b", 72.0, 1.0)]);
        let usual = profile(&[("a", 6.0, 1.0), ("b", 94.0, 1.0)]);
        let once = changed(std::slice::from_ref(&odd), &usual).expect("a change");
        assert!(once.voids_rows && (once.beyond_pt - 20.0).abs() < 1e-9);
        assert_eq!(changed(&[odd, usual.clone()], &usual), None);
    }

    #[test]
    fn a_change_that_both_looks_show_counts_as_far_as_the_lesser_of_them() {
        let [least, most] = [20.0, 30.0].map(|a| profile(&[("a", a, 1.0), ("b", 100.0 - a, 1.0)]));
        let with = profile(&[("a", 60.0, 1.0), ("b", 40.0, 1.0)]);
        let two = changed(&[least.clone(), most.clone()], &with).expect("a change");
        assert!(two.voids_rows && (two.beyond_pt - 28.0).abs() < 1e-9);
        assert_eq!(
            two.as_it_is_pct.value,
            if two.method == "a" { 25.0 } else { 75.0 }
        );
        for one in [&least, &most] {
            let once = changed(std::slice::from_ref(one), &with).expect("a change");
            assert!(once.beyond_pt >= two.beyond_pt, "{once:?}");
        }
        // One of them lies beyond what there is with sites: it is no change in one direction.
        let beyond = profile(&[("a", 80.0, 1.0), ("b", 20.0, 1.0)]);
        assert_eq!(changed(&[most, beyond], &with), None);
    }
}
