//! What belongs behind the first sentence of a test at sites: how wrong the profiler is, and whose profile sites change too much; on a
//! page also who else is wrong, and which hot methods were not tested.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{DoseResult, ProfileChange, listed};

use super::misplaced::misplaced_points;
use crate::number::fixed;

/// Hot methods without a row that the box of a page names; more are counted.
const NAMED: usize = 2;

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

/// The first clause of a text, up to the first semicolon or full stop that is neither in a command, between backticks, nor in
/// parentheses.
pub(crate) fn in_short(said: &str) -> &str {
    let (mut inside, mut depth) = (false, 0_usize);
    let end = said.char_indices().find_map(|(at, sign)| {
        match sign {
            '`' => inside = !inside,
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let ends = said[at..].starts_with("; ") || said[at..].starts_with(". ");
        (ends && !inside && depth == 0).then_some(at)
    });
    &said[..end.unwrap_or(said.len())]
}

/// What to do after a test by dose, with how wrong the profiler is and what sites change behind the first sentence.
pub(super) fn headline(result: &DoseResult) -> String {
    let (first, rest) = first_sentence(&result.advice);
    sentences([
        Some(first.to_owned()),
        how_wrong(result, first),
        changed(result, first),
        Some(rest.to_owned()),
    ])
}

/// The same for the box of a page, in short, without how wrong, which stands beside the verdict; and what stands below, a part for each
/// other thing. Of a result without parts the box says all.
pub(super) fn in_parts(result: &DoseResult) -> (String, &[String]) {
    let parts = result.advice_parts.split_first();
    let (head, below) = parts.unwrap_or((&result.advice, &[]));
    let (first, rest) = first_sentence(head);
    let said = sentences([
        Some(first.to_owned()),
        wrong_too(result, first),
        changed(result, first),
        Some(rest.to_owned()),
        not_tested(result).filter(|_| !below.is_empty()),
    ]);
    (said, below)
}

fn sentences(all: impl IntoIterator<Item = Option<String>>) -> String {
    let all = all.into_iter().flatten();
    let all: Vec<String> = all.filter(|said| !said.is_empty()).collect();
    all.join(" ")
}

/// `In all, jfr misplaces 17 to 23 points of the Java time.`, of the profiler that the first sentence calls wrong; none where it
/// calls none wrong or says itself how many points, or nobody knows.
fn how_wrong(result: &DoseResult, first: &str) -> Option<String> {
    let mut wrong = result.attribution.iter();
    let (name, one) = wrong.find(|(name, one)| {
        one.verdict == Verdict::Wrong && first.starts_with(&format!("{name} is wrong"))
    })?;
    if first.starts_with(&format!("{name} is wrong: it misplaces")) {
        return None;
    }
    let points = misplaced_points(result, one)?;
    Some(format!("In all, {name} misplaces {points}."))
}

/// `jfr is wrong too.`: profilers beside the one that the first sentence calls wrong.
fn wrong_too(result: &DoseResult, first: &str) -> Option<String> {
    let wrong = result.attribution.iter();
    let wrong = wrong.filter(|(_, one)| one.verdict == Verdict::Wrong);
    let names = wrong.map(|(name, _)| name.as_str());
    let (said, others): (Vec<&str>, Vec<&str>) =
        names.partition(|name| first.starts_with(&format!("{name} is wrong")));
    let are = if others.len() == 1 { "is" } else { "are" };
    let too = !said.is_empty() && !others.is_empty();
    too.then(|| format!("{} {are} wrong too.", listed(&others)))
}

/// `Not tested, though hot: A.sort, B.get and 2 more.`
fn not_tested(result: &DoseResult) -> Option<String> {
    let hot = result.untested.iter();
    let hot: Vec<&str> = hot.map(|one| one.method.as_str()).collect();
    let more = match hot.len().saturating_sub(NAMED) {
        0 => None,
        1 => Some("one more".to_owned()),
        more => Some(format!("{more} more")),
    };
    let named = hot.iter().copied().take(NAMED);
    let named: Vec<&str> = named.chain(more.as_deref()).collect();
    (!named.is_empty()).then(|| format!("Not tested, though hot: {}.", listed(&named)))
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
    use super::{first_sentence, in_short};

    #[test]
    fn the_first_sentence_stands_alone() {
        let two =
            "jfr is wrong about a.B.get: it shows 7.5 %; `java -cp . B` tells. More is open. Much.";
        let first = "jfr is wrong about a.B.get: it shows 7.5 %; `java -cp . B` tells.";
        assert_eq!(first_sentence(two), (first, "More is open. Much."));
        assert_eq!(first_sentence(first), (first, ""));
    }

    #[test]
    fn a_clause_ends_neither_in_a_command_nor_in_parentheses() {
        let said = "it takes 7.5 s, so 3 are tested (all; `java -cp . B; C` too). Read on";
        let first = "it takes 7.5 s, so 3 are tested (all; `java -cp . B; C` too)";
        assert_eq!(in_short(said), first);
        assert_eq!(in_short("two; three"), "two");
        assert_eq!(in_short("whole."), "whole.");
    }
}
