//! Links that work for a while without a sign-in: each for one thing to do with one object.

use chrono::{DateTime, Duration, Utc};
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    domain::id::{DeliverableId, ExecutionId, WorkspaceId},
    engine::{Engine, Error, Result},
};

const ISSUER: &str = "countersign-link";

/// What a link allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Link {
    /// Reading one version.
    #[serde(rename = "read")]
    Read { workspace: WorkspaceId, deliverable: DeliverableId, version: i32 },
    /// Reading all that an execution made, as a ZIP.
    #[serde(rename = "zip")]
    Archive { workspace: WorkspaceId, execution: ExecutionId },
    /// Sending the content that one upload expects.
    #[serde(rename = "put")]
    Upload { upload: Uuid },
}

#[derive(Serialize, Deserialize)]
struct Claims {
    iss: String,
    exp: i64,
    link: Link,
}

/// Signs links and reads them.
pub struct Links {
    encoding: EncodingKey,
    decoding: DecodingKey,
}

impl Links {
    pub fn new(key: &[u8]) -> Self {
        Self { encoding: EncodingKey::from_secret(key), decoding: DecodingKey::from_secret(key) }
    }

    pub fn sign(&self, link: Link, expires_at: DateTime<Utc>) -> Result<String> {
        let claims = Claims { iss: ISSUER.to_owned(), exp: expires_at.timestamp(), link };
        let token = jsonwebtoken::encode(&Header::new(Algorithm::HS256), &claims, &self.encoding);
        token.map_err(|error| Error::Internal(format!("cannot sign a link: {error}")))
    }

    /// What a token allows, if it is ours and has not expired.
    pub fn read(&self, token: &str, now: DateTime<Utc>) -> Option<Link> {
        let mut validation = Validation::new(Algorithm::HS256);
        validation.set_issuer(&[ISSUER]);
        // Checked below against our own clock.
        validation.validate_exp = false;
        let claims = jsonwebtoken::decode::<Claims>(token, &self.decoding, &validation).ok()?.claims;
        (DateTime::from_timestamp(claims.exp, 0)? > now).then_some(claims.link)
    }
}

impl Engine {
    /// The address of one version's content, good for a while.
    pub fn content_url(
        &self,
        workspace: WorkspaceId,
        deliverable: DeliverableId,
        version: i32,
        lasts: Duration,
        preview: bool,
    ) -> Result<(String, DateTime<Utc>)> {
        let expires_at = self.clock().now() + lasts;
        let token = self.links().sign(Link::Read { workspace, deliverable, version }, expires_at)?;
        let preview = if preview { "&preview=true" } else { "" };
        let url = self.public_url();
        Ok((format!("{url}/deliverables/{deliverable}/content?version={version}{preview}&token={token}"), expires_at))
    }

    /// The address of the ZIP of an execution's deliverables, good for a while.
    pub fn archive_url(&self, workspace: WorkspaceId, execution: ExecutionId, lasts: Duration) -> Result<String> {
        let expires_at = self.clock().now() + lasts;
        let token = self.links().sign(Link::Archive { workspace, execution }, expires_at)?;
        Ok(format!("{}/executions/{execution}/deliverables.zip?token={token}", self.public_url()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_good_for_one_thing_for_a_while() {
        let (links, now) = (Links::new(&[1; 32]), DateTime::from_timestamp(1_800_000_000, 0).expect("a time"));
        let deliverable = DeliverableId(Uuid::from_u128(1));
        let link = Link::Read { workspace: WorkspaceId(Uuid::from_u128(2)), deliverable, version: 3 };
        let token = links.sign(link, now + Duration::minutes(5)).expect("a token");
        assert_eq!(links.read(&token, now), Some(link));
        assert_eq!(links.read(&token, now + Duration::minutes(5)), None);
        assert_eq!(Links::new(&[2; 32]).read(&token, now), None);
        assert_eq!(links.read("nonsense", now), None);
    }
}
