//! The forms in which a secret can come back in an answer.

use base64::{
    Engine as _, alphabet,
    engine::{GeneralPurpose, general_purpose::NO_PAD, general_purpose::PAD},
};

/// A part of an encoded text is only looked for from this length on: a shorter one is found by chance.
const SHORTEST_PART: usize = 6;

/// Plain, and as programs write it into URLs, JSON, HTML, base64 and hexadecimal digits; the longest first, because one
/// may be the beginning of another, whose rest would stay.
pub fn of(value: &str) -> Vec<String> {
    let mut forms = vec![value.to_owned(), html(value)];
    for hex in [hex_upper, hex_lower] {
        forms.extend([
            percent(value, hex, |byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte), false),
            percent(value, hex, |byte| byte.is_ascii_alphanumeric() || b"-._~!'()*".contains(&byte), false),
            percent(value, hex, |byte| byte.is_ascii_alphanumeric() || b"-._*".contains(&byte), true),
            percent(value, hex, |_| false, false),
            ascii_json(value, hex),
        ]);
        forms.push(value.bytes().map(hex).collect());
    }
    let quoted = serde_json::Value::from(value).to_string();
    let quoted = quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default().to_owned();
    forms.push(quoted.replace('/', "\\/"));
    forms.push(quoted);
    forms.extend(base64(value.as_bytes()));
    forms.retain(|form| !form.is_empty());
    forms.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
    forms.dedup();
    forms
}

fn hex_upper(byte: u8) -> String {
    format!("{byte:02X}")
}

fn hex_lower(byte: u8) -> String {
    format!("{byte:02x}")
}

fn percent(value: &str, hex: fn(u8) -> String, keeps: impl Fn(u8) -> bool, plus: bool) -> String {
    let byte = |byte: u8| match byte {
        b' ' if plus => "+".to_owned(),
        kept if keeps(kept) => char::from(kept).to_string(),
        other => format!("%{}", hex(other)),
    };
    value.bytes().map(byte).collect()
}

/// JSON in ASCII alone, as some libraries write it.
fn ascii_json(value: &str, hex: fn(u8) -> String) -> String {
    let mut text = String::with_capacity(value.len());
    for unit in value.encode_utf16() {
        match u8::try_from(unit).ok().filter(u8::is_ascii) {
            Some(byte @ (b'"' | b'\\')) => text.extend(['\\', char::from(byte)]),
            Some(byte) if !byte.is_ascii_control() => text.push(char::from(byte)),
            _ => {
                let [high, low] = unit.to_be_bytes();
                text.push_str(&format!("\\u{}{}", hex(high), hex(low)));
            }
        }
    }
    text
}

fn html(value: &str) -> String {
    let escaped = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;"), ("'", "&#39;")];
    escaped.iter().fold(value.to_owned(), |text, (plain, entity)| text.replace(plain, entity))
}

/// Whole, and what is the same of it wherever it stands within a longer text that is encoded, such as `user:password`.
fn base64(value: &[u8]) -> Vec<String> {
    let mut forms = Vec::new();
    for alphabet in [&alphabet::STANDARD, &alphabet::URL_SAFE] {
        forms.push(GeneralPurpose::new(alphabet, PAD).encode(value));
        let engine = GeneralPurpose::new(alphabet, NO_PAD);
        forms.push(engine.encode(value));
        for before in 0..3_usize {
            let encoded = engine.encode([&vec![0; before], value].concat());
            // A character that also has bits of what stands before or behind is another one each time.
            let (first, last) = ((before * 8).div_ceil(6), (before + value.len()) * 8 / 6);
            forms.extend(encoded.get(first..last).map(str::to_owned));
        }
    }
    forms.retain(|form| form.len() >= SHORTEST_PART);
    forms
}
