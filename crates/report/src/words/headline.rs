//! What belongs behind the first sentence of a test at sites: how wrong the profiler is, and whose profile sites change too much.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{DoseResult, ProfileChange, listed};

use super::misplaced::misplaced_points;
use crate::number::fixed;

/// The first sentence of a text, which is what a reader must see, and the rest, which may be empty. Commands, between backticks, are
/// not divided.
pub(crate) fn first_sentence(said: &str) -> (&str, &str) {
    let mut inside = false;
    let end = said.char_indices().find_map(|(at, sign)| {
        inside ^= sign == '`';
        (!inside && said[at..].starts_with(". ")).then_some(at + 1)
    });
    let (first, rest) = said.split_at(end.unwrap_or(said.len()));
    (first, rest.trim_start())
}

/// What to do after a test by dose, with how wrong the profiler is and what sites change behind the first sentence.
pub(super) fn headline(result: &DoseResult) -> String {
    let (first, rest) = first_sentence(&result.advice);
    let behind = how_wrong(result, first)
        .into_iter()
        .chain(changed(result, first));
    let mut said = first.to_owned();
    for sentence in behind {
        said.push_str(&format!(" {sentence}"));
    }
    match rest.is_empty() {
        true => said,
        false => format!("{said} {rest}"),
    }
}

/// `In all, jfr misplaces 17 to 23 points of the program's time.`, of the profiler that the first sentence calls wrong; none where it
/// calls none wrong or says itself how many points, or nobody knows.
fn how_wrong(result: &DoseResult, first: &str) -> Option<String> {
    let mut wrong = result.attribution.iter();
    let (name, one) = wrong.find(|(name, one)| {
        one.verdict == Verdict::Wrong && first.starts_with(&format!("{name} is wrong"))
    })?;
    if first.starts_with(&format!("{name} is wrong: it misplaces")) {
        return None;
    }
    let points = misplaced_points(one)?;
    Some(format!(
        "In all, {name} misplaces {points} of the program's time."
    ))
}

/// `Sites change what async shows of the program (Bounce.run: 18 % of the Java time as it is, 66 % with sites), so that its rows alone
/// decide nothing.`: the profilers of which that is so and the first sentence does not say it, with the largest change.
fn changed(result: &DoseResult, first: &str) -> Option<String> {
    let changes = result.attribution.iter();
    let changes = changes.filter_map(|(name, one)| Some((name.as_str(), one.change.as_ref()?)));
    let much = changes.filter(|(_, change)| change.voids_rows);
    let unsaid = much.filter(|(name, _)| {
        let said = format!("Sites change too much of what {name} shows");
        !first.starts_with(&said)
    });
    let unsaid: Vec<(&str, &ProfileChange)> = unsaid.collect();
    let most = unsaid.iter().map(|(_, change)| *change);
    let most = most.max_by(|a, b| a.beyond_pt.total_cmp(&b.beyond_pt))?;
    let names: Vec<&str> = unsaid.iter().map(|(name, _)| *name).collect();
    let (show, above_all, their) = match names.len() {
        1 => ("shows", "", "its"),
        _ => ("show", "above all ", "their"),
    };
    let [as_it_is, with] =
        [most.as_it_is_pct, most.with_sites_pct].map(|share| fixed(share.value, 0));
    Some(format!(
        "Sites change what {} {show} of the program ({above_all}{}: {as_it_is} % of the Java time as it is, {with} % with sites), so \
         that {their} rows alone decide nothing.",
        listed(&names),
        most.method
    ))
}

#[cfg(test)]
mod tests {
    use super::first_sentence;

    #[test]
    fn the_first_sentence_stands_alone() {
        let two =
            "jfr is wrong about a.B.get: it shows 7.5 %; `java -cp . B` tells. More is open. Much.";
        let first = "jfr is wrong about a.B.get: it shows 7.5 %; `java -cp . B` tells.";
        assert_eq!(first_sentence(two), (first, "More is open. Much."));
        assert_eq!(first_sentence(first), (first, ""));
    }
}
