//! Taking an API token back, at once.

use serde_json::json;

use crate::{
    domain::{
        access::Scope,
        audit::Action,
        id::ApiTokenId,
        refusal::{Code, Refusal},
    },
    engine::{Engine, Origin, Result},
    store::api_tokens::ApiToken,
};

impl Engine {
    pub async fn revoke_api_token(&self, scope: Scope, id: ApiTokenId, origin: &Origin) -> Result<ApiToken> {
        let unknown =
            || Refusal::at("apiTokenId", Code::NotFound, format!("there is no API token `{id}` in this workspace"));
        let token = self.store().api_token(scope, id).await?.ok_or_else(unknown)?;
        let mut tx = self.begin(origin).await?;
        let now = tx.now();
        if !tx.revoke_api_token(scope, id).await? {
            return Ok(token);
        }
        tx.audit(scope, Action::ApiTokenRevoked, Some(id.into()), json!({"name": token.name}));
        tx.commit().await?;
        Ok(ApiToken { revoked_at: Some(now), ..token })
    }
}
