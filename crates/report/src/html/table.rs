//! Tables that scroll by themselves and can be sorted where scripts are allowed.

use super::escape::text;

/// One cell.
pub(super) struct Cell {
    html: String,
    sort: Option<f64>,
}

impl Cell {
    /// Plain text.
    pub(super) fn words(raw: &str) -> Self {
        Self {
            html: kept(raw),
            sort: None,
        }
    }

    /// Text that is HTML already.
    pub(super) fn html(html: String) -> Self {
        Self { html, sort: None }
    }

    /// Text that sorts as a number.
    pub(super) fn number(raw: &str, value: f64) -> Self {
        Self {
            html: kept(raw),
            sort: Some(value),
        }
    }
}

/// Text in which numbers keep together with what they count.
fn kept(raw: &str) -> String {
    text(raw).replace(", n = ", ", n&nbsp;=&nbsp;")
}

/// A table with a caption; `class` is `sortable`, `facts` or empty.
pub(super) fn table(class: &str, caption: &str, titles: &[&str], rows: &[Vec<Cell>]) -> String {
    let head: String = titles
        .iter()
        .map(|t| format!("<th scope=\"col\">{}</th>", text(t)))
        .collect();
    let body: String = rows.iter().map(|row| tr(titles, row)).collect();
    let caption = if caption.is_empty() {
        String::new()
    } else {
        format!("<caption>{}</caption>", text(caption))
    };
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table class=\"{class}\">{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>\n",
        text(if titles.is_empty() {
            "table"
        } else {
            titles[0]
        })
    )
}

fn tr(titles: &[&str], row: &[Cell]) -> String {
    let cell = |(at, cell): (usize, &Cell)| {
        let sort = cell
            .sort
            .map_or(String::new(), |v| format!(" class=\"n\" data-v=\"{v}\""));
        let title = text(titles.get(at).copied().unwrap_or_default());
        if at == 0 {
            format!("<th scope=\"row\"{sort}>{}</th>", cell.html)
        } else {
            format!("<td{sort} data-t=\"{title}\">{}</td>", cell.html)
        }
    };
    format!(
        "<tr>{}</tr>\n",
        row.iter().enumerate().map(cell).collect::<String>()
    )
}

/// Names and values.
pub(super) fn facts(caption: &str, rows: &[(String, String)]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let rows: Vec<Vec<Cell>> = rows
        .iter()
        .map(|(k, v)| vec![Cell::words(k), Cell::words(v)])
        .collect();
    table("facts", caption, &["what", "value"], &rows)
}
