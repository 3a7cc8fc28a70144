//! What belongs behind the sentence of a test at sites that calls a profiler wrong: how wrong it is, and whose profile sites change too
//! much; on a page also who else is wrong, and which hot methods were not tested.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{
    Accused, AccusedBy, Attribution, DoseResult, ProfileChange, advice_about, first_sentence,
    listed,
};

use super::misplaced::misplaced_points;
use super::profile::looks;
use crate::number::fixed;

/// Hot methods without a row that the box of a page names; more are counted.
const NAMED: usize = 2;

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

/// A clause without what stands in parentheses at its end, unless a command does.
pub(crate) fn before_parentheses(said: &str) -> &str {
    let mut depth = 0_usize;
    let begin = said.char_indices().rev().find_map(|(at, sign)| {
        match sign {
            ')' => depth += 1,
            '(' => depth = depth.saturating_sub(1),
            _ => {}
        }
        (depth == 0).then_some(at)
    });
    match begin {
        Some(at) if said.ends_with(')') && !said[at..].contains('`') => said[..at].trim_end(),
        _ => said,
    }
}

/// What to do after a test by dose, a text for each thing: about which method nobody is right, if that is said first; who is wrong, with how
/// wrong and what sites change; what else is said in front; then each of the other parts. Of a result without parts all that is said
/// behind is one text. An earlier version says in words alone whom it calls wrong: then the first sentence stands alone, and how wrong is
/// not said.
pub(super) fn headline(result: &DoseResult) -> Vec<String> {
    let (head, below) = head(result);
    let [before, accusing, rest] = in_front(result, head);
    let accusing = sentences([
        Some(accusing.to_owned()),
        how_wrong(result),
        changed(result),
    ]);
    let all = [before.to_owned(), accusing, rest.to_owned()].into_iter();
    let all = all.chain(below.iter().cloned());
    all.filter(|said| !said.is_empty()).collect()
}

/// The same for the box of a page, in short, without how wrong, which stands beside the verdict; and what stands below, a part for each
/// other thing. Of a result without parts the box says all.
pub(super) fn in_parts(result: &DoseResult) -> (Vec<String>, &[String]) {
    let (head, below) = head(result);
    let [before, accusing, rest] = in_front(result, head);
    let accusing = sentences([
        Some(accusing.to_owned()),
        wrong_too(result),
        changed(result),
    ]);
    let all = [before.to_owned(), accusing, rest.to_owned()].into_iter();
    let all = all.chain(not_tested(result).filter(|_| !below.is_empty()));
    (all.filter(|said| !said.is_empty()).collect(), below)
}

/// What is said first, and the other parts; all of it and none of a result without parts.
fn head(result: &DoseResult) -> (&str, &[String]) {
    match result.advice_parts.split_first() {
        Some((head, below)) => (head.as_str(), below),
        None => (result.advice.as_str(), &[]),
    }
}

/// What is said before a profiler is called wrong, the sentence that does it, and the rest. Where none does: nothing, the first sentence and
/// the rest.
fn in_front<'a>(result: &DoseResult, said: &'a str) -> [&'a str; 3] {
    let about = result.advice_about.as_ref();
    let before = about.map_or(0, |about| about.sentences_before);
    let rest = (0..before).fold(said, |rest, _| first_sentence(rest).1);
    let before = &said[..said.len() - rest.len()];
    let (sentence, behind) = first_sentence(rest);
    [before.trim_end(), sentence, behind]
}

/// The wrong profiler that a sentence accuses; none in documents of earlier versions, which say it in words alone.
fn accused(result: &DoseResult) -> Option<(&Accused, &Attribution)> {
    let accused = result.advice_about.as_ref()?.accused.as_ref()?;
    let one = result.attribution.get(&accused.profiler)?;
    (one.verdict == Verdict::Wrong).then_some((accused, one))
}

fn sentences(all: impl IntoIterator<Item = Option<String>>) -> String {
    let all = all.into_iter().flatten();
    let all: Vec<String> = all.filter(|said| !said.is_empty()).collect();
    all.join(" ")
}

