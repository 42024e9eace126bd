//! Ways into an account that somebody else makes: no one becomes somebody else to decide in their name.
//!
//! An account that has never been used is given to its person by its first link. From then on, a link or an identity that
//! an admin adds helps a person back in who has lost their own way, and could as well let the admin in. So what it opens
//! only reads for a time, in which the person sees it and can end it.

use chrono::{DateTime, Utc};

use crate::{
    domain::{
        access::{Actor, MissingRole, Scope, Viewer},
        refusal::{Code, Refusal},
        role::Role,
    },
    engine::{Engine, Result},
    store::{Tx, users::Held},
};

/// Whether somebody has a way into an account already: a password, an identity, or a link that was used.
pub(super) async fn is_in_use(tx: &Tx, held: &Held) -> Result<bool> {
    let signed_in = held.password_hash.is_some() || held.user.last_sign_in_at.is_some();
    Ok(signed_in || tx.count_identities(held).await? > 0)
}

/// Refuses programs that would open an account in use. Who holds an admin's token holds it for something else.
pub(super) fn refuse_programs(scope: Scope, field: &'static str) -> Result<()> {
    match scope.actor() {
        Actor::ApiToken(_) => {
            let message = "the account is in use: an API token cannot open a way into it, only an admin who has signed \
                           in, or the operator with `countersign user invite`";
            Err(Refusal::at(field, Code::NotAllowed, message).into())
        }
        Actor::User(_) | Actor::System => Ok(()),
    }
}

/// Refuses what would make a way in that lasts, or take one away, as long as the caller only reads.
pub(super) fn refuse_held(viewer: &Viewer) -> Result<()> {
    let missing = MissingRole { role: Role::Viewer, held_until: viewer.held_until };
    if viewer.held_until.is_some() { Err(missing.into()) } else { Ok(()) }
}

impl Engine {
    /// Until when what is opened now only reads.
    pub(super) fn held_until(&self, now: DateTime<Utc>) -> DateTime<Utc> {
        now + self.settings().recovery_hold.as_chrono()
    }
}
