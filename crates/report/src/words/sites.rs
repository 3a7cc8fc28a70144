//! Words about sites: what they cost, what counting says of them, what rows would have found, and what is right.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{Attribution, AttributionRow, DoseResult};
use proofmark_rules::DOSE_TOLERANCE_PER_MARGIN;
use proofmark_stats::{Estimate, mean_t};

use super::dose::missing;
use crate::number::{count, fixed, grouped, with_n, without_unit};

/// `of 6 errors of 15 % of the added time, planted into its right rows one at a time, 5 would have been called wrong and none right`
pub(crate) fn planted(one: &Attribution) -> Option<String> {
    let planted = one.planted?;
    let right = match planted.right {
        0 => "none".to_owned(),
        right => right.to_string(),
    };
    Some(format!(
        "of {} of {} % of the added time, planted into its right rows one at a time, {} would have been called wrong and {right} right",
        count(planted.of as u64, "error"),
        fixed(planted.size_pct, 0),
        planted.wrong,
    ))
}

/// `accepted here: 90 to 129 %`, of a row whose part in place would not do if only all of the added time were right: what may be
/// right, and the tolerance around it; and that the range begins where counting on other sites says so, where it does.
pub(crate) fn truth(row: &AttributionRow, margin_pt: f64) -> Option<String> {
    let tolerance = DOSE_TOLERANCE_PER_MARGIN * margin_pt;
    let part = &row.in_place_pct;
    let does = part.low >= 100.0 - tolerance && part.high <= 100.0 + tolerance;
    let [low, high] = row.truth_pct;
    (!does && high > low).then(|| {
        let [low, high] = [low - tolerance, high + tolerance].map(|pct| fixed(pct, 0));
        let why = match row.truth_by_others {
            true => " (that low because counting at other sites says so)",
            false => "",
        };
        format!("accepted here: {low} to {high} %{why}")
    })
}

/// Whether a row is wrong by what left no sample alone: what is reported in place is accepted.
pub(crate) fn only_missing(row: &AttributionRow, margin_pt: f64) -> bool {
    let tolerance = DOSE_TOLERANCE_PER_MARGIN * margin_pt;
    let (part, [low, high]) = (&row.in_place_pct, row.truth_pct);
    let accepted = part.low >= low - tolerance && part.high <= high + tolerance;
    let wrong = row.verdict == Verdict::Wrong && of_each_jvm(row).is_none();
    wrong && accepted && missing(row).is_some()
}

/// `0, 98, 99`: the part in place in each JVM, %, the least first, of a row that is right in some and wrong in others, whose mean is
/// that of no JVM; none of other rows.
pub(crate) fn of_each_jvm(row: &AttributionRow) -> Option<String> {
    let each = row.in_place_per_run_pct.iter();
    let mut values: Vec<f64> = each.map(|part| part.value).collect();
    values.sort_by(f64::total_cmp);
    let said: Vec<String> = values.iter().map(|value| fixed(*value, 0)).collect();
    (row.jvms.differ() && said.len() > 1).then(|| said.join(", "))
}

/// `0, 98, 99 % (each of 3 JVMs)`, or the mean with its interval where JVMs do not differ so.
pub(crate) fn in_place_with_n(row: &AttributionRow) -> String {
    of_each_jvm(row).map_or_else(
        || with_n(&row.in_place_pct, "%"),
        |each| format!("{each} % (each of {} JVMs)", row.in_place_per_run_pct.len()),
    )
}

/// `+52 (49 to 55) to +410 (398 to 422), n = 6`: by how many per cent the program grew under the low and under the high dose; without
/// intervals in documents of earlier versions.
pub(crate) fn grew(row: &AttributionRow) -> String {
    match &row.growth {
        Some([low, high]) => format!(
            "+{} to +{}, n = {}",
            without_unit(low),
            without_unit(high),
            grouped(high.n)
        ),
        None => {
            let [low, high] = row.growth_pct.map(|pct| fixed(pct, 0));
            format!("+{low} to +{high}")
        }
    }
}

