//! The frame of a ZIP whose files are stored as they are.
//!
//! Sizes and checksums are known beforehand, so each file's header comes before its bytes, nothing has to be put right
//! afterwards, and the length of the whole is known before its first byte. Beyond 4 GiB or 65,535 files it is ZIP64.

use chrono::{DateTime, Datelike, Timelike, Utc};

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const END64: u32 = 0x0606_4b50;
const LOCATOR64: u32 = 0x0706_4b50;
/// Names are UTF-8.
const FLAGS: u16 = 0x0800;
const MADE_BY_UNIX: u16 = 3 << 8;
/// A plain file that its owner may write and others may read.
const ATTRIBUTES: u32 = 0o100_644 << 16;
const MOST32: u64 = 0xffff_ffff;
const MOST16: usize = 0xffff;

/// One file of a ZIP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    pub name: String,
    pub size: u64,
    pub crc32: u32,
    pub at: DateTime<Utc>,
}

#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn u16(&mut self, value: u16) -> &mut Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    fn u32(&mut self, value: u32) -> &mut Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    fn u64(&mut self, value: u64) -> &mut Self {
        self.0.extend(value.to_le_bytes());
        self
    }

    /// A number, or the sign that it stands in the extra field.
    fn bounded(&mut self, value: u64) -> &mut Self {
        self.u32(u32::try_from(value).unwrap_or(u32::MAX))
    }

    fn length(&mut self, of: usize) -> &mut Self {
        self.u16(u16::try_from(of).unwrap_or(u16::MAX))
    }
}

/// Those numbers that need 64 bits, as an extra field.
fn extra(numbers: &[u64]) -> Vec<u8> {
    if numbers.is_empty() {
        return Vec::new();
    }
    let mut bytes = Bytes::default();
    bytes.u16(1).length(numbers.len() * 8);
    for number in numbers {
        bytes.u64(*number);
    }
    bytes.0
}

impl Entry {
    fn version_needed(large: bool) -> u16 {
        if large { 45 } else { 20 }
    }

    /// The time as DOS kept it: in steps of two seconds, from 1980 to 2107.
    fn dos_time(&self) -> (u16, u16) {
        let year = self.at.year().clamp(1980, 2107) - 1980;
        let part = |value: u32| u16::try_from(value).unwrap_or(0);
        let date = (u16::try_from(year).unwrap_or(0) << 9) | (part(self.at.month()) << 5) | part(self.at.day());
        let time = (part(self.at.hour()) << 11) | (part(self.at.minute()) << 5) | (part(self.at.second()) / 2);
        (time, date)
    }

    /// What both headers have in common, from the flags to the sizes.
    fn common(&self, bytes: &mut Bytes) {
        let (time, date) = self.dos_time();
        // The method 0: stored.
        bytes.u16(FLAGS).u16(0).u16(time).u16(date).u32(self.crc32).bounded(self.size).bounded(self.size);
    }

    /// What comes before the file's bytes.
    pub fn header(&self) -> Vec<u8> {
        let large = self.size >= MOST32;
        let extra = if large { extra(&[self.size, self.size]) } else { Vec::new() };
        let mut bytes = Bytes::default();
        bytes.u32(LOCAL).u16(Self::version_needed(large));
        self.common(&mut bytes);
        bytes.length(self.name.len()).length(extra.len());
        bytes.0.extend(self.name.as_bytes());
        bytes.0.extend(extra);
        bytes.0
    }

    /// The file's line in the directory at the end.
    fn record(&self, offset: u64) -> Vec<u8> {
        let sizes = if self.size >= MOST32 { vec![self.size, self.size] } else { Vec::new() };
        let far = (offset >= MOST32).then_some(offset);
        let numbers: Vec<u64> = sizes.into_iter().chain(far).collect();
        let extra = extra(&numbers);
        let needed = Self::version_needed(!numbers.is_empty());
        let mut bytes = Bytes::default();
        bytes.u32(CENTRAL).u16(MADE_BY_UNIX | needed).u16(needed);
        self.common(&mut bytes);
        // No comment, the first disk, no internal attributes.
        bytes.length(self.name.len()).length(extra.len()).u16(0).u16(0).u16(0).u32(ATTRIBUTES).bounded(offset);
        bytes.0.extend(self.name.as_bytes());
        bytes.0.extend(extra);
        bytes.0
    }
}

/// What comes after the last file: the directory and where it is.
pub fn directory(entries: &[Entry]) -> Vec<u8> {
    let mut all = Bytes::default();
    let mut offset = 0;
    for entry in entries {
        all.0.extend(entry.record(offset));
        offset += entry.header().len() as u64 + entry.size;
    }
    let size = all.0.len() as u64;
    let count = entries.len();
    if count >= MOST16 || size >= MOST32 || offset >= MOST32 {
        // The record's length without its first 12 bytes, versions, disks, then how many, how long and where.
        all.u32(END64).u64(44).u16(MADE_BY_UNIX | 45).u16(45).u32(0).u32(0);
        all.u64(count as u64).u64(count as u64).u64(size).u64(offset);
        all.u32(LOCATOR64).u32(0).u64(offset + size).u32(1);
    }
    all.u32(END).u16(0).u16(0).length(count).length(count).bounded(size).bounded(offset).u16(0);
    all.0
}

/// How long the whole is.
pub fn length(entries: &[Entry]) -> u64 {
    let files: u64 = entries.iter().map(|entry| entry.header().len() as u64 + entry.size).sum();
    files + directory(entries).len() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(name: &str, size: u64) -> Entry {
        Entry { name: name.to_owned(), size, crc32: 7, at: DateTime::UNIX_EPOCH }
    }

    #[test]
    fn small_archives_are_plain() {
        let entries = [entry("a", 3), entry("é", 0)];
        assert_eq!(entries[0].header().len(), 30 + 1);
        assert_eq!(directory(&entries).len(), 46 + 1 + 46 + 2 + 22);
        assert_eq!(length(&entries), 31 + 3 + 32 + 117);
    }

    #[test]
    fn large_ones_say_so() {
        let huge = 5 << 32;
        let entries = [entry("a", huge), entry("b", 1)];
        assert_eq!(entries[0].header().len(), 30 + 1 + 20);
        // Sizes of the first; the offset of the second; both ends.
        assert_eq!(directory(&entries).len(), (46 + 1 + 20) + (46 + 1 + 12) + 56 + 20 + 22);
        let many: Vec<Entry> = (0..70_000).map(|n| entry(&format!("{n:05}"), 0)).collect();
        assert_eq!(directory(&many).len(), 70_000 * 51 + 56 + 20 + 22);
    }
}
