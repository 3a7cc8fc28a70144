//! Words about why a row is wrong.

use proofmark_experiment::dose::AttributionRow;

use crate::Names;
use crate::names::clean;

/// `missing debug information between safepoints: jfr+nonsafepoints, the same profiler with it, is right about this row`, with methods
/// as short as they can be told apart; none where nothing is known.
pub(crate) fn why(row: &AttributionRow, names: &Names) -> Option<String> {
    let cause = row.cause.as_ref()?;
    let charged = row.elsewhere.iter().map(|to| to.method.as_str());
    let mut methods: Vec<&str> = charged
        .chain([row.method.as_str()])
        .filter(|method| method.contains('.'))
        .collect();
    // A name that another one begins with comes after it.
    methods.sort_by_key(|method| std::cmp::Reverse(method.len()));
    let said = methods.iter().fold(cause.says.clone(), |text, method| {
        text.replace(*method, &names.short(method))
    });
    Some(clean(&said))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofmark_assess::Verdict;
    use proofmark_experiment::dose::{Elsewhere, JvmWords, LineVerdict, RowCause, RowCauseKind};
    use proofmark_stats::Estimate;

    fn row(cause: Option<RowCause>) -> AttributionRow {
        let part = |pct| Estimate::around(pct, 1.0, 900);
        AttributionRow {
            method: "com.acme.Table.getAll".into(),
            line: None,
            place: "entry".into(),
            kind: "arithmetic".into(),
            verdict: Verdict::Wrong,
            turns: [2, 9],
            growth_pct: [50.0, 300.0],
            growth: None,
            in_place_pct: part(0.0),
            truth_pct: [100.0, 100.0],
            truth_by_others: false,
            in_place_per_run_pct: Vec::new(),
            unknown_runs: 0,
            jvms: JvmWords::default(),
            line_pct: None,
            line_verdict: LineVerdict::Unknown,
            elsewhere: vec![Elsewhere {
                method: "com.acme.Table.get".into(),
                pct: part(99.0),
                per_run_pct: Vec::new(),
            }],
            other_pct: part(0.0),
            missing_pct: None,
            void_windows: 0,
            reveals_itself: None,
            change: None,
            own_share: None,
            small_pt: None,
            cause,
        }
    }

    #[test]
    fn a_cause_names_methods_as_the_row_does() {
        let cause = RowCause {
            kinds: vec![RowCauseKind::Inlining],
            says: "inlining: com.acme.Table.getAll is inlined into com.acme.Table.get\u{1b}".into(),
            ..RowCause::default()
        };
        let row_with = row(Some(cause));
        let names = Names::of([row_with.method.as_str(), "com.acme.Table.get"]);
        let said = why(&row_with, &names).expect("a cause");
        assert!(
            said.starts_with("inlining: Table.getAll is inlined into Table.get"),
            "{said}"
        );
        assert!(!said.contains('\u{1b}'));
        assert_eq!(why(&row(None), &names), None);
    }
}
