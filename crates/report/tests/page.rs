//! The page: complete, safe against hostile names, whole with parts missing.

use crate::common::{assessment, bare, broken, divined, hostile, page, report};
use proofmark_report::{PageData, dose_html, events_html, html, study_html};

/// Writes a page where a person or a browser can look at it.
pub fn keep(name: &str, text: &str) -> std::path::PathBuf {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("page");
    path
}

/// Every element that is opened is closed, in order.
pub fn balanced(html: &str) {
    const VOID: [&str; 3] = ["meta", "br", "wbr"];
    let mut open: Vec<String> = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        let end = rest.find('>').expect("an end of the tag");
        let (tag, after) = (&rest[..end], &rest[end + 1..]);
        rest = after;
        let name: String = tag
            .chars()
            .skip_while(|c| *c == '/')
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        if tag.starts_with('/') {
            assert_eq!(
                open.pop().as_deref(),
                Some(name.as_str()),
                "near {}",
                &after[..after.len().min(80)]
            );
        } else if !tag.starts_with('!') && !tag.ends_with('/') && !VOID.contains(&name.as_str()) {
            if ["script", "style"].contains(&name.as_str()) {
                rest = &rest[rest.find(&format!("</{name}")).expect("its end")..];
            }
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

/// Nothing is loaded from anywhere.
pub fn self_contained(html: &str) {
    for bad in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!html.contains(bad), "{bad}");
    }
    assert!(!html.contains("NaN") && !html.contains("inf\""));
}

/// The page with spaces in place of those at which no line is broken.
pub fn spaced(html: &str) -> String {
    html.replace("&nbsp;", " ")
}

pub fn embedded(html: &str) -> serde_json::Value {
    let start = html.find("id=\"data\">").expect("data") + 10;
    let end = start + html[start..].find("</script").expect("its end");
    serde_json::from_str(&html[start..end]).expect("JSON")
}

#[test]
fn whole_page() {
    let data = page();
    let text = html(&data);
    keep("page.html", &text);
    balanced(&text);
    self_contained(&text);
    assert_eq!(embedded(&text), serde_json::to_value(&data).unwrap());
    assert_eq!(text, html(&data), "the same data give the same page");
    let back: PageData = serde_json::from_value(embedded(&text)).unwrap();
    assert_eq!(
        back.assessment.unwrap().profilers.len(),
        data.assessment.unwrap().profilers.len()
    );
    for svg in text.split("<svg").skip(1) {
        let svg = &svg[..svg.find("</svg").unwrap()];
        assert!(svg.contains("role=\"img\"><title>") && svg.contains("<desc>"));
        assert!(
            svg.matches("class=\"axis\"").count() >= 1,
            "axes have labels"
        );
    }
    for figure in text.split("<figure>").skip(1) {
        let caption =
            &figure[figure.find("<figcaption>").unwrap()..figure.find("</figcaption>").unwrap()];
        assert!(caption.contains("n = "), "{caption}");
    }
}

#[test]
fn missing_parts() {
    let empty = PageData::new("com.acme.Main");
    let only = |set: &dyn Fn(&mut PageData)| {
        let mut data = empty.clone();
        set(&mut data);
        data
    };
    let report = report(&divined());
    let divine = html(&only(&|d| d.divine = Some(report.clone())));
    assert!(spaced(&divine).contains("pooled (too little time to be judged, slowed together)"));
    let pages = [
        ("empty.html", empty.clone()),
        ("broken.html", only(&|d| d.assessment = Some(broken()))),
        ("bare.html", only(&|d| d.assessment = Some(bare()))),
        ("divine.html", only(&|d| d.divine = Some(report.clone()))),
        (
            "unmeasured.html",
            only(&|d| {
                let mut r = report.clone();
                (r.overhead_pct, r.block_error_pt, r.block_error_noise_pt) = (None, None, None);
                r.blocks
                    .iter_mut()
                    .for_each(|b| (b.share_pct, b.achieved_overhead_pct) = (None, None));
                d.divine = Some(r);
            }),
        ),
        (
            "untested.html",
            only(&|d| {
                let mut a = assessment();
                a.profilers.iter_mut().for_each(|p| {
                    p.tests = Default::default();
                    p.error_pt = Default::default();
                    p.shares.clear();
                    p.windows.clear();
                });
                d.assessment = Some(a);
            }),
        ),
    ];
    for (name, data) in pages {
        let text = html(&data);
        keep(name, &text);
        balanced(&text);
        self_contained(&text);
    }
}

#[test]
fn hostile_names() {
    let data = hostile();
    let text = html(&data);
    keep("hostile.html", &text);
    balanced(&text);
    assert_eq!(text.matches("<script").count(), 2, "only our own scripts");
    assert!(!text.contains("<!--") && !text.contains("onload=\"x"));
    assert_eq!(embedded(&text), serde_json::to_value(&data).unwrap());
}

#[test]
fn study_page() {
    let analysis = crate::common::study::analysis();
    let text = study_html(&analysis, &crate::common::study::page());
    keep("study.html", &text);
    balanced(&text);
    self_contained(&text);
    assert_eq!(text.matches("<script").count(), 2, "only our own scripts");
    assert_eq!(embedded(&text), serde_json::to_value(&analysis).unwrap());
    for figure in text.split("<figure>").skip(1) {
        assert!(figure.contains("<svg") && figure.contains("n = "));
    }
    assert!(text.contains("class=\"hatch\"") && text.contains("class=\"box\""));
    assert!(text.contains("class=\"mark g0\"") && text.contains("class=\"heat h"));
}

#[test]
fn events_page() {
    for (name, report) in [
        ("events.html", crate::common::events::report(0)),
        ("events-hostile.html", crate::common::events::hostile()),
        (
            "events-restricted.html",
            crate::common::events::restricted(),
        ),
    ] {
        let text = events_html(&report, &crate::common::study::page());
        keep(name, &text);
        balanced(&text);
        self_contained(&text);
        assert_eq!(text.matches("<script").count(), 2, "only our own scripts");
        assert!(!text.contains("<!--") && !text.contains("onload=\"x"));
        assert_eq!(embedded(&text), serde_json::to_value(&report).unwrap());
        for part in [
            "id=\"events\"",
            "id=\"units\"",
            "id=\"lines\"",
            "id=\"missing\"",
        ] {
            assert!(text.contains(part), "{part}");
        }
        assert!(text.matches("<svg").count() >= 2);
        let text = spaced(&text);
        assert!(text.contains("less than 95 % of the executed blocks"));
        if report.runs_per_iteration > 1 {
            for part in [
                "2 iterations of 64 runs of the program each",
                "per run",
                "59.5 %",
            ] {
                assert!(text.contains(part), "{part}");
            }
        }
    }
}

#[test]
fn causes_say_what_they_are_and_what_to_do() {
    let text = html(&page());
    assert!(text.contains("Causes that were found, and what to do"));
    assert!(text.contains("-XX:+DebugNonSafepoints."));
    let dose = dose_html(
        &crate::common::dose::result(),
        &crate::common::study::page(),
    );
    let dose = spaced(&dose);
    assert!(dose.contains("66 % of the Java time judged"), "judged");
    let certificate = "A right verdict covers arithmetic only; copy and fill, which run";
    assert!(dose.contains(certificate), "what was not tested");
}
