//! The page in headless Chromium: no script errors, nothing wider than a telephone.

use std::path::Path;
use std::process::{Command, Output};

use crate::common::{bare, broken, divined, page, report};
use proofmark_report::{PageData, dose_html, evaluation_html, events_html, html, study_html};
use proofmark_test_support::browser;
use serde_json::Value;

/// Says at the end of the page how wide it is, which elements stick out, and which errors there were.
const PROBE: &str = r#"<script>
window.errors = []; window.addEventListener("error", e => errors.push(e.message));
window.addEventListener("load", () => {
  document.querySelectorAll("details").forEach(d => d.open = true);
  const root = document.documentElement, wide = root.clientWidth;
  const inScroll = e => e.closest(".scroll") !== null && !e.matches(".scroll");
  const out = [...document.querySelectorAll("main *")].filter(e => !inScroll(e) && e.getBoundingClientRect().right > wide + 1);
  const cut = [...document.querySelectorAll("svg text")].filter(t => {
    const a = t.getBoundingClientRect(), b = t.ownerSVGElement.getBoundingClientRect();
    return a.width > 0 && (a.left < b.left - 2 || a.right > b.right + 2 || a.bottom > b.bottom + 2 || a.top < b.top - 2);
  });
  const thin = [...document.querySelectorAll("main *")].filter(e => {
    const at = e.getBoundingClientRect();
    return at.width > 2 && at.width < 40 && at.height > 10 * at.width && e.textContent.trim() !== "" && !e.closest("svg, thead");
  });
  // The names of a matrix's rows stay where the others scroll, and leave room for them.
  const lost = [...document.querySelectorAll(".heat .scroll")].filter(s => {
    s.scrollLeft = 9999;
    const name = s.querySelector("tbody th").getBoundingClientRect(), gone = name.left < s.getBoundingClientRect().left - 1;
    s.scrollLeft = 0;
    return gone || (wide <= 400 && name.width > wide / 2);
  });
  const small = [...document.querySelectorAll("svg")].filter(s => s.getBoundingClientRect().width > 0 && s.getBoundingClientRect().width < 250);
  const single = [...document.querySelectorAll(".single svg")].map(s => Math.round(s.getBoundingClientRect().width)).filter(w => w > 0);
  document.title = "PROBE " + JSON.stringify({ scroll: root.scrollWidth - wide, out: out.slice(0, 5).map(e => e.outerHTML.slice(0, 120)),
    cut: cut.slice(0, 5).map(t => t.textContent), small: small.length, lost: lost.length, single, thin: thin.slice(0, 5).map(e => e.textContent), charts: document.querySelectorAll("svg").length,
    sortable: document.querySelectorAll("th button").length, errors });
});
</script>"#;

/// Widths, px, and themes that every page is looked at in. A theme changes colours only ([`a_theme_changes_colours_only`]), so that each
/// width has one.
const VIEWS: [(u32, &str); 3] = [(360, "dark"), (400, "light"), (1280, "dark")];

/// Pages that one browser looks at: its start takes longer than they do.
const AT_ONCE: usize = 8;

/// What the probe says of each of these pages in inner frames of these widths and themes, side by side, because headless windows
/// have a least width of 500; all pages in one browser. `name`: of the directory that keeps what the browser has seen.
fn probe(browser: &Path, name: &str, pages: &[&str], views: &[(u32, &str)]) -> Vec<Vec<Value>> {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("browser-{name}"));
    std::fs::create_dir_all(&dir).expect("directory");
    let row = |page: &&str| {
        let frames: String = views.iter().map(|view| frame(page, *view)).collect();
        format!("<div style=\"display:flex\">{frames}</div>")
    };
    let rows: String = pages.iter().map(row).collect();
    let file = dir.join("frame.html");
    let collect = "addEventListener('load', () => { document.getElementById('probe').textContent = [...document.querySelectorAll('iframe')].map(f => f.contentDocument.title).join('\\n'); });";
    let text = format!(
        "<!doctype html><meta charset=\"utf-8\"><title>frames</title><body style=\"margin:0\">{rows}<pre id=\"probe\"></pre><script>{collect}</script>"
    );
    std::fs::write(&file, text).expect("page");
    let output = look(browser, &file, views);
    let dom = String::from_utf8_lossy(&output.stdout);
    let said = dom
        .split("<pre id=\"probe\">")
        .nth(1)
        .and_then(|rest| rest.split("</pre>").next())
        .unwrap_or_default();
    let answers: Vec<_> = said.split('\n').map(answer).collect();
    let all = answers.iter().flatten().count() == pages.len() * views.len();
    assert!(
        all,
        "{name}: {said} {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let answers: Vec<Value> = answers.into_iter().flatten().collect();
    answers.chunks(views.len()).map(<[Value]>::to_vec).collect()
}