/// `In all, jfr misplaces 17 to 23 points of the Java time.`, of the profiler that a sentence calls wrong; none where it calls none wrong or
/// says itself how many points, or nobody knows.
fn how_wrong(result: &DoseResult) -> Option<String> {
    let (accused, one) = accused(result)?;
    if accused.by == AccusedBy::Total {
        return None;
    }
    let points = misplaced_points(result, one)?;
    Some(format!("In all, {} misplaces {points}.", accused.profiler))
}

/// `jfr is wrong too.`: profilers beside the one that a sentence calls wrong.
fn wrong_too(result: &DoseResult) -> Option<String> {
    let (accused, _) = accused(result)?;
    let accused = &accused.profiler;
    let wrong = result.attribution.iter();
    let wrong = wrong.filter(|(name, one)| one.verdict == Verdict::Wrong && *name != accused);
    let others: Vec<&str> = wrong.map(|(name, _)| name.as_str()).collect();
    let are = if others.len() == 1 { "is" } else { "are" };
    (!others.is_empty()).then(|| format!("{} {are} wrong too.", listed(&others)))
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

/// `Sites change what async shows of the program (Bounce.run: 18 % of the Java time in one look at it as it is, 66 % with sites), so that its
/// rows alone decide nothing.`: the profilers of which that is so and what is said first does not say it, with the largest change. What documents
/// of earlier versions say first is taken to be what would be said today.
fn changed(result: &DoseResult) -> Option<String> {
    let said = match &result.advice_about {
        Some(about) => about.changed.clone(),
        None => advice_about(&result.attribution, result.margin_pt).changed,
    };
    let changes = result.attribution.iter();
    let changes =
        changes.filter_map(|(name, one)| Some((name.as_str(), one, one.change.as_ref()?)));
    let much = changes.filter(|(_, _, change)| change.voids_rows);
    let unsaid = much.filter(|(name, ..)| Some(*name) != said.as_deref());
    let unsaid: Vec<(&str, &Attribution, &ProfileChange)> = unsaid.collect();
    let most = unsaid.iter().map(|(_, one, change)| (*one, *change));
    let (one, most) = most.max_by(|a, b| a.1.beyond_pt.total_cmp(&b.1.beyond_pt))?;
    let names: Vec<&str> = unsaid.iter().map(|(name, ..)| *name).collect();
    let (show, above_all, their) = match names.len() {
        1 => ("shows", "", "its"),
        _ => ("show", "above all ", "their"),
    };
    let [as_it_is, with] =
        [most.as_it_is_pct, most.with_sites_pct].map(|share| fixed(share.value, 0));
    Some(format!(
        "Sites change what {} {show} of the program ({above_all}{}: {as_it_is} % of the Java time in {} at it as it is, {with} % \
         with sites), so that {their} rows alone decide nothing.",
        listed(&names),
        most.method,
        looks(one)
    ))
}

#[cfg(test)]
mod tests {
    use super::{before_parentheses, in_short};

    #[test]
    fn a_clause_ends_neither_in_a_command_nor_in_parentheses() {
        let said = "it takes 7.5 s, so 3 are tested (all; `java -cp . B; C` too). Read on";
        let first = "it takes 7.5 s, so 3 are tested (all; `java -cp . B; C` too)";
        assert_eq!(in_short(said), first);
        assert_eq!(in_short("two; three"), "two");
        assert_eq!(in_short("whole."), "whole.");
    }

    #[test]
    fn what_stands_in_parentheses_at_the_end_is_left_out() {
        let changed = "it changed under jfr (most in A.get(int): 11 % (10 to 13; n = 9) at first)";
        assert_eq!(before_parentheses(changed), "it changed under jfr");
        let asks = "3 of 9 methods are tested (all of them: `proofmark dose --methods 9`)";
        for whole in ["load (3.1) is high", "closed)", asks, ""] {
            assert_eq!(before_parentheses(whole), whole);
        }
    }
}
