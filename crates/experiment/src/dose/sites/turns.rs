//! The order in which methods are tested: where there is room or time for some of them only, the first ones are.
//!
//! Nobody knows how much of the time a method has: that is what is tested. So the counted bytecodes and each kind of profiler take turns in
//! naming the method that they have most of. The largest share that anybody gives it would let one wrong profiler fill the list, or the
//! bytecodes, of which those of some methods take no time. A mean or a median of all would leave out what one of them alone knows.
//!
//! - A method that executes most of the bytecodes is the first, whether or not any profiler shows it: blindness is what matters most.
//! - A profiler that shows what nobody else shows has one place of as many as there are voices, while these have methods to name.
//! - Profilers of one kind walk stacks by the same code, and have one voice.

use proofmark_rules::DOSE_METHOD_PCT;

use super::candidate::Candidate;
use crate::dose::profiler_kind;

/// Who names methods.
enum Voice<'p> {
    /// The counted bytecodes.
    Bytecodes,
    /// Profilers of one kind: the mean of what they show.
    Profilers(Vec<&'p str>),
}

impl Voice<'_> {
    /// How much of a method it has, %.
    fn share(&self, one: &Candidate) -> f64 {
        match self {
            Self::Bytecodes => one.bytecode_pct.unwrap_or(0.0),
            Self::Profilers(names) => {
                let shown = |name: &&str| one.reported_pct.get(*name).copied().unwrap_or(0.0);
                names.iter().map(shown).sum::<f64>() / names.len().max(1) as f64
            }
        }
    }

    /// Place of the method of which it has most, the first of several that are alike; none where it has too little of all of them.
    fn names(&self, left: &[Candidate]) -> Option<usize> {
        let all = left.iter().map(|one| self.share(one)).enumerate();
        let large = all.filter(|(_, share)| *share >= DOSE_METHOD_PCT);
        let most = large.min_by(|a, b| b.1.total_cmp(&a.1));
        most.map(|(at, _)| at)
    }
}

/// Those that the user named, then one of each voice in turn, the bytecodes first, and in the end those of which no voice has enough. `all`:
/// hottest first; `profilers`: those that work, in the order that was asked for.
pub(super) fn in_turn(all: Vec<Candidate>, profilers: &[&str]) -> Vec<Candidate> {
    let voices = voices(profilers);
    let (mut ordered, mut left): (Vec<Candidate>, Vec<Candidate>) =
        all.into_iter().partition(|one| one.named);
    loop {
        let before = left.len();
        for voice in &voices {
            if let Some(at) = voice.names(&left) {
                ordered.push(left.remove(at));
            }
        }
        if left.len() == before {
            ordered.extend(left);
            return ordered;
        }
    }
}

/// The bytecodes, and profilers by their kinds.
fn voices<'p>(profilers: &[&'p str]) -> Vec<Voice<'p>> {
    let mut kinds: Vec<(&'p str, Vec<&'p str>)> = Vec::new();
    for name in profilers.iter().copied() {
        let kind = profiler_kind(name);
        match kinds.iter_mut().find(|(one, _)| *one == kind) {
            Some((_, names)) => names.push(name),
            None => kinds.push((kind, vec![name])),
        }
    }
    let kinds = kinds.into_iter().map(|(_, names)| Voice::Profilers(names));
    std::iter::once(Voice::Bytecodes).chain(kinds).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A method with this share of the bytecodes, and what profilers show of it, %.
    fn method(name: &str, bytecode_pct: f64, shown: &[(&str, f64)]) -> Candidate {
        let shown = shown.iter();
        let shown = shown.map(|(name, pct)| ((*name).to_owned(), *pct));
        let one = Candidate::parse(&format!("a.A.{name}")).expect("a method");
        Candidate {
            bytecode_pct: (bytecode_pct > 0.0).then_some(bytecode_pct),
            reported_pct: shown.collect(),
            ..one
        }
    }

    fn names(all: Vec<Candidate>, profilers: &[&str]) -> Vec<String> {
        let ordered = in_turn(all, profilers);
        ordered.into_iter().map(|one| one.method).collect()
    }

    #[test]
    fn every_voice_names_what_it_has_most_of() {
        let all = vec![
            method("number", 18.1, &[("async", 0.8), ("jfr", 26.9)]),
            method("time", 18.5, &[("async", 3.0), ("jfr", 3.6)]),
            method("field", 15.8, &[("async", 1.4)]),
            method("compare", 0.0, &[("async", 13.8)]),
            method("read", 0.0, &[("async", 7.5), ("jfr", 9.6)]),
        ];
        let order = names(all, &["async", "jfr"]);
        assert_eq!(order, ["time", "compare", "number", "field", "read"]);
    }

    /// What it shows has most weight, and nobody else shows any of it.
    #[test]
    fn one_wrong_profiler_does_not_fill_the_list() {
        let (own, others) = (["p", "q", "r", "s", "t"], ["a", "b", "c", "d"]);
        let wrong = own.map(|name| method(name, 0.0, &[("jfr", 19.0)]));
        let right = others.map(|name| method(name, 15.0, &[("async", 14.0)]));
        let all: Vec<Candidate> = wrong.into_iter().chain(right).collect();
        let order = names(all, &["async", "jfr"]);
        assert_eq!(order[..6], ["a", "b", "p", "c", "d", "q"]);
    }

    #[test]
    fn profilers_of_one_kind_have_one_voice() {
        let flag = "jfr+nonsafepoints";
        let all = vec![
            method("odd", 0.0, &[(flag, 28.0)]),
            method("run", 0.0, &[("jfr", 20.0), (flag, 18.0)]),
            method("get", 0.0, &[("async", 12.0)]),
        ];
        let order = names(all, &["jfr", "async", flag]);
        assert_eq!(order, ["run", "get", "odd"]);
    }

    #[test]
    fn named_ones_come_first_and_what_nobody_has_enough_of_last() {
        let flag = "jfr+nonsafepoints";
        let mut named = method("named", 0.0, &[]);
        named.named = true;
        // A mean of 1.5 %.
        let all = vec![
            named,
            method("little", 0.0, &[(flag, 3.0)]),
            method("run", 2.5, &[("jfr", 2.5)]),
        ];
        let order = names(all, &["jfr", flag]);
        assert_eq!(order, ["named", "run", "little"]);
    }
}
