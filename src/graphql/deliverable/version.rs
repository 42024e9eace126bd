//! One content of a deliverable.

use std::sync::Arc;

use async_graphql::{Context, Object};
use chrono::{DateTime, TimeDelta, Utc};

use super::{
    Deliverable,
    preview::{DeliverablePreview, preview_of},
    words::DeliverableStorage,
};
use crate::{
    domain::{json, role::Role},
    graphql::{
        audit::Actor,
        caller::ContextExt,
        connection::{PageArgs, Total, connection},
        error::{Fault, Result, outcome},
        json::Json,
        loaders::NewestDeliverableVersions,
    },
    store::{Store, deliverables, deliverables::BY_NUMBER, page::Slice},
};

const LONGEST_LINK: i32 = 3_600;

/// One content of a deliverable, which never changes.
#[derive(Clone)]
pub struct DeliverableVersion {
    pub deliverable: Deliverable,
    pub version: Arc<deliverables::Version>,
}

/// One content of a deliverable, which never changes.
#[Object]
impl DeliverableVersion {
    /// Its number: the first one is 1.
    async fn number(&self) -> i32 {
        self.version.number
    }

    /// The deliverable that it is a version of.
    async fn deliverable(&self) -> &Deliverable {
        &self.deliverable
    }

    /// Where its content is kept.
    async fn storage(&self) -> DeliverableStorage {
        self.version.storage.into()
    }

    /// The MIME type, as its maker gave it or as the content tells.
    async fn mime_type(&self) -> &str {
        &self.version.mime_type
    }

    /// How many bytes the content has: a whole number; null for what is elsewhere.
    async fn size(&self) -> Option<f64> {
        self.version.size.map(|size| size as f64)
    }

    /// The SHA-256 of the content in hexadecimal, also after it was deleted; null for what is elsewhere.
    async fn sha256(&self) -> Option<&str> {
        self.version.sha256.as_deref()
    }

    /// Where it is, if it is elsewhere.
    async fn external_url(&self) -> Option<&str> {
        self.version.url.as_deref()
    }

    /// What its maker says about what is elsewhere.
    async fn metadata(&self) -> Option<Json> {
        let kept = self.version.metadata.as_deref()?;
        json::Json::parse(kept).ok().map(|json| Json::from(&json))
    }

    /// When it was made.
    async fn created_at(&self) -> DateTime<Utc> {
        self.version.created_at
    }

    /// Who made it.
    async fn created_by(&self) -> Actor {
        Actor(self.version.actor)
    }

    /// The first part of the content, in a form that a page can show.
    #[graphql(complexity = "10 + child_complexity")]
    async fn preview(&self, ctx: &Context<'_>) -> Result<DeliverablePreview> {
        let scope = ctx.require(Role::Viewer)?;
        preview_of(ctx, scope, &self.deliverable.0, &self.version).await
    }

    /// A link to the content that works for a while without a sign-in, for use in a page.
    async fn content_url(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "How long it works: 1 to 3,600.", default = 300)] expires_in_seconds: i32,
        #[graphql(desc = "Whether it is to be shown in the page, not downloaded.", default = false)] preview: bool,
    ) -> Result<String> {
        let scope = ctx.require(Role::Viewer)?;
        let lasts = link_lasts(expires_in_seconds)?;
        let (id, number) = (self.version.deliverable, self.version.number);
        let signed = ctx.engine().content_url(scope.workspace(), id, number, lasts, preview);
        Ok(outcome(signed)?.map_err(|_| Fault::Internal)?.0)
    }
}

/// How long a link works.
pub fn link_lasts(seconds: i32) -> Result<TimeDelta> {
    if (1..=LONGEST_LINK).contains(&seconds) {
        return Ok(TimeDelta::seconds(seconds.into()));
    }
    Err(Fault::BadInput(format!("`expiresInSeconds` is {seconds}: give 1 to {LONGEST_LINK}")))
}

/// One page of a deliverable's versions, newest first.
pub async fn page_of_versions(
    ctx: &Context<'_>,
    deliverable: &Deliverable,
    args: PageArgs,
) -> Result<DeliverableVersionConnection> {
    let scope = ctx.require(Role::Viewer)?;
    let page = args.page(BY_NUMBER)?;
    let id = deliverable.0.id;
    let slice = if args.last.is_some() || args.after.is_some() || args.before.is_some() {
        ctx.engine().store().page_of_versions(scope, id, &page).await?.map(Arc::new)
    } else {
        // The first page, which a list of deliverables asks of each of them: read for all of them at once.
        let newest = NewestDeliverableVersions { deliverable: id, size: page.size };
        let found = ctx.loaders()?.load(newest).await?.unwrap_or_default();
        let has_next = i64::from(deliverable.0.version) > i64::try_from(page.size).unwrap_or(i64::MAX);
        let rows = found.into_iter().map(|version| (Store::version_cursor(&version), version)).collect();
        Slice { rows, has_previous: false, has_next }
    };
    let total = u64::from(deliverable.0.version.unsigned_abs());
    let total = Total::new(ctx, total, |_, total| async move { Ok(total) });
    let deliverable = deliverable.clone();
    let node = |version| DeliverableVersion { deliverable: deliverable.clone(), version };
    Ok(DeliverableVersionConnection::new(slice.map(node), total))
}

connection! {
    /// A page of a deliverable's versions.
    DeliverableVersionConnection,
    /// A version and where it stands among the others.
    DeliverableVersionEdge, DeliverableVersion
}
