//! What part of the program is judged at sites: that in the methods with a row.

use std::collections::BTreeSet;

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{Attribution, DoseResult, KnownShare};

use crate::number::{count, fixed};

/// What part of the program is judged.
pub(crate) struct Judged {
    /// `62 % of the Java time`; where profilers differ and none is certified, `3 methods, to which profilers give 40 to 62 % of the Java
    /// time`: the least and the most that any of them shows of all these methods together.
    pub(crate) said: String,
    /// Whether it is one figure.
    pub(crate) is_known: bool,
}

/// The part in the methods with a row, as far as profiles tell it; of the program's time at rest in documents of earlier versions; `62 % of
/// its bytecodes` where no profile tells it.
pub(crate) fn judged_at_sites(result: &DoseResult, one: &Attribution) -> Option<Judged> {
    let tested: BTreeSet<&str> = one.rows.iter().map(|row| row.method.as_str()).collect();
    if tested.is_empty() {
        return None;
    }
    as_it_is(result, &tested)
        .or_else(|| at_rest(result, &tested))
        .or_else(|| counted(result, &tested))
}

/// What is judged of each of several profilers, where they differ in it and all have the same methods; none elsewhere.
pub(crate) fn judged_alike(result: &DoseResult) -> Option<String> {
    let all = result.attribution.values();
    let all = all.map(|one| judged_at_sites(result, one).filter(|judged| !judged.is_known));
    let all: Option<Vec<Judged>> = all.collect();
    let all = all?;
    let (first, others) = all.split_first()?;
    let alike = others.iter().all(|other| other.said == first.said);
    (alike && !others.is_empty()).then(|| first.said.clone())
}

/// `62 % of the Java time judged`: what a right verdict speaks of, the figure of [`judged_at_sites`]; none of other verdicts.
pub(crate) fn scope(result: &DoseResult, one: &Attribution) -> Option<String> {
    let judged = (one.verdict == Verdict::Right).then(|| judged_at_sites(result, one));
    Some(format!("{} judged", judged.flatten()?.said))
}

/// What these methods have in the program as it is.
fn as_it_is(result: &DoseResult, methods: &BTreeSet<&str>) -> Option<Judged> {
    let known = methods.iter().map(|method| result.known_as_it_is(method));
    let known: Vec<KnownShare> = known.collect::<Option<_>>()?;
    let by = |profiler: &String| {
        let shares = methods.iter().filter_map(|method| result.as_it_is(method));
        let shares = shares.filter_map(|shares| Some(shares.get(profiler)?.value));
        // One that was not looked at shows nothing of any.
        shares.reduce(|a, b| a + b)
    };
    let sums: Vec<f64> = result.attribution.keys().filter_map(by).collect();
    Some(judged(&known, &sums, "the Java time"))
}

/// What these methods have with all sites at rest.
fn at_rest(result: &DoseResult, methods: &BTreeSet<&str>) -> Option<Judged> {
    let known = methods.iter().map(|method| result.known_share(method));
    let known: Vec<KnownShare> = known.collect::<Option<_>>()?;
    let telling = result.attribution.values();
    let telling = telling.filter(|one| !one.shares_pct.is_empty());
    let by = |one: &Attribution| -> f64 {
        let shares = methods.iter().map(|method| one.shares_pct.get(*method));
        shares.flatten().map(|share| share.value).sum()
    };
    let sums: Vec<f64> = telling.map(by).collect();
    Some(judged(&known, &sums, "the program's time"))
}

/// What these methods have of the bytecodes.
fn counted(result: &DoseResult, methods: &BTreeSet<&str>) -> Option<Judged> {
    let counted = result.methods.iter();
    let counted = counted.filter(|method| methods.contains(method.name.as_str()));
    let counted = counted.map(|method| method.bytecode_pct);
    let pct = counted.sum::<Option<f64>>()?;
    Some(Judged {
        said: format!("{} % of its bytecodes", fixed(pct.min(100.0), 0)),
        is_known: true,
    })
}

/// What methods of which so much is known have together; `sums`: what each profiler shows of all of them, %, and `of` what.
fn judged(known: &[KnownShare], sums: &[f64], of: &str) -> Judged {
    let certified = known.iter().map(|known| match known {
        KnownShare::Certified(share) => Some(share.value),
        KnownShare::Between(..) => None,
    });
    let (least, most) = match certified.sum::<Option<f64>>() {
        Some(sum) => (sum, sum),
        None => sums.iter().fold((100.0, 0.0), |(least, most), sum| {
            (f64::min(least, *sum), f64::max(most, *sum))
        }),
    };
    let [least, most] = [least, most].map(|pct| fixed(pct.min(100.0), 0));
    match least == most {
        true => Judged {
            said: format!("{most} % of {of}"),
            is_known: true,
        },
        false => Judged {
            said: format!(
                "{}, to which profilers give {least} to {most} % of {of}",
                count(known.len() as u64, "method")
            ),
            is_known: false,
        },
    }
}
