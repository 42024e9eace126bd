//! Changing what one is called.

use serde_json::json;

use crate::{
    domain::{
        access::{Scope, Viewer},
        audit::{Action, Of, Part},
        name,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Origin, Result},
    store::users::{Change, User},
};

impl Engine {
    pub async fn update_profile(&self, viewer: &Viewer, display_name: &str, origin: &Origin) -> Result<User> {
        let not_a_person = || Refusal::new(Code::Conflict, "an API token has no profile: only people do");
        let user = viewer.user().ok_or_else(not_a_person)?;
        let display_name = name::check_seen("displayName", display_name, 100)?;
        let scope = Scope::own(viewer);
        let mut tx = self.begin(origin).await?;
        let before = tx.hold_user(scope, user).await?.ok_or_else(not_a_person)?.user.display_name;
        let name = |text: &str| json!({"displayName": text});
        let entry = tx.audit(scope, Action::UserUpdated, Some(user.into()), json!({"changed": ["displayName"]}));
        entry.personal(Part::Before, Of::User(user), name(&before));
        entry.personal(Part::After, Of::User(user), name(&display_name));
        tx.update_user(scope, user, Change { display_name: Some(display_name), ..Change::default() }).await?;
        tx.commit().await?;
        Ok(self.store().user(scope, user).await?.ok_or_else(not_a_person)?)
    }
}
