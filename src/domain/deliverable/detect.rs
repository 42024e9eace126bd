//! What content is, told from its first bytes. A name can say anything.

/// How much of a text is looked at closely.
const LOOKED_AT: usize = 64 * 1024;
/// A table has at least so many lines of the same width.
const LINES_OF_TABLE: usize = 2;

/// The MIME type of content. `whole` tells whether there is no more of it than `head`.
pub fn detect(head: &[u8], whole: bool) -> &'static str {
    let head = &head[..head.len().min(LOOKED_AT)];
    if head.is_empty() {
        return "text/plain; charset=utf-8";
    }
    match as_text(head, whole) {
        Some(text) => of_text(text, whole && head.len() < LOOKED_AT),
        None => infer::get(head).map_or("application/octet-stream", |kind| kind.mime_type()),
    }
}

/// The content as text, if it is: UTF-8 without control characters. Its last character may be cut off.
fn as_text(head: &[u8], whole: bool) -> Option<&str> {
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() && !whole => {
            std::str::from_utf8(head.get(..error.valid_up_to())?).ok()?
        }
        Err(_) => return None,
    };
    let binary = |c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t' | '\u{c}' | '\u{1b}');
    (!text.contains(binary)).then_some(text)
}

fn of_text(text: &str, whole: bool) -> &'static str {
    let trimmed = text.trim_start();
    if is_json(trimmed, whole) {
        return "application/json";
    }
    let start: String = trimmed.chars().take(512).collect::<String>().to_ascii_lowercase();
    if start.starts_with('<') {
        return of_markup(&start);
    }
    if is_diff(text) {
        return "text/x-diff; charset=utf-8";
    }
    if start.starts_with("%pdf-") {
        return "application/pdf";
    }
    match separator(text, whole) {
        Some(',' | ';') => "text/csv; charset=utf-8",
        Some(_) => "text/tab-separated-values; charset=utf-8",
        None if is_markdown(text) => "text/markdown; charset=utf-8",
        None => "text/plain; charset=utf-8",
    }
}

fn of_markup(start: &str) -> &'static str {
    // A comment or a declaration may come first.
    let has = |tag: &str| start.contains(tag);
    if has("<!doctype html") || has("<html") || has("<head") || has("<body") {
        "text/html; charset=utf-8"
    } else if has("<svg") {
        "image/svg+xml"
    } else if start.starts_with("<?xml") {
        "application/xml"
    } else if has("<script") || has("<div") || has("<p>") || has("<h1") || has("<table") {
        "text/html; charset=utf-8"
    } else {
        "text/plain; charset=utf-8"
    }
}

/// An object or a list; of what is cut off, as far as it goes.
fn is_json(text: &str, whole: bool) -> bool {
    if !text.starts_with(['{', '[']) {
        return false;
    }
    match serde_json::from_str::<serde::de::IgnoredAny>(text) {
        Ok(_) => true,
        Err(error) => error.is_eof() && !whole,
    }
}

fn is_diff(text: &str) -> bool {
    let mut lines = text.lines();
    text.starts_with("diff --git ")
        || lines.any(|line| line.starts_with("--- "))
            && lines.next().is_some_and(|line| line.starts_with("+++ "))
            && lines.next().is_some_and(|line| line.starts_with("@@ "))
}

fn is_markdown(text: &str) -> bool {
    let lines = text.lines().take(200).map(str::trim_end);
    let mut score = 0;
    for line in lines {
        let heading = line.trim_start_matches('#');
        let level = line.len() - heading.len();
        if ((1..=6).contains(&level) && heading.starts_with(' ') && !heading.trim().is_empty())
            || line.starts_with("```")
            || line.starts_with("|--")
            || line.starts_with("| --")
        {
            score += 2;
        } else if line.starts_with("- ")
            || line.starts_with("* ")
            || line.starts_with("> ")
            || line.contains("](")
            || line.contains("**")
        {
            score += 1;
        }
    }
    score >= 2
}

/// What separates the cells of a table: every line of it has the same number of cells.
fn separator(text: &str, whole: bool) -> Option<char> {
    [',', ';', '\t'].into_iter().find(|separator| {
        let byte = u8::try_from(*separator).unwrap_or(b',');
        let mut reader =
            csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(byte).from_reader(text.as_bytes());
        let widths: Vec<usize> =
            reader.byte_records().map_while(Result::ok).take(20).map(|record| record.len()).collect();
        // The last line may be cut off.
        let complete = if whole || widths.len() == 20 { widths.len() } else { widths.len().saturating_sub(1) };
        let widths = &widths[..complete];
        // Prose has commas, too, but with a space behind.
        let spaced = text.matches(&format!("{separator} ")).count();
        let prose = spaced * 2 > text.matches(*separator).count();
        widths.len() >= LINES_OF_TABLE && widths[0] > 1 && widths.iter().all(|width| *width == widths[0]) && !prose
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn essence(content: &[u8]) -> &'static str {
        detect(content, true).split(';').next().expect("a type")
    }

    #[test]
    fn content_tells_what_it_is() {
        for (content, expected) in [
            (&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], "image/png"),
            (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3", "application/pdf"),
            (b"PK\x03\x04\x14\0\0\0", "application/zip"),
            (b"\0\x01\x02\x03", "application/octet-stream"),
            (b"{\"a\": [1, 2.50]}", "application/json"),
            (b"{not json", "text/plain"),
            (b"name,amount\nAda,1\nBob,\"2,5\"\n", "text/csv"),
            (b"name\tamount\nAda\t1\n", "text/tab-separated-values"),
            (b"# Title\n\nSome *text*.\n", "text/markdown"),
            (b"<!DOCTYPE html><p>x", "text/html"),
            (b"<!-- x --><html>", "text/html"),
            (b"<?xml version=\"1.0\"?><svg xmlns=\"x\"/>", "image/svg+xml"),
            (b"<?xml version=\"1.0\"?><a/>", "application/xml"),
            (b"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n", "text/x-diff"),
            (b"Dear Ada, how are you?\nI am well, thank you.\n", "text/plain"),
            (b"Hello, world. This is text.\nAnd, so, on.\n", "text/plain"),
            ("\u{feff}Gr\u{fc}\u{df}e".as_bytes(), "text/plain"),
            (b"", "text/plain"),
        ] {
            assert_eq!(essence(content), expected, "{:?}", String::from_utf8_lossy(content));
        }
    }

    #[test]
    fn what_is_cut_off_is_recognised_as_far_as_it_goes() {
        let list = format!("[{}", "1234, ".repeat(20_000));
        assert_eq!(detect(list.as_bytes(), false), "application/json");
        assert_eq!(detect(&"é".repeat(100).as_bytes()[..101], false), "text/plain; charset=utf-8");
        assert_eq!(detect(&"é".repeat(100).as_bytes()[..101], true), "application/octet-stream");
    }
}
