//! What is to be known of content, computed while it passes by.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::domain::deliverable::{HEAD, detect};

/// Content that passes by.
#[derive(Default)]
pub struct Measuring {
    sha256: Sha256,
    crc32: crc32fast::Hasher,
    size: u64,
    head: Vec<u8>,
}

/// What is known of content.
#[derive(Debug, Clone)]
pub struct Measured {
    pub size: u64,
    /// In hexadecimal.
    pub sha256: String,
    pub crc32: u32,
    /// Told from the first bytes.
    pub mime_type: &'static str,
}

impl Measuring {
    pub fn update(&mut self, bytes: &[u8]) {
        self.sha256.update(bytes);
        self.crc32.update(bytes);
        self.size += bytes.len() as u64;
        let missing = HEAD.saturating_sub(self.head.len()).min(bytes.len());
        self.head.extend_from_slice(&bytes[..missing]);
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    pub fn finish(self) -> Measured {
        Measured {
            size: self.size,
            sha256: HEXLOWER.encode(&self.sha256.finalize()),
            crc32: self.crc32.finalize(),
            mime_type: detect(&self.head, self.size == self.head.len() as u64),
        }
    }
}

impl Measured {
    /// Of content that is in memory.
    pub fn of(content: &[u8]) -> Self {
        let mut measuring = Measuring::default();
        measuring.update(content);
        measuring.finish()
    }
}