/// The page in a frame that is as wide as it shall be looked at.
fn frame(page: &str, (width, theme): (u32, &str)) -> String {
    let themed = format!("<html lang=\"en\" data-theme=\"{theme}\">");
    let inner = page
        .replacen("<html lang=\"en\">", &themed, 1)
        .replacen("<head>", &format!("<head>{PROBE}"), 1)
        .replace('&', "&amp;")
        .replace('"', "&quot;");
    format!(
        "<iframe style=\"border:0;flex:none;width:{width}px;height:9000px\" srcdoc=\"{inner}\"></iframe>"
    )
}

/// Opens the file once, in a browser without a history.
fn look(browser: &Path, file: &Path, views: &[(u32, &str)]) -> Output {
    let profile = tempfile::tempdir().expect("an empty profile");
    let width: u32 = views.iter().map(|view| view.0).sum();
    Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-first-run",
            "--hide-scrollbars",
            "--dump-dom",
            "--virtual-time-budget=5000",
        ])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--window-size={},4000", width.max(500)))
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("chromium")
}

/// One frame's answer, if it is one.
fn answer(line: &str) -> Option<Value> {
    let json = line.strip_prefix("PROBE ")?;
    let text = json.replace("&lt;", "<").replace("&gt;", ">");
    serde_json::from_str(&text.replace("&amp;", "&")).ok()
}

/// Charts that stand alone have the width of the page, and each is shown in one form.
fn wide(widths: &Value, context: &str) {
    let widths: Vec<f64> = widths
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_f64)
        .collect();
    assert_eq!(widths.len(), 2, "{context}");
    let all_wide = widths.iter().all(|width| (1000.0..=1101.0).contains(width));
    assert!(all_wide, "{context}");
}

#[test]
fn pages_fit_and_run_without_errors() {
    let Some(browser) = browser() else { return };
    let with = |set: &dyn Fn(&mut PageData)| {
        let mut data = PageData::new("com.acme.Main");
        set(&mut data);
        data
    };
    let found = report(&divined());
    let study = study_html(
        &crate::common::study::analysis(),
        &crate::common::study::page(),
    );
    let pages = [
        ("page", page(), 8),
        ("hostile", crate::common::hostile(), 8),
        ("bare", with(&|d| d.assessment = Some(bare())), 1),
        ("broken", with(&|d| d.assessment = Some(broken())), 3),
        ("divine", with(&|d| d.divine = Some(found.clone())), 1),
        ("empty", with(&|_| ()), 0),
    ];
    let pages = pages.map(|(name, data, charts)| (name, html(&data), charts));
    let events = events_html(
        &crate::common::events::report(1),
        &crate::common::study::page(),
    );
    let dose = |result| dose_html(&result, &crate::common::study::page());
    let evaluation = |of| evaluation_html(&of, &crate::common::study::page());
    let others = [
        (
            "evaluation",
            evaluation(crate::common::evaluation::large()),
            10,
        ),
        (
            "evaluation-small",
            evaluation(crate::common::evaluation::small()),
            6,
        ),
        (
            "evaluation-bare",
            evaluation(crate::common::evaluation::bare()),
            1,
        ),
        ("study", study, 10),
        ("events", events, 2),
        ("dose", dose(crate::common::dose::result()), 1),
        ("dose-parts", dose(crate::common::dose::parted()), 1),
        ("dose-bounded", dose(crate::common::dose::bounded()), 1),
        ("dose-empty", dose(crate::common::dose::empty()), 0),
        ("dose-hostile", dose(crate::common::dose::hostile()), 1),
    ];
    let all: Vec<_> = pages.into_iter().chain(others).collect();
    // Two browsers side by side: one does not use two processors.
    let browser = &browser;
    std::thread::scope(|scope| {
        for (group, some) in all.chunks(AT_ONCE).enumerate() {
            scope.spawn(move || fit(browser, &format!("pages-{group}"), some));
        }
    });
}

