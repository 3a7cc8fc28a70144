//! Where a second sentence stands beside the advice, and where none does.

use super::*;

/// It may have said first what would be said second today.
#[test]
fn beside_the_advice_of_an_earlier_version_nothing_is_said() {
    let all = map(&demo());
    let said = |about: Option<&AdviceAbout>| besides(&all, &AsItIs::new(), 5.0, about);
    let today = advice_about(&all, 5.0);
    assert!(said(Some(&today)).is_some());
    assert_eq!(said(None), None);
    let accused = |profiler: &str, by, method: &str| {
        let accused = Accused {
            profiler: profiler.to_owned(),
            by,
            method: Some(method.to_owned()),
        };
        AdviceAbout {
            accused: Some(accused),
            ..AdviceAbout::default()
        }
    };
    assert_eq!(today, accused("jfr", AccusedBy::Share, PLACE));
    for earlier in [
        accused("jfr", AccusedBy::AddedTime, PLACE),
        accused("jfr", AccusedBy::Share, GET),
        accused("async", AccusedBy::Share, PLACE),
        AdviceAbout::default(),
    ] {
        assert_eq!(said(Some(&earlier)), None, "{earlier:?}");
    }
}

#[test]
fn where_nothing_else_is_wrong_nothing_else_is_said() {
    let right = map(&[("async", profiler(Verdict::Right, 100.0, 15.0))]);
    assert_eq!(beside(&right), None);
    assert!(advice(&right, 5.0).starts_with("async is right where we looked"));
    let open = map(&[("async", profiler(Verdict::Undecided, 93.0, 15.0))]);
    assert_eq!(beside(&open), None);
    assert!(advice(&open, 5.0).starts_with("async is undecided"));
    let mut unknown = profiler(Verdict::Wrong, 2.0, 15.0);
    unknown.verdict = Verdict::Undecided;
    let unknown = map(&[("jfr", unknown)]);
    assert_eq!(beside(&unknown), None);
    assert_eq!(
        advice(&unknown, 5.0),
        "Of the time that was added to Queens.placeQueen, jfr reports 98 % in Queens.getRowColumn. How much of the \
         program's time this concerns is not known well enough to call it wrong, because no other profiler here is its \
         witness (right at every site that counts, and not wrong otherwise): jfr is undecided."
    );
    let row = map(&[("jfr", profiler(Verdict::Wrong, 2.0, 15.0))]);
    assert_eq!(beside(&row), None);
    let mut profile = demo();
    profile[1].1.rows[0].verdict = Verdict::Right;
    let profile = map(&profile);
    assert_eq!(beside(&profile), None);
}
