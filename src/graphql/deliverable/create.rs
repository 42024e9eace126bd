//! Handing in something new, or new content.

use async_graphql::{Context, ID, InputObject, Object, SimpleObject};

use super::{
    Deliverable,
    content::{DeliverableContentInput, DeliverableUpload, split},
    words::DeliverableType,
};
use crate::{
    domain::{refusal::Refusal, role::Role},
    engine::commands::{AddDeliverableVersion, CreateDeliverable, Handed, Home, Lease},
    graphql::{
        caller::ContextExt,
        error::{Result, UserError, outcome, parse_id},
    },
};

/// Something new. With neither `executionId` nor `leaseToken` it stands alone.
#[derive(InputObject)]
pub struct CreateDeliverableInput {
    /// What it is called: 1 to 255 characters without a path, as in `report.md`.
    name: String,
    /// What it is about: at most 10,000 characters.
    #[graphql(default)]
    description: String,
    /// What it is; absent: as its MIME type suggests.
    #[graphql(name = "type")]
    kind: Option<DeliverableType>,
    /// Its MIME type; absent: as the content tells.
    mime_type: Option<String>,
    /// Its content.
    content: DeliverableContentInput,
    /// The execution that it belongs to, whether that has ended or not.
    execution_id: Option<ID>,
    /// The checkpoint of that execution that it is for.
    checkpoint_id: Option<ID>,
    /// The token of the task that its worker is working on, instead of `executionId`.
    lease_token: Option<String>,
    /// The same key gives the same deliverable, or the same upload: 1 to 200 characters.
    idempotency_key: Option<String>,
}

impl CreateDeliverableInput {
    fn into_command(self) -> std::result::Result<CreateDeliverable, UserError> {
        let checkpoint = self.checkpoint_id.map(|id| parse_id("checkpointId", &id)).transpose()?;
        let home = match (self.execution_id, self.lease_token) {
            (Some(_), Some(_)) => {
                let message = "give `executionId` or `leaseToken`, not both: the task has its execution";
                return Err(Refusal::invalid("executionId", message).into());
            }
            (Some(id), None) => Home::Execution(parse_id("executionId", &id)?, checkpoint),
            (None, _) if checkpoint.is_some() => {
                let message = "`checkpointId` needs the `executionId` of the checkpoint";
                return Err(Refusal::invalid("checkpointId", message).into());
            }
            (None, Some(token)) => Home::Task(Lease::parse(&token)?),
            (None, None) => Home::Alone,
        };
        Ok(CreateDeliverable {
            home,
            name: self.name,
            description: self.description,
            r#type: self.kind.map(Into::into),
            mime_type: self.mime_type,
            given: self.content.read()?,
            idempotency_key: self.idempotency_key,
        })
    }
}

/// New content for something that is there.
#[derive(InputObject)]
pub struct AddDeliverableVersionInput {
    /// The deliverable. One that is FINAL becomes a DRAFT again.
    deliverable_id: ID,
    /// The newest version that the caller has seen: refused as CONFLICT if there is a newer one.
    base_version: Option<i32>,
    /// The MIME type; absent: as the content tells.
    mime_type: Option<String>,
    /// The content.
    content: DeliverableContentInput,
}

impl AddDeliverableVersionInput {
    fn into_command(self) -> std::result::Result<AddDeliverableVersion, UserError> {
        Ok(AddDeliverableVersion {
            deliverable: parse_id("deliverableId", &self.deliverable_id)?,
            base_version: self.base_version,
            mime_type: self.mime_type,
            given: self.content.read()?,
        })
    }
}

/// The deliverable, or where its content can be sent, or what was wrong.
#[derive(Default, SimpleObject)]
pub struct CreateDeliverablePayload {
    /// The deliverable; null as long as its content has not been sent.
    deliverable: Option<Deliverable>,
    /// Where its content can be sent, if it comes afterwards.
    upload: Option<DeliverableUpload>,
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

/// The deliverable with its new version, or where the content can be sent, or what was wrong.
#[derive(Default, SimpleObject)]
pub struct AddDeliverableVersionPayload {
    /// The deliverable with its new version; null as long as the content has not been sent.
    deliverable: Option<Deliverable>,
    /// Where the content can be sent, if it comes afterwards.
    upload: Option<DeliverableUpload>,
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

impl From<std::result::Result<Handed, Vec<UserError>>> for CreateDeliverablePayload {
    fn from(result: std::result::Result<Handed, Vec<UserError>>) -> Self {
        match result.map(split) {
            Ok((deliverable, upload)) => Self { deliverable, upload, user_errors: Vec::new() },
            Err(user_errors) => Self { user_errors, ..Self::default() },
        }
    }
}

impl From<std::result::Result<Handed, Vec<UserError>>> for AddDeliverableVersionPayload {
    fn from(result: std::result::Result<Handed, Vec<UserError>>) -> Self {
        match result.map(split) {
            Ok((deliverable, upload)) => Self { deliverable, upload, user_errors: Vec::new() },
            Err(user_errors) => Self { user_errors, ..Self::default() },
        }
    }
}

#[derive(Default)]
pub struct CreateDeliverableMutation;

#[Object]
impl CreateDeliverableMutation {
    /// Hands in a deliverable: of an execution, of a worker's running task, or alone. Needs the role OPERATOR.
    async fn create_deliverable(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: CreateDeliverableInput,
    ) -> Result<CreateDeliverablePayload> {
        let scope = ctx.require(Role::Operator)?;
        Ok(match input.into_command() {
            Ok(command) => outcome(ctx.engine().create_deliverable(scope, command, &ctx.caller().origin).await)?.into(),
            Err(error) => Err(vec![error]).into(),
        })
    }

    /// Gives a deliverable new content, as its next version. Old versions stay. Needs the role OPERATOR.
    async fn add_deliverable_version(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: AddDeliverableVersionInput,
    ) -> Result<AddDeliverableVersionPayload> {
        let scope = ctx.require(Role::Operator)?;
        Ok(match input.into_command() {
            Ok(command) => {
                outcome(ctx.engine().add_deliverable_version(scope, command, &ctx.caller().origin).await)?.into()
            }
            Err(error) => Err(vec![error]).into(),
        })
    }
}
