//! Verdicts: per row, per profiler.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;
use proofmark_rules::DOSE_TOLERANCE_PER_MARGIN;
use proofmark_stats::Estimate;

use super::LineVerdict;
use super::matrix::Row;
use super::profile::{JavaShares, ProfileChange, ProfileCheck, change, compare};

/// A profiler's matrix and its profiles.
#[derive(Clone, Debug, Default)]
pub struct Subject {
    /// Name, for example `jfr`.
    pub name: String,
    /// The rows; their verdicts come in the same order.
    pub rows: Vec<Row>,
    /// Share of each method, 0 to 1, with all sites at rest.
    pub shares: BTreeMap<String, f64>,
    /// Its profiles without a dose, one for each time that the program was looked at; of all subjects in the same order.
    pub looks: Vec<JavaShares>,
    /// What the time of all sites at rest may be, as a part of the program's; the second profile is the one with sites.
    /// None where nothing was put into the program.
    pub rest_cost: Option<f64>,
}

/// What is said of a profiler.
#[derive(Clone, Debug, PartialEq)]
pub struct RowVerdict {
    /// Every row is right.
    pub certified: bool,
    /// The verdict.
    pub verdict: Verdict,
    /// Verdicts of the rows.
    pub rows: Vec<Verdict>,
    /// Points of share that are misplaced, from and to: shares and parts have their intervals.
    pub misplaced_pt: (f64, f64),
    /// What its profiles say against it, beside those of certified profilers.
    pub profile: Option<ProfileCheck>,
    /// What sites change in its profile.
    pub change: Option<ProfileChange>,
}

/// Judges profilers of one program. A row is right if the interval of its part in place lies within 100 % plus and minus
/// twice the margin (10 at the usual 5), wrong if it lies wholly outside. A profiler is certified and right if all rows
/// are right; it is wrong if a wrong row's method has at least the margin's share, or if the misplaced points lie above
/// the margin in any case. Shares are those of certified profilers; if there is none, the least and the greatest that a
/// profiler reports.
///
/// A profiler that is not certified is wrong as well if its profile misplaces more than the margin beside those of
/// certified profilers ([`compare`]). Two certified profilers whose profiles are that far apart are both undecided: one of
/// them is wrong about the program's own code.
///
/// Rows speak of the program with sites. If the profiler's own profile of it differs from that of the program as it is by
/// more than the margin, beyond the time of the sites ([`change`]), they neither certify nor condemn: the profiler is
/// undecided unless certified ones contradict it, and it is no witness.
#[must_use]
pub fn judge(subjects: &[Subject], margin_pt: f64) -> Vec<RowVerdict> {
    let tolerance = DOSE_TOLERANCE_PER_MARGIN * margin_pt / 100.0;
    let verdicts: Vec<Vec<Verdict>> = subjects
        .iter()
        .map(|subject| {
            subject
                .rows
                .iter()
                .map(|row| of_row(row, tolerance))
                .collect()
        })
        .collect();
    let certified: Vec<bool> = verdicts.iter().map(|rows| certifies(rows)).collect();
    let changes: Vec<Option<ProfileChange>> = subjects.iter().map(changed).collect();
    let much = |change: &Option<ProfileChange>| {
        change.as_ref().is_some_and(|one| one.beyond_pt > margin_pt)
    };
    let knowing = subjects.iter().zip(&certified).zip(&changes);
    let knowing: Vec<&Subject> = knowing
        .filter(|((_, certified), change)| **certified && !much(change))
        .map(|((subject, _), _)| subject)
        .collect();
    let any = !knowing.is_empty();
    let witnesses: Vec<&Subject> = match any {
        true => knowing,
        false => subjects.iter().collect(),
    };
    let all = subjects.iter().zip(verdicts).zip(certified).zip(changes);
    all.map(|(((subject, rows), certified), change)| {
        let much = much(&change);
        let mut misplaced = (0.0, 0.0);
        let mut wrong = false;
        for (row, verdict) in subject.rows.iter().zip(&rows) {
            let (least, most) = share(&row.method, &witnesses);
            let (near, far) = misplaced_part(row);
            // Each of a method's sites stands for an equal part of its time.
            let sites = subject.rows.iter().filter(|one| one.method == row.method);
            let sites = sites.count() as f64;
            misplaced.0 += 100.0 * least * near / sites;
            misplaced.1 += 100.0 * most * far / sites;
            wrong |= *verdict == Verdict::Wrong && 100.0 * least >= margin_pt;
        }
        let others: Vec<(&str, &[JavaShares])> = (witnesses.iter())
            .filter(|one| any && one.name != subject.name)
            .map(|one| (one.name.as_str(), one.looks.as_slice()))
            .collect();
        let profile = compare(&subject.looks, &others);
        let shown = profile.as_ref().map_or([0.0; 2], |one| one.misplaced_pt);
        let contradicted = shown[0] > margin_pt;
        wrong |= misplaced.0 > margin_pt;
        if !certified || much {
            misplaced = (misplaced.0.max(shown[0]), misplaced.1.max(shown[1]));
            wrong = contradicted || (wrong && !much);
        }
        let verdict = match (wrong, certified) {
            (true, _) => Verdict::Wrong,
            (false, true) if !contradicted && !much => Verdict::Right,
            (false, _) => Verdict::Undecided,
        };
        RowVerdict {
            certified,
            verdict,
            rows,
            misplaced_pt: misplaced,
            profile,
            change,
        }
    })
    .collect()
}

