//! The pen: elements into a string.

use std::fmt::Write as _;

use crate::html::escape;
use crate::names::fit;

/// Width of charts, in their own units, unless they are wide ones.
pub(crate) const WIDTH: f64 = 360.0;
/// Width of a chart that has the whole width of a page.
pub(crate) const FULL: f64 = 760.0;

/// An SVG under construction.
pub(super) struct Pen {
    body: String,
    width: f64,
    height: f64,
}

/// Where a text is anchored.
#[derive(Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A text in so many columns, its middle left out where it is wider.
#[derive(Clone, Copy)]
pub(super) struct Fitted<'t> {
    text: &'t str,
    /// Shows when it is pointed at, where something is left out.
    whole: &'t str,
    columns: usize,
}

impl<'t> Fitted<'t> {
    /// A text that stands for itself.
    pub(super) fn of(text: &'t str, columns: usize) -> Self {
        Self {
            text,
            whole: text,
            columns,
        }
    }

    /// The same as a part of a longer one.
    pub(super) fn part_of(self, whole: &'t str) -> Self {
        Self { whole, ..self }
    }
}

impl Pen {
    pub(super) fn new(height: f64) -> Self {
        Self::wide(WIDTH, height)
    }

    /// A chart of another width; where the page is narrower it must be able to scroll.
    pub(super) fn wide(width: f64, height: f64) -> Self {
        Self {
            body: String::new(),
            width,
            height,
        }
    }

    pub(super) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let (x1, y1, x2, y2) = (r(from.0), r(from.1), r(to.0), r(to.1));
        let _ = write!(
            self.body,
            r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#
        );
    }

    pub(super) fn rect(&mut self, class: &str, at: (f64, f64), size: (f64, f64), tip: &str) {
        let (x, y, w, h) = (r(at.0), r(at.1), r(size.0.max(0.0)), r(size.1.max(0.0)));
        let tip = title(tip);
        let _ = write!(
            self.body,
            r#"<rect class="{class}" x="{x}" y="{y}" width="{w}" height="{h}">{tip}</rect>"#
        );
    }

    pub(super) fn polygon(&mut self, class: &str, points: &[(f64, f64)], tip: &str) {
        let points: Vec<String> = points
            .iter()
            .map(|p| format!("{},{}", r(p.0), r(p.1)))
            .collect();
        let (points, tip) = (points.join(" "), title(tip));
        let _ = write!(
            self.body,
            r#"<polygon class="{class}" points="{points}">{tip}</polygon>"#
        );
    }

    pub(super) fn circle(&mut self, class: &str, at: (f64, f64), radius: f64, tip: &str) {
        let (x, y, radius, tip) = (r(at.0), r(at.1), r(radius), title(tip));
        let _ = write!(
            self.body,
            r#"<circle class="{class}" cx="{x}" cy="{y}" r="{radius}">{tip}</circle>"#
        );
    }

    pub(super) fn text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, text: &str) {
        self.fitted(class, at, anchor, Fitted::of(text, usize::MAX));
    }

    /// A text that may be too wide.
    pub(super) fn fitted(&mut self, class: &str, at: (f64, f64), anchor: Anchor, text: Fitted<'_>) {
        let shown = fit(text.text, text.columns);
        let tip = if shown == text.text { "" } else { text.whole };
        let (x, y, shown, tip) = (r(at.0), r(at.1), escape::text(&shown), title(tip));
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let _ = write!(
            self.body,
            r#"<text class="{class}" x="{x}" y="{y}" text-anchor="{anchor}">{shown}{tip}</text>"#
        );
    }

    /// Label of the vertical axis, turned.
    pub(super) fn turned(&mut self, at: (f64, f64), text: &str) {
        let (x, y, text) = (r(at.0), r(at.1), escape::text(text));
        let _ = write!(
            self.body,
            r#"<text class="axis" transform="translate({x} {y}) rotate(-90)" text-anchor="middle">{text}</text>"#
        );
    }

    /// The element, with title and description for those who cannot see it.
    pub(super) fn finish(self, name: &str, description: &str) -> String {
        let (name, description) = (escape::text(name), escape::text(description));
        format!(
            "<svg viewBox=\"0 0 {} {}\" role=\"img\"><title>{name}</title><desc>{description}</desc>{}</svg>",
            r(self.width),
            r(self.height),
            self.body
        )
    }
}

fn title(tip: &str) -> String {
    if tip.is_empty() {
        String::new()
    } else {
        format!("<title>{}</title>", escape::text(tip))
    }
}

/// Coordinates with one digit: enough to draw, and the same on every machine.
fn r(x: f64) -> String {
    let text = format!("{:.1}", if x.is_finite() { x } else { 0.0 });
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" {
        "0".into()
    } else {
        text.to_owned()
    }
}
