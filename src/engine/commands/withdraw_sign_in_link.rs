//! Taking back a link that somebody else made for one's account.

use serde_json::json;

use crate::{
    domain::{
        access::{Scope, Viewer},
        audit::Action,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Origin, Result},
};

impl Engine {
    pub async fn withdraw_sign_in_link(&self, viewer: &Viewer, origin: &Origin) -> Result<()> {
        let not_a_person = || Refusal::new(Code::Conflict, "an API token has no sign-in link: only people do");
        let user = viewer.user().ok_or_else(not_a_person)?;
        let mut tx = self.begin(origin).await?;
        if tx.drop_sign_in_links(user).await? == 0 {
            return Err(Refusal::new(Code::NotFound, "there is no sign-in link that could still be used").into());
        }
        tx.audit(Scope::own(viewer), Action::SignInLinkWithdrawn, Some(user.into()), json!({}));
        Ok(tx.commit().await?)
    }
}
