//! Typed global ids: a prefix that names the kind and a UUIDv7 in Crockford's base32,
//! as in `user_01h455vb4pex5vsknk084sn02q`.

use std::{fmt, str::FromStr};

use chrono::{DateTime, Utc};
use data_encoding::{Encoding, Specification};
use uuid::Uuid;

/// 128 bits fill 26 characters of 5 bits with 2 bits to spare, which must be zero.
const TEXT_LENGTH: usize = 26;

/// Why a text is not an id of the kind that was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    #[error("`{text}` is not an id: expected a prefix, an underscore and {TEXT_LENGTH} base32 characters")]
    Malformed { text: String },
    #[error("`{text}` is not the id of a {expected}: it must start with `{expected}_`")]
    WrongKind { text: String, expected: &'static str },
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $prefix:literal;)*) => {
        $(
            $(#[$doc])*
            #[derive(
                Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
            )]
            #[serde(transparent)]
            pub struct $name(pub Uuid);

            impl $name {
                pub const PREFIX: &'static str = $prefix;

                /// A new id whose order follows the time it was made.
                pub fn new(now: DateTime<Utc>) -> Self {
                    Self(uuid_v7(now))
                }
            }

            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    write!(f, concat!($prefix, "_{}"), encode(self.0))
                }
            }

            impl FromStr for $name {
                type Err = Error;

                fn from_str(text: &str) -> Result<Self, Error> {
                    match NodeId::from_str(text)? {
                        NodeId::$name(id) => Ok(id),
                        _ => Err(Error::WrongKind { text: shorten(text), expected: $prefix }),
                    }
                }
            }

            impl From<$name> for NodeId {
                fn from(id: $name) -> Self {
                    NodeId::$name(id)
                }
            }
        )*

        /// The id of anything that `node(id:)` can find.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum NodeId {
            $($name($name),)*
        }

        impl fmt::Display for NodeId {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(NodeId::$name(id) => id.fmt(f),)*
                }
            }
        }

        impl FromStr for NodeId {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self, Error> {
                let malformed = || Error::Malformed { text: shorten(text) };
                let (prefix, rest) = text.rsplit_once('_').ok_or_else(malformed)?;
                let uuid = decode(rest).ok_or_else(malformed)?;
                match prefix {
                    $($prefix => Ok(NodeId::$name($name(uuid))),)*
                    _ => Err(malformed()),
                }
            }
        }
    };
}

ids! {
    /// A tenant.
    WorkspaceId = "ws";
    /// A person's account in one workspace.
    UserId = "user";
    /// A named set of people that can be asked to approve.
    GroupId = "group";
    /// A program under a name of its own, which can have several tokens.
    ServiceAccountId = "svc";
    /// A program's way in.
    ApiTokenId = "token";
    /// One signed-in browser or device of a person.
    SessionId = "session";
    /// One line of the audit log.
    AuditEntryId = "audit";
    /// A named, reusable worker in the library.
    AgentId = "agent";
    /// A named graph of steps.
    WorkflowId = "wf";
    /// One run of a workflow.
    ExecutionId = "exec";
    /// A step's work that waits for somebody's own program, or is being done by it.
    TaskId = "task";
    /// A place where an execution waits for people, or was let through by a rule.
    CheckpointId = "chk";
    /// A decision of people to learn from.
    LearningCaseId = "case";
    /// A value that agents refer to by name and nobody reads again.
    SecretId = "secret";
    /// Something that an execution leaves behind.
    DeliverableId = "dlv";
}

/// The first id that can have been made at a time.
pub fn first_id(at: DateTime<Utc>) -> Uuid {
    let milliseconds = at.timestamp_millis().clamp(0, (1 << 48) - 1).unsigned_abs();
    Uuid::from_u128(u128::from(milliseconds) << 80)
}

fn uuid_v7(now: DateTime<Utc>) -> Uuid {
    let seconds = now.timestamp().max(0).unsigned_abs();
    Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, seconds, now.timestamp_subsec_nanos()))
}

fn base32() -> &'static Encoding {
    static BASE32: std::sync::LazyLock<Encoding> = std::sync::LazyLock::new(|| {
        let mut specification = Specification::new();
        specification.symbols.push_str("0123456789abcdefghjkmnpqrstvwxyz");
        specification.encoding().expect("the alphabet has 32 distinct symbols")
    });
    &BASE32
}

/// Two zero bytes in front make 18 bytes, of which the last 130 bits are the 26 characters.
fn encode(uuid: Uuid) -> String {
    let mut padded = [0_u8; 20];
    padded[4..].copy_from_slice(uuid.as_bytes());
    base32().encode(&padded)[32 - TEXT_LENGTH..].to_owned()
}

fn decode(text: &str) -> Option<Uuid> {
    if text.len() != TEXT_LENGTH {
        return None;
    }
    let padded = base32().decode(format!("{:0>32}", text).as_bytes()).ok()?;
    let (zeros, bytes) = padded.split_at_checked(4)?;
    if zeros.iter().any(|byte| *byte != 0) {
        return None;
    }
    Uuid::from_slice(bytes).ok()
}

/// Keeps an absurdly long value from being echoed whole.
fn shorten(text: &str) -> String {
    text.chars().take(64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_the_published_type_id_vectors() {
        let uuid = Uuid::parse_str("01890a5d-ac96-774b-bcce-b302099a8057").expect("a uuid");
        assert_eq!(encode(uuid), "01h455vb4pex5vsknk084sn02q");
        assert_eq!(decode("01h455vb4pex5vsknk084sn02q"), Some(uuid));
        assert_eq!(encode(Uuid::nil()), "00000000000000000000000000");
        assert_eq!(decode("7zzzzzzzzzzzzzzzzzzzzzzzzz"), Some(Uuid::max()));
    }

    #[test]
    fn refuses_what_is_not_canonical() {
        for text in ["8zzzzzzzzzzzzzzzzzzzzzzzzz", "01H455VB4PEX5VSKNK084SN02Q", "01h455vb4pex5vsknk084sn02", "", "é"]
        {
            assert_eq!(decode(text), None, "{text}");
        }
    }

    #[test]
    fn says_which_kind_was_expected() {
        let group = GroupId(Uuid::nil()).to_string();
        let error = UserId::from_str(&group).expect_err("a group is not a user");
        assert_eq!(error, Error::WrongKind { text: group, expected: "user" });
    }
}
