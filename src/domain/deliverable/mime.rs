//! What browsers would make of content, by its MIME type.

/// The essences of JavaScript, as the WHATWG's MIME Sniffing Standard lists them.
const SCRIPTS: [&str; 16] = [
    "application/ecmascript",
    "application/javascript",
    "application/x-ecmascript",
    "application/x-javascript",
    "text/ecmascript",
    "text/javascript",
    "text/javascript1.0",
    "text/javascript1.1",
    "text/javascript1.2",
    "text/javascript1.3",
    "text/javascript1.4",
    "text/javascript1.5",
    "text/jscript",
    "text/livescript",
    "text/x-ecmascript",
    "text/x-javascript",
];

/// The type without its parameters.
pub fn essence(mime_type: &str) -> String {
    mime_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Whether a page could load it as a program.
pub fn is_script(mime_type: &str) -> bool {
    SCRIPTS.contains(&essence(mime_type).as_str())
}

/// Whether it is a document of XML, or a stylesheet for one, in which programs can stand. Pictures are left out: where
/// they are shown as such, nothing in them runs.
pub fn is_xml(mime_type: &str) -> bool {
    let essence = essence(mime_type);
    let named = ["text/xml", "application/xml", "text/xsl", "application/xml-dtd"].contains(&essence.as_str());
    named || (essence.ends_with("+xml") && essence != "image/svg+xml")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_known_by_all_of_their_names() {
        for mime_type in ["application/x-ecmascript", "TEXT/JavaScript1.5; charset=utf-8", " text/x-ecmascript "] {
            assert!(is_script(mime_type), "{mime_type}");
        }
        for mime_type in ["text/plain", "application/json", "text/javascript2", "", "text/html"] {
            assert!(!is_script(mime_type), "{mime_type}");
        }
    }

    #[test]
    fn documents_of_xml_are_known_and_pictures_are_none() {
        for mime_type in ["text/xml", "application/xhtml+xml", "application/xslt+xml; q=1", "Text/XSL"] {
            assert!(is_xml(mime_type), "{mime_type}");
        }
        for mime_type in ["image/svg+xml", "text/html", "application/json"] {
            assert!(!is_xml(mime_type), "{mime_type}");
        }
    }
}
