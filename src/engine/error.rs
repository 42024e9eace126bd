//! Why a command did not happen: the caller's doing, or ours.

use std::time::Duration;

use crate::{
    domain::{
        access::MissingRole,
        refusal::{Code, Refusal},
        role::Role,
    },
    store,
};

pub type Result<T> = std::result::Result<T, Error>;

#[derive(Debug)]
pub enum Error {
    /// The caller can fix it.
    Refused(Vec<Refusal>),
    /// The caller lacks this role.
    Forbidden(Role),
    /// Too many attempts.
    RateLimited { retry_after: Duration },
    /// Too much is being computed at the moment.
    Busy { retry_after: Duration },
    /// Our own fault. The text is for the log alone.
    Internal(String),
    /// The database's. For the log alone.
    Store(store::Error),
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Error::Refused(vec![refusal])
    }
}

impl From<MissingRole> for Error {
    fn from(missing: MissingRole) -> Self {
        match missing.advice() {
            Some(why) => Refusal::new(Code::NotAllowed, why).into(),
            None => Error::Forbidden(missing.role),
        }
    }
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        Error::Store(error)
    }
}

impl Error {
    /// The same, with refusals that name no place put at a field of the input.
    pub fn at(self, field: &'static str) -> Self {
        let place = |refusal: Refusal| match refusal.path.as_slice() {
            [] => Refusal { path: vec!["input".into(), field.into()], ..refusal },
            _ => refusal,
        };
        match self {
            Error::Refused(refusals) => Error::Refused(refusals.into_iter().map(place).collect()),
            other => other,
        }
    }

    /// Whether the database is away for now, so that trying again may help.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Error::Store(error) if error.is_unavailable())
    }

    /// The same for somebody else who waited for the same work.
    pub fn for_another(&self, what: &str) -> Self {
        match self {
            Error::Store(error) => Error::Store(error.clone()),
            _ => Error::Internal(what.to_owned()),
        }
    }

    /// For the operator at the command line, who may see everything.
    pub fn explain(&self) -> String {
        match self {
            Error::Refused(refusals) => {
                refusals.iter().map(|refusal| refusal.message.to_string()).collect::<Vec<_>>().join("\n")
            }
            Error::Forbidden(role) => format!("this needs the role {role}"),
            Error::RateLimited { retry_after } => {
                format!("too many attempts: try again in {} s", retry_after.as_secs())
            }
            Error::Busy { retry_after } => {
                format!("the server has too much to compute: try again in {} s", retry_after.as_secs())
            }
            Error::Internal(text) => text.clone(),
            Error::Store(error) => error.to_string(),
        }
    }
}

/// Collects the problems of several fields, so that a caller sees them all at once.
#[derive(Debug, Default)]
pub struct Problems(Vec<Refusal>);

impl Problems {
    /// The value, or its problem noted and nothing.
    pub fn take<T>(&mut self, checked: std::result::Result<T, Refusal>) -> Option<T> {
        checked.map_err(|refusal| self.0.push(refusal)).ok()
    }

    pub fn note(&mut self, refusal: Refusal) {
        self.0.push(refusal);
    }

    /// An error if anything was noted.
    pub fn check(self) -> Result<()> {
        if self.0.is_empty() { Ok(()) } else { Err(Error::Refused(self.0)) }
    }
}
