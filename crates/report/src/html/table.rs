//! Tables that scroll by themselves and can be sorted where scripts are allowed.

use super::escape::{kept, text};

/// One cell.
pub(super) struct Cell {
    html: String,
    sort: Option<f64>,
}

impl Cell {
    /// Plain text.
    pub(super) fn words(raw: &str) -> Self {
        Self {
            html: with_n(raw),
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
            html: with_n(raw),
            sort: Some(value),
        }
    }
}

/// Text in which numbers keep together with their units, and with what they count.
fn with_n(raw: &str) -> String {
    kept(raw).replace(", n = ", ", n&nbsp;=&nbsp;")
}

/// A table with a caption; `class` is `sortable`, `facts` or empty.
pub(super) fn table(class: &str, caption: &str, titles: &[&str], rows: &[Vec<Cell>]) -> String {
    let columns: Vec<Column> = titles.iter().enumerate().map(Column::of(rows)).collect();
    let head: String = (columns.iter())
        .map(|column| format!("<th scope=\"col\"{}>{}</th>", column.class(), column.title))
        .collect();
    let body: String = rows.iter().map(|row| tr(&columns, row)).collect();
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

/// What the cells of a column have in common.
struct Column {
    title: String,
    /// Its cells are numbers, where they are known.
    numbers: bool,
}

impl Column {
    fn of(rows: &[Vec<Cell>]) -> impl Fn((usize, &&str)) -> Self {
        move |(at, title)| Self {
            title: text(title),
            numbers: rows
                .iter()
                .any(|row| row.get(at).is_some_and(|cell| cell.sort.is_some())),
        }
    }

    fn class(&self) -> &'static str {
        if self.numbers { " class=\"n\"" } else { "" }
    }
}

fn tr(columns: &[Column], row: &[Cell]) -> String {
    let cell = |(at, (cell, column)): (usize, (&Cell, &Column))| {
        let sort = match cell.sort {
            Some(value) => format!(" class=\"n\" data-v=\"{value}\""),
            None if cell.html == "-" => column.class().to_owned(),
            None => String::new(),
        };
        if at == 0 {
            format!("<th scope=\"row\"{sort}>{}</th>", cell.html)
        } else {
            format!("<td{sort} data-t=\"{}\">{}</td>", column.title, cell.html)
        }
    };
    let cells: String = row.iter().zip(columns).enumerate().map(cell).collect();
    format!("<tr>{cells}</tr>\n")
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
