//! What is said about content, so that nothing in it can run in our name.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

use crate::domain::deliverable::mime::{essence, is_script, is_xml};

/// A page of its own without scripts, forms, or anything from elsewhere, whatever the content says.
const SANDBOX: &str = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; \
    media-src 'self' data:; font-src data:; frame-ancestors 'self'";
/// Browsers show no PDF in a sandbox. Their viewers run nothing of it in our origin.
const PDF: &str = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; \
    frame-ancestors 'self'";

/// Adds the type, the name and the bounds of content.
pub fn describe(headers: &mut HeaderMap, mime_type: &str, name: &str, preview: bool) {
    let shown = shown_type(mime_type, preview);
    let is_pdf = essence(shown) == "application/pdf";
    let mut set = |name: HeaderName, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            headers.insert(name, value);
        }
    };
    set(header::CONTENT_TYPE, shown);
    set(header::CONTENT_DISPOSITION, &disposition(if preview { "inline" } else { "attachment" }, name));
    set(header::CONTENT_SECURITY_POLICY, if is_pdf { PDF } else { SANDBOX });
    set(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    set(header::CACHE_CONTROL, "private, no-cache");
    if preview {
        set(header::X_FRAME_OPTIONS, "SAMEORIGIN");
    }
}

/// The type that browsers are told. A script is only a text here: no page can load it as a program. What is looked at as
/// XML is its text, too: XML can name stylesheets and programs.
fn shown_type(mime_type: &str, preview: bool) -> &str {
    if is_script(mime_type) || (preview && is_xml(mime_type)) { "text/plain; charset=utf-8" } else { mime_type }
}

/// A name for the file that cannot break out of its header (RFC 6266): once in ASCII, and once as it is.
pub fn disposition(kind: &str, name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|c| if (' '..='~').contains(&c) && !matches!(c, '"' | '\\' | '%') { c } else { '_' })
        .collect();
    let mut encoded = String::new();
    for byte in name.bytes() {
        // The characters that RFC 5987 lets stand for themselves.
        if byte.is_ascii_alphanumeric() || b"!#$&+-.^_`|~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    format!("{kind}; filename=\"{plain}\"; filename*=UTF-8''{encoded}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_in_its_header() {
        assert_eq!(
            disposition("attachment", "a\"; b=\r\n\\é%41.md"),
            "attachment; filename=\"a_; b=_____41.md\"; filename*=UTF-8''a%22%3B%20b%3D%0D%0A%5C%C3%A9%2541.md"
        );
    }

    #[test]
    fn scripts_are_texts() {
        let mut headers = HeaderMap::new();
        for (mime_type, preview) in [
            ("text/javascript", true),
            ("application/x-ecmascript", false),
            ("Text/JavaScript1.2; charset=utf-8", false),
            ("application/xhtml+xml", true),
            ("text/xsl", true),
        ] {
            describe(&mut headers, mime_type, "x.js", preview);
            assert_eq!(headers[header::CONTENT_TYPE], "text/plain; charset=utf-8", "{mime_type}");
        }
        for (mime_type, preview) in [("application/xhtml+xml", false), ("image/svg+xml", true), ("text/html", true)] {
            describe(&mut headers, mime_type, "x", preview);
            assert_eq!(headers[header::CONTENT_TYPE], mime_type);
        }
        assert!(headers[header::CONTENT_SECURITY_POLICY].to_str().expect("text").starts_with("sandbox;"));
    }
}
