//! Secrets that the server hands out: random, recognisable by their prefix, and stored only as a hash.

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use rand::Rng;
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};

/// What a secret is for. The prefix lets leak scanners and our own log mask find it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    ApiToken,
    Refresh,
    SignInLink,
}

impl Kind {
    pub fn prefix(self) -> &'static str {
        match self {
            Kind::ApiToken => "cst_",
            Kind::Refresh => "csr_",
            Kind::SignInLink => "csl_",
        }
    }
}

/// A new secret of 256 random bits.
pub fn generate(kind: Kind) -> SecretString {
    let mut bytes = [0_u8; 32];
    rand::rng().fill_bytes(&mut bytes);
    format!("{}{}", kind.prefix(), BASE64_URL_SAFE_NO_PAD.encode(bytes)).into()
}

/// What is stored. A plain hash is enough: 256 random bits cannot be guessed.
pub fn hash(secret: &SecretString) -> Vec<u8> {
    Sha256::digest(secret.expose_secret().as_bytes()).to_vec()
}