fn changed(subject: &Subject) -> Option<ProfileChange> {
    match (subject.looks.as_slice(), subject.rest_cost) {
        ([as_it_is, with_sites], Some(cost)) => change(as_it_is, with_sites, cost),
        _ => None,
    }
}

fn certifies(rows: &[Verdict]) -> bool {
    !rows.is_empty() && rows.iter().all(|row| *row == Verdict::Right)
}

fn of_row(row: &Row, tolerance: f64) -> Verdict {
    of_part(&row.in_place, tolerance)
}

fn of_part(part: &Estimate, tolerance: f64) -> Verdict {
    let (least, most) = (1.0 - tolerance, 1.0 + tolerance);
    if part.low >= least && part.high <= most {
        Verdict::Right
    } else if part.high < least || part.low > most {
        Verdict::Wrong
    } else {
        Verdict::Undecided
    }
}

/// Whether a profiler is right about the line of a row's site, by the rule for methods.
#[must_use]
pub fn line_verdict(row: &Row, margin_pt: f64) -> LineVerdict {
    let Some(part) = &row.at_line else {
        return LineVerdict::Unknown;
    };
    match of_part(part, DOSE_TOLERANCE_PER_MARGIN * margin_pt / 100.0) {
        Verdict::Right => LineVerdict::Right,
        Verdict::Wrong => LineVerdict::Wrong,
        Verdict::Undecided => LineVerdict::Undecided,
    }
}

/// Least and greatest distance of the part in place from 1 that the interval allows.
fn misplaced_part(row: &Row) -> (f64, f64) {
    let (low, high) = (row.in_place.low - 1.0, row.in_place.high - 1.0);
    let near = if low <= 0.0 && high >= 0.0 {
        0.0
    } else {
        low.abs().min(high.abs())
    };
    (near, low.abs().max(high.abs()))
}

