//! Hot methods that no profiler has a row of.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_rules::DOSE_HOT_PCT;
use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::JavaShares;
use super::profile::share as share_in;
use super::sites::RARE;

/// Methods that are named; more are counted.
const NAMED: usize = 3;

/// What a reason begins with where the number of methods is it: `only 12 methods are tested`.
const FEW: &str = "only ";

/// A method that takes much of the time and was not tested.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UntestedMethod {
    /// The method.
    pub method: String,
    /// Why no profiler has a row of it.
    pub reason: String,
    /// What each profiler shows of it in the program as it is, % of the Java time; n: samples. 0 where a profiler does not show it.
    /// Of native programs with all sites at rest, % of the time in known functions, or of callgrind of their instructions.
    pub shares_pct: BTreeMap<String, Estimate>,
}

impl UntestedMethod {
    /// The least and the greatest share that a profiler shows, %.
    fn ends_pct(&self) -> [f64; 2] {
        let shares = self.shares_pct.values().map(|share| share.value);
        shares.fold([f64::INFINITY, 0.0], |[least, most], share| {
            [least.min(share), most.max(share)]
        })
    }

    /// Those of which any profiler shows a tenth or more, the hottest first. `looks`: what each profiler shows; `untested`: whether one
    /// has no row; `why`: why not.
    #[must_use]
    pub fn hot(
        looks: &BTreeMap<String, JavaShares>,
        untested: impl Fn(&str) -> bool,
        why: impl Fn(&str) -> String,
    ) -> Vec<Self> {
        let names = looks.values().flat_map(|look| look.keys());
        let names: BTreeSet<&str> = names.map(String::as_str).collect();
        let all = names.into_iter().filter(|name| untested(name));
        let all = all.map(|method| Self {
            method: method.to_owned(),
            reason: why(method),
            shares_pct: shown_by_each(looks, method),
        });
        let hottest = |one: &Self| one.ends_pct()[1];
        let mut hot: Vec<Self> = all.filter(|one| hottest(one) >= DOSE_HOT_PCT).collect();
        hot.sort_by(|a, b| hottest(b).total_cmp(&hottest(a)));
        hot
    }

    /// Adds what further profilers show of it: their shares are of something else, and do not tell which methods are hot.
    pub fn also(&mut self, looks: &BTreeMap<String, JavaShares>) {
        self.shares_pct.extend(shown_by_each(looks, &self.method));
    }
}

/// What each profiler that shows anything shows of a method, %.
#[must_use]
pub fn shown_by_each(
    looks: &BTreeMap<String, JavaShares>,
    method: &str,
) -> BTreeMap<String, Estimate> {
    let looks = looks.iter().filter(|(_, look)| !look.is_empty());
    looks
        .map(|(name, look)| (name.clone(), share_in(look, method)))
        .collect()
}

/// `Not tested: A.sort (25 % of the Java time): the method is native; A.get (22 %): only 2 methods are tested (to test it too: ...).`;
/// none where there are none. `to_ask`: what stands in brackets at the end, with a space before it.
#[must_use]
pub fn untested_said(hot: &[UntestedMethod], to_ask: &str) -> Option<String> {
    let named: Vec<String> = (hot.iter().take(NAMED).enumerate())
        .map(|(at, one)| {
            let of = if at == 0 { " of the Java time" } else { "" };
            let (share, why) = (share(one), in_short(&one.reason));
            format!("{} ({share}{of}): {why}", one.method)
        })
        .collect();
    let more = match hot.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    (!named.is_empty()).then(|| format!("Not tested: {}{more}{to_ask}.", named.join("; ")))
}

/// How many methods must be asked for so that those of the named ones are tested too that come behind the ones that were `wanted`, and
/// whether that is `it` or `them`; none where their number is no reason. `beyond`: those that come behind, in their order.
#[must_use]
pub fn methods_for(
    hot: &[UntestedMethod],
    wanted: usize,
    beyond: &[String],
) -> Option<(usize, &'static str)> {
    let named: Vec<&str> = (hot.iter().take(NAMED))
        .filter(|one| one.reason.starts_with(FEW))
        .map(|one| one.method.as_str())
        .filter(|method| beyond.iter().any(|one| one == method))
        .collect();
    let last = beyond
        .iter()
        .rposition(|one| named.contains(&one.as_str()))?;
    let them = if named.len() == 1 { "it" } else { "them" };
    Some((wanted + last + 1, them))
}

/// `25 %`, or `3 to 25 %` where profilers differ.
fn share(one: &UntestedMethod) -> String {
    let [least, most] = one.ends_pct().map(|pct| format!("{pct:.0}"));
    match least == most {
        true => format!("{most} %"),
        false => format!("{least} to {most} %"),
    }
}

/// The first clause of a reason, without the place of a site.
fn in_short(reason: &str) -> String {
    if reason == RARE {
        return "seldom run where a site can stand, or an intrinsic of the JVM".to_owned();
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

    /// Functions of a native program have no sites for reasons of their own.
    #[test]
    fn those_with_a_row_and_small_ones_are_none_of_them() {
        let shares = [
            ("main", 60.0),
            ("libc.so.6:memcpy", 12.0),
            ("sort", 18.0),
            ("put", 9.0),
        ];
        let share = |(name, pct): (&str, f64)| (name.to_owned(), Estimate::around(pct, 1.0, 900));
        let looks = BTreeMap::from([
            ("perf".to_owned(), shares.map(share).into()),
            ("samply".to_owned(), JavaShares::new()),
        ]);
        let hot = UntestedMethod::hot(
            &looks,
            |name| name != "main",
            |name| match name {
                "sort" => "only one function is tested".to_owned(),
                _ => "it is in another file than the program".to_owned(),
            },
        );
        let names: Vec<&str> = hot.iter().map(|one| one.method.as_str()).collect();
        assert_eq!(names, ["sort", "libc.so.6:memcpy"]);
        // One that shows nothing at all says nothing of it.
        let of: Vec<&String> = hot[0].shares_pct.keys().collect();
        assert_eq!(of, ["perf"]);
        let counted = JavaShares::from([share(("sort", 7.0))]);
        let mut also = hot[0].clone();
        also.also(&BTreeMap::from([("callgrind".to_owned(), counted)]));
        let of = also.shares_pct.iter();
        let of: Vec<(&str, f64)> = of.map(|(name, one)| (name.as_str(), one.value)).collect();
        assert_eq!(of, [("callgrind", 7.0), ("perf", 18.0)]);
        let beyond = ["put", "sort"].map(str::to_owned);
        assert_eq!(methods_for(&hot, 1, &beyond), Some((3, "it")));
        assert_eq!(methods_for(&hot, 1, &beyond[..1]), None);
        let mut otherwise = hot.clone();
        otherwise[0].reason = "the class is left alone".into();
        assert_eq!(methods_for(&otherwise, 1, &beyond), None);
        assert_eq!(
            untested_said(&hot, " (so)").expect("two"),
            "Not tested: sort (18 % of the Java time): only one function is tested; libc.so.6:memcpy (12 %): it is in another file than the \
             program (so)."
        );
        assert_eq!(untested_said(&[], ""), None);
    }
}
