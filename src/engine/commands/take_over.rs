//! Ways into an account that somebody else makes: no one becomes somebody else to decide in their name.
//!
//! An account that has never been used is given to its person by its first link, which an admin who has signed in hands
//! over. From then on, a link or an identity that an admin adds could let the admin in as well as the person. So what it
//! opens only reads, until the password shows that it is the person.

use crate::{
    domain::{
        access::{Actor, MissingRole, Scope, Viewer},
        refusal::{Code, Refusal},
        role::Role,
    },
    engine::Result,
    store::{Tx, users::Held},
};

/// Whether somebody has a way into an account already: a password, an identity, or a link that was used.
pub(super) async fn is_in_use(tx: &Tx, held: &Held) -> Result<bool> {
    let signed_in = held.password_hash.is_some() || held.user.last_sign_in_at.is_some();
    Ok(signed_in || tx.count_identities(held).await? > 0)
}

/// Refuses programs that would open a way into an account. Who holds an admin's token holds it for something else, and
/// would be the first to use an account that it makes.
pub(super) fn refuse_programs(scope: Scope, field: &'static str) -> Result<()> {
    match scope.actor() {
        Actor::ApiToken(_) => {
            let message = "an API token cannot open a way into an account: an admin who has signed in can, or the \
                           operator with `countersign user invite`";
            Err(Refusal::at(field, Code::NotAllowed, message).into())
        }
        Actor::User(_) | Actor::System => Ok(()),
    }
}

/// Refuses what would make a way in that lasts, or take one away, if the caller only reads.
pub(super) fn refuse_held(viewer: &Viewer) -> Result<()> {
    let missing = MissingRole { role: Role::Viewer, held: viewer.held };
    if viewer.held { Err(missing.into()) } else { Ok(()) }
}