fn share(method: &str, witnesses: &[&Subject]) -> (f64, f64) {
    let shares = witnesses
        .iter()
        .map(|subject| subject.shares.get(method).copied().unwrap_or(0.0));
    shares.fold((f64::INFINITY, 0.0), |(least, most), share| {
        (share.min(least), share.max(most))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(method: &str, low: f64, high: f64) -> Row {
        Row {
            method: method.into(),
            growth: (0.5, 3.0),
            in_place: Estimate {
                value: (low + high) / 2.0,
                low,
                high,
                n: 1000,
            },
            at_line: None,
            elsewhere: Vec::new(),
            parts: BTreeMap::new(),
            other: Estimate::around(0.0, 0.01, 1000),
            void_windows: 0,
        }
    }

    fn subject(name: &str, rows: Vec<Row>, shares: &[(&str, f64)]) -> Subject {
        Subject {
            name: name.into(),
            rows,
            shares: shares
                .iter()
                .map(|(name, share)| ((*name).into(), *share))
                .collect(),
            looks: Vec::new(),
            rest_cost: None,
        }
    }

    /// The same with a profile.
    fn showing(mut subject: Subject, shares: &[(&str, f64)]) -> Subject {
        let share = |(name, pct): &(&str, f64)| ((*name).into(), Estimate::around(*pct, 2.0, 900));
        subject.looks = vec![shares.iter().map(share).collect()];
        subject
    }

    #[test]
    fn a_profile_that_certified_ones_contradict_is_wrong_though_no_row_that_matters_is() {
        let rows = |set: f64| vec![row("get", 0.96, 1.01), row("set", set - 0.02, set + 0.02)];
        let known = [("get", 0.7), ("set", 0.02)];
        let right = subject("a", rows(1.0), &known);
        let right = showing(right, &[("get", 70.0), ("put", 28.0), ("set", 2.0)]);
        let wrong = subject("b", rows(0.0), &known);
        let alone = judge(&[right.clone(), wrong.clone()], 5.0);
        assert_eq!(alone[1].verdict, Verdict::Undecided, "set is small");
        let wrong = showing(wrong, &[("get", 20.0), ("put", 80.0)]);
        let judged = judge(&[right.clone(), wrong.clone()], 5.0);
        assert_eq!(judged[0].verdict, Verdict::Right);
        assert_eq!(judged[0].profile, None, "nobody else is certified");
        assert_eq!(judged[1].verdict, Verdict::Wrong);
        assert!(judged[1].misplaced_pt.0 > 45.0 && judged[1].misplaced_pt.1 > 50.0);
        // Nobody is certified: nobody's profile is a witness.
        let nobody = judge(
            &[
                wrong.clone(),
                Subject {
                    name: "c".into(),
                    ..wrong
                },
            ],
            5.0,
        );
        assert!(nobody.iter().all(|one| one.profile.is_none()));
    }

    #[test]
    fn rows_of_a_program_that_sites_changed_decide_nothing() {
        let with = |rows: Vec<Row>, as_it_is: f64, with_sites: f64| {
            let mut one = subject("a", rows, &[("m", 0.5)]);
            for share in [as_it_is, with_sites] {
                let seen = showing(one.clone(), &[("m", share), ("n", 100.0 - share)]);
                one.looks.extend(seen.looks.into_iter().last());
            }
            one.rest_cost = Some(0.05);
            judge(&[one], 5.0).remove(0)
        };
        let wrong = || vec![row("m", -0.01, 0.02)];
        assert_eq!(with(wrong(), 50.0, 52.0).verdict, Verdict::Wrong);
        assert_eq!(with(wrong(), 50.0, 90.0).verdict, Verdict::Undecided);
        let right = || vec![row("m", 0.97, 1.02)];
        assert_eq!(with(right(), 50.0, 52.0).verdict, Verdict::Right);
        let changed = with(right(), 50.0, 90.0);
        assert!(changed.certified && changed.verdict == Verdict::Undecided);
        assert!(changed.change.unwrap().beyond_pt > 30.0);
    }

    #[test]
    fn certified_profilers_whose_profiles_disagree_are_not_decided() {
        let certified = |name: &str| subject(name, vec![row("get", 0.97, 1.02)], &[("get", 0.5)]);
        let one = showing(certified("a"), &[("get", 60.0), ("put", 40.0)]);
        let other = showing(certified("b"), &[("get", 20.0), ("put", 80.0)]);
        let judged = judge(&[one.clone(), other], 5.0);
        for one in &judged {
            assert!(one.certified && one.verdict == Verdict::Undecided);
        }
        let near = showing(certified("b"), &[("get", 58.0), ("put", 42.0)]);
        let judged = judge(&[one, near], 5.0);
        assert!(judged.iter().all(|one| one.verdict == Verdict::Right));
    }

    #[test]
    fn one_wrong_row_of_a_method_that_matters_makes_a_profiler_wrong() {
        let right = subject(
            "a",
            vec![row("m", 0.95, 1.02), row("n", 0.93, 1.08)],
            &[("m", 0.3), ("n", 0.4)],
        );
        let blind = subject(
            "b",
            vec![row("m", -0.01, 0.02), row("n", 0.97, 1.01)],
            &[("m", 0.0), ("n", 0.7)],
        );
        let judged = judge(&[right, blind], 5.0);
        assert!(judged[0].certified && judged[0].verdict == Verdict::Right);
        assert_eq!(judged[1].rows, [Verdict::Wrong, Verdict::Right]);
        assert_eq!(judged[1].verdict, Verdict::Wrong);
        // The certified profiler's share of m, 30 points, is misplaced; what b itself shows of m does not count.
        assert!(judged[1].misplaced_pt.0 > 29.0 && judged[1].misplaced_pt.1 < 34.0);
    }

    #[test]
    fn without_a_certified_profiler_both_bounds_of_the_shares_count() {
        let one = subject("a", vec![row("m", 0.0, 0.1)], &[("m", 0.02)]);
        let other = subject("b", vec![row("m", 0.3, 0.4)], &[("m", 0.4)]);
        let judged = judge(&[one, other], 5.0);
        // At 2 % nothing is wrong, at 40 % everything: not to be decided.
        assert_eq!(judged[0].verdict, Verdict::Undecided);
        assert!(judged[0].misplaced_pt.0 < 5.0 && judged[0].misplaced_pt.1 > 35.0);
    }

    #[test]
    fn margins_scale_rows_and_nothing_is_certified_by_nothing() {
        let row_at = |low, high| subject("a", vec![row("m", low, high)], &[("m", 0.5)]);
        let verdict = |low, high, margin| judge(&[row_at(low, high)], margin)[0].rows[0];
        assert_eq!(verdict(0.91, 0.99, 5.0), Verdict::Right);
        assert_eq!(verdict(0.91, 0.99, 2.0), Verdict::Undecided);
        assert_eq!(verdict(0.91, 0.95, 2.0), Verdict::Wrong);
        assert_eq!(verdict(1.11, 1.2, 5.0), Verdict::Wrong);
        let nothing = judge(&[subject("a", Vec::new(), &[])], 5.0);
        assert!(!nothing[0].certified && nothing[0].verdict == Verdict::Undecided);
    }
}