/// `2 windows discarded (recompiled)`: a method with a site was compiled in them.
pub(crate) fn discarded(windows: usize) -> String {
    format!("{} discarded (recompiled)", count(windows as u64, "window"))
}

/// Counting and the clock agree where the interval of what counting says is no farther from all of the added time, %.
const AGREE_PCT: f64 = 5.0;

/// `counting the executions of sites gives 99.2 % (97.4 to 101.0; n = 6 sites) of the time that the clock says was added`; none if
/// executions were not counted.
pub(crate) fn by_count(result: &DoseResult) -> Option<String> {
    let (part, over) = counted(result)?;
    let [value, low, high] = [part.value, part.low, part.high].map(|pct| fixed(pct, 1));
    Some(format!(
        "counting the executions of sites gives {value} % ({low} to {high}; n = {} {over}) of the time that the clock says was added",
        part.n
    ))
}

/// The same where both do not agree for certain.
pub(crate) fn by_count_apart(result: &DoseResult) -> Option<String> {
    let (part, _) = counted(result)?;
    let agree = part.low >= 100.0 - AGREE_PCT && part.high <= 100.0 + AGREE_PCT;
    by_count(result).filter(|_| !agree)
}

/// What counting says, % of what the clock says: over sites where there are several, else over the one's pairs of windows.
fn counted(result: &DoseResult) -> Option<(Estimate, &'static str)> {
    let parts = result.sites.iter().filter_map(|site| site.by_count_pct);
    let parts: Vec<Estimate> = parts.collect();
    let values: Vec<f64> = parts.iter().map(|part| part.value).collect();
    match (mean_t(&values), parts.first()) {
        (Some(mean), _) => Some((mean, "sites")),
        (None, Some(one)) => Some((*one, "pairs, one site")),
        (None, None) => None,
    }
}

/// An interval of what sites cost at rest that covers 0 and is wider says little about it, points.
const WIDE_PT: f64 = 10.0;

/// `with sites at rest the program takes 6.0 % less time (1.4 to 7.6; n = 9)`; neither more nor less where the interval covers 0:
/// `0.1 % more (0.5 less to 0.7 more; n = 9)`. Where that interval is wide: `what the sites cost at rest is not known well: 7.8 % more
/// (8.0 less to 27.2 more; n = 9)`.
pub(crate) fn rest_cost(result: &DoseResult) -> String {
    let word = |pct: f64| if pct < 0.0 { "less" } else { "more" };
    let said = match result.rest_cost {
        Some(cost) if cost.covers(0.0) => {
            let [value, low, high] =
                [cost.value, cost.low, cost.high].map(|pct| (fixed(pct.abs(), 1), word(pct)));
            let figures = format!(
                "{} % {} ({} {} to {} {}; n = {})",
                value.0, value.1, low.0, low.1, high.0, high.1, cost.n
            );
            if cost.high - cost.low > WIDE_PT {
                return format!("what the sites cost at rest is not known well: {figures}");
            }
            format!("neither more nor less time for certain: {figures}")
        }
        Some(cost) => {
            let [value, low, high] = match cost.value < 0.0 {
                true => [-cost.value, -cost.high, -cost.low],
                false => [cost.value, cost.low, cost.high],
            }
            .map(|pct| fixed(pct, 1));
            let (word, n) = (word(cost.value), cost.n);
            format!("{value} % {word} time ({low} to {high}; n = {n})")
        }
        None if result.native.is_some() => {
            return "what sites at rest cost was not measured".into();
        }
        None => {
            let pct = result.rest_cost_pct;
            let value = fixed(pct.abs(), 1);
            format!("{value} % {} time (interval not known)", word(pct))
        }
    };
    format!("with sites at rest the program takes {said}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_that_do_not_count_are_told() {
        assert_eq!(discarded(1), "1 window discarded (recompiled)");
        assert_eq!(discarded(2), "2 windows discarded (recompiled)");
    }
}
