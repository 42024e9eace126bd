//! Who did something, as two columns.

use uuid::Uuid;

use crate::domain::{
    access::Actor,
    id::{ApiTokenId, UserId},
};

pub fn columns(actor: Actor) -> (String, Option<Uuid>) {
    let (kind, id) = match actor {
        Actor::User(id) => ("USER", Some(id.0)),
        Actor::ApiToken(id) => ("API_TOKEN", Some(id.0)),
        Actor::System => ("SYSTEM", None),
    };
    (kind.to_owned(), id)
}

pub fn read(kind: &str, id: Option<Uuid>) -> Actor {
    match (kind, id) {
        ("USER", Some(id)) => Actor::User(UserId(id)),
        ("API_TOKEN", Some(id)) => Actor::ApiToken(ApiTokenId(id)),
        _ => Actor::System,
    }
}
