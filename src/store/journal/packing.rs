//! Long rows of the journal, compressed: most of an event's text is the same in all events of its kind.
//!
//! A text is either in the column `data`, as it is, or in `packed`: a byte that says how, the length of the text in four
//! bytes, and a zstd frame. Short ones stay readable for whoever looks into the database.

use std::{borrow::Cow, cell::RefCell, sync::LazyLock};

use zstd::{
    bulk::{Compressor, Decompressor},
    dict::{DecoderDictionary, EncoderDictionary},
};

/// Trained on events of all kinds whose free texts were replaced by nonsense. Never changed: what is in a database was
/// compressed with it. A better one would be another `FORM`.
const DICTIONARY: &[u8] = include_bytes!("events.dict");
const FORM: u8 = 1;
/// Lines are so short that more would take longer and save nothing.
const LEVEL: i32 = 2;
const SHORTEST: usize = 300;
/// Values above 64 KiB are elsewhere, so a line is never this long.
const LONGEST: usize = 64 * 1024 * 1024;
const HEAD: usize = 5;

static ENCODER: LazyLock<EncoderDictionary<'static>> = LazyLock::new(|| EncoderDictionary::copy(DICTIONARY, LEVEL));
static DECODER: LazyLock<DecoderDictionary<'static>> = LazyLock::new(|| DecoderDictionary::copy(DICTIONARY));

thread_local! {
    // To make one costs many times what it does for a line.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = RefCell::new(compressor().ok());
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> =
        RefCell::new(Decompressor::with_prepared_dictionary(&DECODER).ok());
}

fn compressor() -> std::io::Result<Compressor<'static>> {
    let mut compressor = Compressor::with_prepared_dictionary(&ENCODER)?;
    compressor.include_checksum(true)?;
    compressor.include_contentsize(false)?;
    compressor.include_dictid(false)?;
    Ok(compressor)
}

/// A text as its two columns.
pub fn pack(text: String) -> (String, Option<Vec<u8>>) {
    match packed(&text) {
        Some(packed) => (String::new(), Some(packed)),
        None => (text, None),
    }
}

/// Nothing where it is not worth it.
fn packed(text: &str) -> Option<Vec<u8>> {
    if text.len() < SHORTEST || text.len() > LONGEST {
        return None;
    }
    let frame = COMPRESSOR.with_borrow_mut(|compressor| compressor.as_mut()?.compress(text.as_bytes()).ok())?;
    let length = u32::try_from(text.len()).ok()?.to_le_bytes();
    (HEAD + frame.len() < text.len()).then(|| [&[FORM], length.as_slice(), &frame].concat())
}

/// The text that two columns hold, or what is wrong with it.
pub fn unpack<'a>(data: &'a str, packed: Option<&[u8]>) -> Result<Cow<'a, str>, String> {
    let Some(packed) = packed else { return Ok(data.into()) };
    let Some((&[FORM, ref length @ ..], frame)) = packed.split_first_chunk::<HEAD>() else {
        return Err("it is packed in a way that this version does not know".to_owned());
    };
    let length = u32::from_le_bytes(*length) as usize;
    if length > LONGEST {
        return Err(format!("it claims to have {length} bytes"));
    }
    let text = DECOMPRESSOR.with_borrow_mut(|decompressor| match decompressor {
        Some(decompressor) => decompressor.decompress(frame, length).map_err(|error| error.to_string()),
        None => Err("no memory to unpack it".to_owned()),
    })?;
    String::from_utf8(text).map(Cow::Owned).map_err(|_| "it is no text".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An event that was packed when packing began, as hexadecimal digits.
    const OF_OLD: &str = "014e02000028b52ffd00009d020093040edff7c5686f1cd261e37833a0610ec4788e61e87984f5435c5b987a\
        7e6558f3fc36a4bcf5df9afa0ba10835f868d598f2fbf490b804c7b11808fc8a19080fd028619545149fcbad\
        8c1bf784cb018ed8bd";

    fn line(length: usize) -> String {
        let words = "ü refund of 12.50 EUR for order 4711, because the parcel came late \u{1F512} ";
        let text: String = words.chars().cycle().take(length).collect();
        format!(r#"{{"step":0,"attempt":1,"output":{{"value":{{"text":"{text}","n":{length}}}}}}}"#)
    }

    #[test]
    fn lines_come_back_as_they_were() {
        for length in [0, 100, 299, 300, 1_000, 100_000] {
            let text = line(length);
            let (data, packed) = pack(text.clone());
            assert_eq!(packed.is_some(), text.len() >= SHORTEST, "{length}");
            assert!(packed.as_ref().is_none_or(|packed| packed.len() < text.len() && data.is_empty()), "{length}");
            assert_eq!(unpack(&data, packed.as_deref()), Ok(text.into()));
        }
    }

    #[test]
    fn a_line_that_was_packed_long_ago_is_read() {
        let packed = data_encoding::HEXLOWER.decode(OF_OLD.as_bytes()).expect("digits");
        assert_eq!(unpack("", Some(&packed)), Ok(line(500).into()));
    }

    #[test]
    fn what_is_broken_is_said() {
        let (_, packed) = pack(line(1_000));
        let packed = packed.expect("worth it");
        let broken = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut packed = packed.clone();
            change(&mut packed);
            unpack("", Some(&packed)).expect_err("broken")
        };
        insta::assert_snapshot!(broken(&|packed| packed[0] = 9), @"it is packed in a way that this version does not know");
        insta::assert_snapshot!(broken(&|packed| packed.truncate(3)), @"it is packed in a way that this version does not know");
        insta::assert_snapshot!(broken(&|packed| packed[4] = 0xff), @"it claims to have 4278191199 bytes");
        assert!(!broken(&|packed| packed.truncate(40)).is_empty());
        assert!(!broken(&|packed| packed[20] ^= 0x55).is_empty());
    }
}
