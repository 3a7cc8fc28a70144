//! Hot methods that no profiler has a row of, and why: what was found says nothing about them.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_rules::{DOSE_HOT_PCT, DOSE_METHOD_PCT};

use super::choose::{is_made, is_ours};
use super::tune::RARE;
use crate::dose::{Again, Attribution, JavaShares, LeftOut};

/// Methods that are named; more are counted.
const NAMED: usize = 3;

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
    /// Those that come behind these, hottest first.
    pub(super) beyond: &'a [String],
    /// How the test is asked for again.
    pub(super) again: &'a Again,
}

/// A method that takes much of the time and has no row.
struct Hot<'a> {
    method: &'a str,
    /// The least and the greatest share that a profiler shows, % of the Java time.
    pct: [f64; 2],
}

impl Hot<'_> {
    /// `25 %`, or `3 to 25 %` where profilers differ.
    fn share(&self) -> String {
        let [least, most] = self.pct.map(|pct| format!("{pct:.0}"));
        match least == most {
            true => format!("{most} %"),
            false => format!("{least} to {most} %"),
        }
    }
}

impl Untested<'_> {
    /// `Not tested: A.sort (25 % of the Java time): the method is native; A.get (22 %): only 2 methods are tested (to test it too: ...).`;
    /// none where every hot method has a row, or no profiler is judged.
    pub(super) fn says(&self) -> Option<String> {
        if self.attribution.is_empty() {
            return None;
        }
        let hot = self.hot();
        let named: Vec<String> = (hot.iter().take(NAMED).enumerate())
            .map(|(at, one)| {
                let of = if at == 0 { " of the Java time" } else { "" };
                let (share, why) = (one.share(), self.why(one.method));
                format!("{} ({share}{of}): {why}", one.method)
            })
            .collect();
        let more = match hot.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        let to_ask = self.to_ask(&hot).unwrap_or_default();
        (!named.is_empty()).then(|| format!("Not tested: {}{more}{to_ask}.", named.join("; ")))
    }

    /// Hot methods without a row, the hottest first.
    fn hot(&self) -> Vec<Hot<'_>> {
        let rows = self.attribution.values().flat_map(|one| &one.rows);
        let tested: BTreeSet<&str> = rows.map(|row| row.method.as_str()).collect();
        let names = self.looks.values().flat_map(|look| look.keys());
        let names: BTreeSet<&str> = names.map(String::as_str).collect();
        let untested = names.into_iter().filter(|name| !tested.contains(name));
        let all = untested.filter(|name| !is_ours(&class(name)));
        let all = all.map(|method| Hot {
            method,
            pct: self.shown(method),
        });
        let mut hot: Vec<Hot<'_>> = all.filter(|one| one.pct[1] >= DOSE_HOT_PCT).collect();
        hot.sort_by(|a, b| b.pct[1].total_cmp(&a.pct[1]));
        hot
    }

    /// The least and the greatest share that profilers show, % of the Java time.
    fn shown(&self, method: &str) -> [f64; 2] {
        let looks = self.looks.values().filter(|look| !look.is_empty());
        let shares = looks.map(|look| look.get(method).map_or(0.0, |share| share.value));
        shares.fold([f64::INFINITY, 0.0], |[least, most], share| {
            [least.min(share), most.max(share)]
        })
    }

    /// Why a method has no row, in a few words.
    fn why(&self, method: &str) -> String {
        let said = self.left_out.iter().find(|one| one.method == method);
        if let Some(one) = said {
            return in_short(&one.reason);
        }
        if is_made(&class(method)) {
            return "its class is made while the program runs".to_owned();
        }
        match (self.is_beyond(method), self.wanted) {
            (true, 1) => "only one method is tested".to_owned(),
            (true, wanted) => format!("only {wanted} methods are tested"),
            (false, _) => format!("less than {DOSE_METHOD_PCT:.0} % of all time"),
        }
    }

    fn is_beyond(&self, method: &str) -> bool {
        self.beyond.iter().any(|one| one == method)
    }

    /// ` (to test it too: ...)`, with the command that wants as many methods as it takes; none where the number of methods is no reason.
    fn to_ask(&self, hot: &[Hot<'_>]) -> Option<String> {
        let named: Vec<&str> = (hot.iter().take(NAMED))
            .map(|one| one.method)
            .filter(|method| self.is_beyond(method))
            .collect();
        let last = self
            .beyond
            .iter()
            .rposition(|one| named.contains(&one.as_str()))?;
        let them = if named.len() == 1 { "it" } else { "them" };
        let methods = self.wanted + last + 1;
        let command = self.again.with(&format!("--methods {methods}"));
        Some(format!(" (to test {them} too: {command})"))
    }
}

/// Internal name of the class of a method.
fn class(method: &str) -> String {
    let class = method.rsplit_once('.').map_or("", |(class, _)| class);
    class.replace('.', "/")
}

/// The first clause of a reason, without the place of a site.
fn in_short(reason: &str) -> String {
    if reason == RARE {
        return "seldom run, or an intrinsic of the JVM".to_owned();
    }
    let of_site = reason.strip_prefix("its site at ");
    let reason = of_site
        .and_then(|rest| rest.split_once(": "))
        .map_or(reason, |(_, why)| why);
    let end = [": ", "; ", " ("]
        .iter()
        .filter_map(|mark| reason.find(*mark));
    reason[..end.min().unwrap_or(reason.len())].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dose::tests::attribution;
    use proofmark_assess::Verdict;
    use proofmark_stats::Estimate;

    fn look(shares: &[(&str, f64)]) -> JavaShares {
        let one =
            |(name, pct): &(&str, f64)| ((*name).to_owned(), Estimate::around(*pct, 1.0, 900));
        shares.iter().map(one).collect()
    }

    /// What is said where `A.get` has a row.
    fn said(looks: &[JavaShares], left_out: &[LeftOut], beyond: &[&str]) -> Option<String> {
        let names = ["async", "jfr"].into_iter().map(str::to_owned);
        let beyond: Vec<String> = beyond.iter().map(|name| (*name).to_owned()).collect();
        let one = attribution(Verdict::Right, 100.0, "B.place");
        Untested {
            looks: &names.zip(looks.iter().cloned()).collect(),
            attribution: &BTreeMap::from([("async".to_owned(), one)]),
            left_out,
            wanted: 2,
            beyond: &beyond,
            again: &Again::default(),
        }
        .says()
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
             java.lang.String.compareTo (4 to 22 %): seldom run, or an intrinsic of the JVM."
        );
        let tested = [look(&[("A.get", 90.0), ("A.put", 9.9)])];
        assert_eq!(said(&tested, &reasons, &[]), None);
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
        let text = said(
            &looks,
            &reasons,
            &["B.one", "A.small", "B.three", "B.four", "B.five"],
        );
        assert_eq!(
            text.expect("five methods"),
            "Not tested: B.one (20 % of the Java time): only 2 methods are tested; B.two (19 %): the method is native; B.three (12 %): \
             only 2 methods are tested; and 2 more (to test them too: `proofmark dose --methods 5`)."
        );
        // Much of the time in Java methods, which is little of all time.
        let text = said(&[look(&[("B.one", 40.0)])], &[], &[]);
        let small = "Not tested: B.one (40 % of the Java time): less than 2 % of all time.";
        assert_eq!(text.as_deref(), Some(small));
    }
}
