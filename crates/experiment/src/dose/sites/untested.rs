//! Hot methods that no profiler has a row of, and why: what was found says nothing about them.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_rules::DOSE_METHOD_PCT;

use super::candidate::{MADE, is_made, is_ours};
use super::rounds::EACH_TIME;
use crate::dose::{
    Again, Attribution, JavaShares, LeftOut, Said, UntestedMethod, methods_for, untested_said,
};

/// What the agent's reasons end with that are about a class (crates/agent/src/jvmti/refusal.rs, crates/agent/src/sites/put.rs).
const LEFT_ALONE: &str = "the class is left alone";

/// What is known of methods without a row.
pub(super) struct Untested<'a> {
    /// What each profiler shows of the program as it is.
    pub(super) looks: &'a BTreeMap<String, JavaShares>,
    /// What is said of each profiler.
    pub(super) attribution: &'a BTreeMap<String, Attribution>,
    /// Methods that were wanted, and why they could not be tested.
    pub(super) left_out: &'a [LeftOut],
    /// How many methods were wanted.
    pub(super) wanted: usize,
    /// Those that come behind these, in the order in which they would be tested.
    pub(super) beyond: &'a [String],
    /// How the test is asked for again.
    pub(super) again: &'a Again,
}

impl Untested<'_> {
    /// Hot methods without a row, the hottest first; none where no profiler is judged.
    pub(super) fn methods(&self) -> Vec<UntestedMethod> {
        if self.attribution.is_empty() {
            return Vec::new();
        }
        let rows = self.attribution.values().flat_map(|one| &one.rows);
        let tested: BTreeSet<&str> = rows.map(|row| row.method.as_str()).collect();
        let untested = |name: &str| !tested.contains(name) && !is_ours(&class(name));
        UntestedMethod::hot(self.looks, untested, |name| self.why(name))
    }

    /// The [`methods`](Self::methods) in a sentence, with the command that asks for as many as it takes where their number is the
    /// reason; none where there are none.
    pub(super) fn says(&self, hot: &[UntestedMethod]) -> Option<Said> {
        let why = each_time(hot);
        let said = |to_ask: &str| untested_said(hot, to_ask);
        let Some((methods, them)) = methods_for(hot, self.wanted, self.beyond) else {
            return said(&why).map(Said::from);
        };
        let command = self.again.with(&format!("--methods {methods}"));
        Some(Said {
            text: said(&format!(" (to test {them} too: {command}){why}"))?,
            part: said(&format!("{why}. To test {them} too: {command}"))?,
        })
    }

    /// Why a method has no row.
    fn why(&self, method: &str) -> String {
        let said = self.left_out.iter().find(|one| one.method == method);
        if let Some(one) = said {
            return one.reason.clone();
        }
        if is_made(&class(method)) {
            return MADE.to_owned();
        }
        // Asking for more methods does not help here.
        if let Some(reason) = self.left_alone(&class(method)) {
            return reason.to_owned();
        }
        match (self.is_beyond(method), self.wanted) {
            (true, 1) => "only one method is tested".to_owned(),
            (true, wanted) => format!("only {wanted} methods are tested"),
            // A second look, or one at Java methods alone, may show more of it.
            (false, _) => {
                format!("less than {DOSE_METHOD_PCT:.0} % of all time when methods were chosen")
            }
        }
    }

    /// Why the whole class is left as it is, where that is known by another method of it.
    fn left_alone(&self, of: &str) -> Option<&str> {
        let same = |one: &&LeftOut| class(&one.method) == of && one.reason.ends_with(LEFT_ALONE);
        let one = self.left_out.iter().find(same)?;
        Some(&one.reason)
    }

    fn is_beyond(&self, method: &str) -> bool {
        self.beyond.iter().any(|one| one == method)
    }
}

/// What is probably behind it that a method has no row because there was a compilation in each of its windows, with the end of the
/// sentence before; nothing where no method is without a row for that.
fn each_time(hot: &[UntestedMethod]) -> String {
    match hot.iter().any(|one| one.reason.ends_with(EACH_TIME)) {
        true => format!(". The likely reason: {EACH_TIME}"),
        false => String::new(),
    }
}

/// Internal name of the class of a method.
fn class(method: &str) -> String {
    let class = method.rsplit_once('.').map_or("", |(class, _)| class);
    class.replace('.', "/")
}

#[cfg(test)]
mod tests {
    use super::super::tune::RARE;
    use super::*;
    use crate::dose::tests::attribution;
    use proofmark_assess::Verdict;
    use proofmark_stats::Estimate;

    fn look(shares: &[(&str, f64)]) -> JavaShares {
        let one =
            |(name, pct): &(&str, f64)| ((*name).to_owned(), Estimate::around(*pct, 1.0, 900));
        shares.iter().map(one).collect()
    }

    /// What is found and said where `A.get` has a row.
    fn found(
        looks: &[JavaShares],
        left_out: &[LeftOut],
        beyond: &[&str],
    ) -> (Vec<UntestedMethod>, Option<Said>) {
        let names = ["async", "jfr"].into_iter().map(str::to_owned);
        let beyond: Vec<String> = beyond.iter().map(|name| (*name).to_owned()).collect();
        let one = attribution(Verdict::Right, 100.0, "B.place");
        let untested = Untested {
            looks: &names.zip(looks.iter().cloned()).collect(),
            attribution: &BTreeMap::from([("async".to_owned(), one)]),
            left_out,
            wanted: 2,
            beyond: &beyond,
            again: &Again::default(),
        };
        let methods = untested.methods();
        let said = untested.says(&methods);
        (methods, said)
    }

