//! The words of deliverables.

use super::mime::is_script;
use crate::domain::words::words;

words! {
    /// What a deliverable is.
    Type {
        /// Something to read.
        Document = "DOCUMENT",
        /// Source text of programs, or a change of it.
        Code = "CODE",
        /// Tables and other data.
        Data = "DATA",
        /// Images, sound and film.
        Media = "MEDIA",
        Other = "OTHER",
    }
}

impl Type {
    /// What content of a MIME type usually is.
    pub fn of_mime_type(mime_type: &str) -> Self {
        let essence = mime_type.split(';').next().unwrap_or_default().trim();
        match essence.split('/').next().unwrap_or_default() {
            "image" | "audio" | "video" => return Type::Media,
            _ => {}
        }
        match essence {
            "text/csv" | "text/tab-separated-values" | "application/json" | "application/xml" | "text/xml" => {
                Type::Data
            }
            "text/x-diff" => Type::Code,
            script if is_script(script) => Type::Code,
            "application/pdf" => Type::Document,
            text if text.starts_with("text/") => Type::Document,
            _ => Type::Other,
        }
    }
}

words! {
    /// Where a deliverable stands.
    Status {
        /// It may still change.
        Draft = "DRAFT",
        /// It is frozen: only another version can follow, as a draft.
        Final = "FINAL",
        /// Nobody needs it now.
        Archived = "ARCHIVED",
    }
}

words! {
    /// Where content is.
    Storage {
        /// In the database.
        Inline = "INLINE",
        /// In a file or an object of its own.
        File = "FILE",
        /// Elsewhere: only its address is known.
        External = "EXTERNAL",
    }
}