/// Pages, each with its name and the charts that it has at least, in one browser.
fn fit(browser: &Path, name: &str, pages: &[(&str, String, u64)]) {
    let texts: Vec<&str> = pages.iter().map(|(_, page, _)| page.as_str()).collect();
    let seen = probe(browser, name, &texts, &VIEWS);
    for ((name, _, charts), seen) in pages.iter().zip(seen) {
        for (view, seen) in VIEWS.iter().zip(&seen) {
            fits(name, *view, seen, *charts);
        }
    }
}

/// A page of at least so many charts, as the probe saw it.
fn fits(name: &str, (width, theme): (u32, &str), seen: &Value, charts: u64) {
    let context = format!("{name} at {width} px, {theme}: {seen}");
    println!("{context}");
    assert_eq!(seen["errors"], serde_json::json!([]), "{context}");
    assert_eq!(seen["scroll"], 0, "{context}");
    assert_eq!(seen["out"], serde_json::json!([]), "{context}");
    assert_eq!(seen["cut"], serde_json::json!([]), "{context}");
    assert_eq!(seen["small"], 0, "{context}");
    assert_eq!(seen["lost"], 0, "{context}");
    assert_eq!(seen["thin"], serde_json::json!([]), "{context}");
    assert!(seen["charts"].as_u64().unwrap() >= charts, "{context}");
    if (name, width) == ("study", 1280) {
        wide(&seen["single"], &context);
    }
}

/// Neither where things stand nor whether scripts run depends on it then.
#[test]
fn a_theme_changes_colours_only() {
    let style = include_str!("../src/html/page.css");
    let rules = style.split("data-theme=").skip(1);
    let declarations: Vec<&str> = rules
        .filter_map(|rule| rule.split_once('{')?.1.split_once('}'))
        .flat_map(|(inside, _)| inside.split(';'))
        .map(str::trim)
        .filter(|one| !one.is_empty())
        .collect();
    assert!(declarations.len() > 20, "{declarations:?}");
    for one in declarations {
        let (name, value) = one.split_once(':').expect("a declaration");
        let colour = name.starts_with("--") && value.trim().starts_with('#');
        assert!(colour || name == "color-scheme", "{one}");
    }
}

#[test]
fn the_probe_sees_faults() {
    let Some(browser) = browser() else { return };
    let faulty = html(&PageData::new("faulty")).replacen(
        "<main>",
        "<main><div style=\"width:900px\">wide</div><p style=\"width:9px;overflow-wrap:anywhere\">letter by letter</p><svg viewBox=\"0 0 360 20\"><text x=\"340\" y=\"10\">cut off</text></svg><script>throw new Error(\"planted\")</script><figure class=\"heat\"><div class=\"scroll\"><table><tbody><tr><th style=\"position:static\">row</th><td><div style=\"width:900px\">far away</div></td></tr></tbody></table></div></figure>",
        1,
    );
    let seen = &probe(&browser, "faulty", &[faulty.as_str()], &VIEWS[..1])[0][0];
    assert!(seen["scroll"].as_f64().unwrap() > 500.0, "{seen}");
    assert!(
        seen["errors"][0].as_str().unwrap().contains("planted"),
        "{seen}"
    );
    assert_eq!(seen["lost"], 1, "{seen}");
    assert_eq!(seen["cut"], serde_json::json!(["cut off"]), "{seen}");
    assert_eq!(
        seen["thin"],
        serde_json::json!(["letter by letter"]),
        "{seen}"
    );
    assert!(seen["out"][0].as_str().unwrap().contains("wide"), "{seen}");
}