    fn said(looks: &[JavaShares], left_out: &[LeftOut], beyond: &[&str]) -> Option<String> {
        found(looks, left_out, beyond).1.map(|said| said.text)
    }

    fn left_out(method: &str, reason: &str) -> LeftOut {
        LeftOut {
            method: method.into(),
            reason: reason.into(),
        }
    }

    /// A lambda with a quarter of the time and an intrinsic with a fifth were not mentioned beside a row of a small method.
    #[test]
    fn hot_methods_without_a_row_are_named_with_the_reason() {
        let looks = [
            look(&[
                ("CsvReport$$Lambda.compare", 25.0),
                ("java.lang.String.compareTo", 22.0),
                ("A.get", 30.0),
                ("A.put", 9.0),
                ("proofmark.harness.Turns.pass", 14.0),
            ]),
            look(&[
                ("CsvReport$$Lambda.compare", 25.2),
                ("java.lang.String.compareTo", 4.0),
            ]),
        ];
        let reasons = [left_out("java.lang.String.compareTo", RARE)];
        assert_eq!(
            said(&looks, &reasons, &[]).expect("two methods"),
            "Not tested: CsvReport$$Lambda.compare (25 % of the Java time): its class is made while the program runs; \
             java.lang.String.compareTo (4 to 22 %): seldom run where a site can stand, or an intrinsic of the JVM."
        );
        let tested = [look(&[("A.get", 90.0), ("A.put", 9.9)])];
        assert_eq!(said(&tested, &reasons, &[]), None);
    }

    /// The document has the whole reason, and what every profiler shows, also of one that shows nothing.
    #[test]
    fn each_has_the_reason_and_every_share_with_its_interval_and_samples() {
        let looks = [look(&[("B.sort", 25.0)]), look(&[("A.get", 90.0)])];
        let reason = "its site at loop 1: the method is native (so it says)";
        let (methods, said) = found(&looks, &[left_out("B.sort", reason)], &[]);
        let [one] = methods.as_slice() else {
            panic!("{methods:?}");
        };
        assert_eq!(
            (one.method.as_str(), one.reason.as_str()),
            ("B.sort", reason)
        );
        assert_eq!(one.shares_pct["async"], Estimate::around(25.0, 1.0, 900));
        let none = one.shares_pct["jfr"];
        assert!(none.value == 0.0 && none.n == 900, "{none:?}");
        assert!((0.1..2.0).contains(&none.high), "{none:?}");
        let expected = "Not tested: B.sort (0 to 25 % of the Java time): the method is native.";
        assert_eq!(said, Some(Said::from(expected.to_owned())));
    }

    #[test]
    fn where_the_number_of_methods_is_the_reason_the_command_is_named() {
        let looks = [look(&[
            ("B.one", 20.0),
            ("B.two", 19.0),
            ("B.three", 12.0),
            ("B.four", 11.0),
            ("B.five", 10.5),
        ])];
        let reasons = [left_out(
            "B.two",
            "its site at loop 1: the method is native (so it says)",
        )];
        let beyond = ["B.one", "A.small", "B.three", "B.four", "B.five"];
        let (_, five) = found(&looks, &reasons, &beyond);
        let five = five.expect("five methods");
        let named = "Not tested: B.one (20 % of the Java time): only 2 methods are tested; B.two (19 %): the method is native; B.three \
                     (12 %): only 2 methods are tested; and 2 more";
        let in_text = format!("{named} (to test them too: `proofmark dose --methods 5`).");
        let alone = format!("{named}. To test them too: `proofmark dose --methods 5`.");
        assert_eq!((five.text, five.part), (in_text, alone));
        // The class of a method is known by another one of it: more methods do not help.
        let hides =
            "its class loader hides java.lang.ProofmarkSites, and so the class is left alone";
        let (methods, alone) = found(&looks, &[left_out("B.put", hides)], &beyond);
        assert!(methods.iter().all(|one| one.reason == hides), "{methods:?}");
        assert!(!alone.expect("five methods").text.contains("--methods"));
        // Windows in which classes are compiled again and again.
        let each =
            format!("under async methods with sites were compiled in 9 of 9 windows; {EACH_TIME}");
        let (_, anew) = found(&looks, &[left_out("B.one", &each)], &beyond[2..3]);
        let anew = anew.expect("five methods");
        let why = format!(". The likely reason: {EACH_TIME}.");
        let (text, part) = (anew.text, anew.part);
        assert!(text.contains("in 9 of 9 windows; B.two (19 %): "), "{text}");
        assert!(text.ends_with(&format!("`){why}")), "{text}");
        assert!(part.contains(&why) && part.ends_with('.'), "{part}");
        // Much of the time in Java methods, which is little of all time.
        let text = said(&[look(&[("B.one", 40.0)])], &[], &[]);
        let small = "Not tested: B.one (40 % of the Java time): less than 2 % of all time when methods were chosen.";
        assert_eq!(text.as_deref(), Some(small));
    }
}
