//! What was executed and not counted.

use std::collections::BTreeMap;

use proofmark_count::Uncounted;

use super::listed;
use crate::Style;
use crate::names::{clean, full_name};
use crate::number::fixed;
use crate::style::hanging;

/// Said where nobody asked what share of the program was left alone.
pub(super) const UNKNOWN_SHARE: &str = "what share of the program ran in what was left alone is not known from this run: --coverage executes the program once more and says it";

/// Shares of all executed bytecodes by the reason why they are not counted, the largest first, with the classes and methods.
pub(super) fn uncounted(all: &[Uncounted], style: Style) -> String {
    let mut reasons: BTreeMap<&str, (f64, Vec<String>)> = BTreeMap::new();
    for one in all {
        let (sum, names) = reasons.entry(&one.reason).or_default();
        *sum += one.pct;
        names.push(format!("{} {} %", full_name(&one.name), fixed(one.pct, 2)));
    }
    let mut rows: Vec<(&str, (f64, Vec<String>))> = reasons.into_iter().collect();
    rows.sort_by(|a, b| b.1.0.total_cmp(&a.1.0));
    let mut out = String::new();
    for (reason, (sum, names)) in rows {
        let text = format!(
            "not counted: {} % of all, {}: {}",
            fixed(sum, 2),
            clean(reason),
            listed(&names)
        );
        out.push_str(&hanging("  ", &text, style.columns()));
    }
    out
}

#[cfg(test)]
mod tests {
    use proofmark_count::{Counted, Coverage, Executed, OwnRow};

    use super::super::count_summary;
    use super::*;

    #[test]
    fn shares_are_added_up_by_reason() {
        let one = |name: &str, reason: &str, pct: f64| Uncounted {
            name: name.into(),
            reason: reason.into(),
            bytecodes: 1,
            pct,
        };
        let all = [
            one("java.lang.Object", "known to the JVM", 4.0),
            one("java.lang.Math.max(II)I", "special", 3.0),
            one("java.lang.Math.min(II)I", "special", 2.0),
        ];
        let text = uncounted(&all, Style::default());
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let special = "not counted: 5.00 % of all, special: java.lang.Math.max(int, int) 3.00 %, java.lang.Math.min(int, int) 2.00 %";
        let object = "not counted: 4.00 % of all, known to the JVM: java.lang.Object 4.00 %";
        assert_eq!(text, format!("{special} {object}"));
        assert_eq!(uncounted(&[], Style::default()), "");
    }

    /// Whether the summary of such a count says that the share of what was left alone is not known.
    fn is_unknown(scope: &str, executed: Option<Executed>) -> bool {
        let coverage = Coverage {
            executed,
            ..Coverage::default()
        };
        let counted = Counted {
            schema: String::new(),
            source: String::new(),
            mode: "exact".into(),
            scope: scope.into(),
            granularity: 10_000,
            random: 1,
            seed: 1,
            bytecodes: 100,
            samples: 0,
            contexts: 1,
            rest: 0,
            lost: 0,
            coverage: Some(coverage),
            threads: Vec::new(),
            methods: vec![OwnRow {
                method: "Work.run()V".into(),
                bytecodes: 100,
                pct: 100.0,
            }],
            remarks: Vec::new(),
        };
        let text = count_summary(&counted, Style::default());
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        text.contains(UNKNOWN_SHARE)
    }

    #[test]
    fn of_the_jdk_an_unknown_share_is_said_to_be_unknown() {
        let executed = Executed {
            in_scope: 100,
            hidden: 0,
            all: 100,
            counted_in_scope_pct: 100.0,
            counted_pct: 100.0,
            uncounted: Vec::new(),
        };
        assert!(is_unknown("jdk", None));
        assert!(!is_unknown("jdk", Some(executed)));
        assert!(!is_unknown("application", None));
    }
}
