//! The first part of content, in a form that a page can show.

use super::{
    mime::{is_script, is_xml},
    words::Type,
};
use crate::domain::words::words;

/// No more than so much is read.
pub const HEAD: usize = 64 * 1024;
const MOST_ROWS: usize = 100;
const MOST_COLUMNS: usize = 50;
const LONGEST_CELL: usize = 500;

words! {
    /// How content is best shown.
    PreviewKind {
        Markdown = "MARKDOWN",
        Table = "TABLE",
        Image = "IMAGE",
        Code = "CODE",
        Diff = "DIFF",
        Json = "JSON",
        Text = "TEXT",
        Pdf = "PDF",
        None = "NONE",
    }
}

/// What is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preview {
    pub kind: PreviewKind,
    pub text: Option<String>,
    pub rows: Option<Vec<Vec<String>>>,
    /// Whether there is more than this.
    pub truncated: bool,
}

impl Preview {
    /// Nothing but how it is best shown.
    pub fn only(kind: PreviewKind) -> Self {
        Self { kind, text: None, rows: None, truncated: false }
    }
}

/// How content of a MIME type is best shown.
pub fn kind_of(mime_type: &str, of: Type) -> PreviewKind {
    let essence = mime_type.split(';').next().unwrap_or_default().trim();
    match essence {
        "text/markdown" => PreviewKind::Markdown,
        "text/csv" | "text/tab-separated-values" => PreviewKind::Table,
        "application/pdf" => PreviewKind::Pdf,
        "text/x-diff" | "text/x-patch" => PreviewKind::Diff,
        "application/json" => PreviewKind::Json,
        "image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/avif" | "image/svg+xml" | "image/bmp" => {
            PreviewKind::Image
        }
        "text/html" | "text/css" | "application/toml" | "application/yaml" | "application/x-sh" => PreviewKind::Code,
        json if json.ends_with("+json") => PreviewKind::Json,
        program if is_script(program) || is_xml(program) => PreviewKind::Code,
        text if text.starts_with("text/x-") => PreviewKind::Code,
        text if text.starts_with("text/") => match of {
            Type::Code => PreviewKind::Code,
            Type::Document | Type::Data | Type::Media | Type::Other => PreviewKind::Text,
        },
        _ => PreviewKind::None,
    }
}

impl PreviewKind {
    /// Whether the first part of the content is needed to show it.
    pub fn needs_head(self) -> bool {
        match self {
            PreviewKind::Markdown
            | PreviewKind::Table
            | PreviewKind::Code
            | PreviewKind::Diff
            | PreviewKind::Json
            | PreviewKind::Text => true,
            PreviewKind::Image | PreviewKind::Pdf | PreviewKind::None => false,
        }
    }
}

/// The preview of content that begins with `head`, and ends with it if it is `whole`.
pub fn preview(kind: PreviewKind, mime_type: &str, head: &[u8], whole: bool) -> Preview {
    if !kind.needs_head() {
        return Preview::only(kind);
    }
    let Some(text) = text_of(head, whole) else { return Preview::only(PreviewKind::None) };
    if kind != PreviewKind::Table {
        return Preview { kind, text: Some(text.to_owned()), rows: None, truncated: !whole };
    }
    let delimiter = if mime_type.starts_with("text/tab-separated-values") {
        b'\t'
    } else {
        // Where a comma is part of numbers, a semicolon separates.
        let first = text.lines().next().unwrap_or_default();
        if first.matches(';').count() > first.matches(',').count() { b';' } else { b',' }
    };
    let (rows, truncated) = cells(text, delimiter, whole);
    Preview { kind, text: None, rows: Some(rows), truncated }
}

/// The text of a head whose last character may be cut off.
fn text_of(head: &[u8], whole: bool) -> Option<&str> {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    match std::str::from_utf8(head) {
        Ok(text) => Some(text),
        Err(error) if error.error_len().is_none() && !whole => {
            std::str::from_utf8(head.get(..error.valid_up_to())?).ok()
        }
        Err(_) => None,
    }
}

fn cells(text: &str, delimiter: u8, whole: bool) -> (Vec<Vec<String>>, bool) {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(text.as_bytes());
    let mut truncated = !whole;
    let mut rows: Vec<Vec<String>> = Vec::new();
    for record in reader.records().map_while(Result::ok) {
        if rows.len() == MOST_ROWS {
            truncated = true;
            return (rows, truncated);
        }
        truncated |= record.len() > MOST_COLUMNS;
        let cell = |cell: &str| cell.chars().take(LONGEST_CELL).collect::<String>();
        truncated |= record.iter().any(|cell| cell.chars().count() > LONGEST_CELL);
        rows.push(record.iter().take(MOST_COLUMNS).map(cell).collect());
    }
    // The last line of what is cut off is not all of it.
    if !whole {
        rows.pop();
    }
    (rows, truncated)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_shown_as_cells() {
        let shown = preview(PreviewKind::Table, "text/csv", b"a,b\n\"1,5\",\"x\ny\"\n", true);
        assert_eq!(
            shown.rows,
            Some(vec![vec!["a".to_owned(), "b".to_owned()], vec!["1,5".to_owned(), "x\ny".to_owned()]])
        );
        assert!(!shown.truncated);
        let cut = preview(PreviewKind::Table, "text/csv", b"a;b\n1;2\n3", false);
        assert_eq!((cut.rows.expect("rows").len(), cut.truncated), (2, true));
        let many = "x,y\n".repeat(1_000);
        let shown = preview(PreviewKind::Table, "text/csv", many.as_bytes(), true);
        assert_eq!((shown.rows.expect("rows").len(), shown.truncated), (MOST_ROWS, true));
    }

    #[test]
    fn text_is_cut_between_characters() {
        let shown = preview(PreviewKind::Text, "text/plain", &"é".repeat(10).as_bytes()[..7], false);
        assert_eq!(shown.text.as_deref(), Some("ééé"));
        let lie = preview(PreviewKind::Text, "text/plain", b"\xff\xfe", true);
        assert_eq!(lie.kind, PreviewKind::None, "it says that it is text, and is not");
    }
}
