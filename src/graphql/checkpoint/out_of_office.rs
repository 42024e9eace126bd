//! Who decides in whose place for a time.

use async_graphql::{Context, ID, InputObject, Object, SimpleObject};
use chrono::{DateTime, Utc};

use crate::{
    domain::{id::UserId, refusal::Refusal, role::Role, time},
    graphql::{
        caller::ContextExt,
        checkpoint::find_user,
        error::{Result, UserError, outcome, parse_id},
        loaders::AbsenceOf,
        user::User,
    },
    store::absences::Absence,
};

/// A time in which somebody else decides in a person's place.
pub struct OutOfOffice(pub Absence);

/// A time in which somebody else decides in a person's place. Such decisions say so.
#[Object]
impl OutOfOffice {
    /// Who decides; null if the account is gone.
    async fn delegate(&self, ctx: &Context<'_>) -> Result<Option<User>> {
        find_user(ctx, Some(self.0.delegate.0)).await
    }

    /// From when on.
    async fn starts_at(&self) -> DateTime<Utc> {
        self.0.starts_at
    }

    /// Until when.
    async fn ends_at(&self) -> DateTime<Utc> {
        self.0.ends_at
    }
}

/// Who decides in the caller's place, and when.
#[derive(InputObject)]
pub struct SetOutOfOfficeInput {
    /// The delegate; null: the caller is back.
    delegate_id: Option<ID>,
    /// From when on: now when absent.
    starts_at: Option<DateTime<Utc>>,
    /// Until when. Needed with a delegate.
    ends_at: Option<DateTime<Utc>>,
}

impl SetOutOfOfficeInput {
    fn read(self, now: DateTime<Utc>) -> std::result::Result<Option<Absence>, UserError> {
        let Some(delegate) = self.delegate_id else {
            if self.starts_at.is_some() || self.ends_at.is_some() {
                let message = "`delegateId` is missing: somebody must decide in the meantime";
                return Err(Refusal::invalid("delegateId", message).into());
            }
            return Ok(None);
        };
        let delegate: UserId = parse_id("delegateId", &delegate)?;
        let starts_at = time::check("startsAt", self.starts_at.unwrap_or(now))?;
        let missing = || Refusal::invalid("endsAt", "`endsAt` is missing: say until when");
        let ends_at = time::check("endsAt", self.ends_at.ok_or_else(missing)?)?;
        Ok(Some(Absence { delegate, starts_at, ends_at }))
    }
}

/// The caller's absence, or what was wrong.
#[derive(SimpleObject)]
pub struct SetOutOfOfficePayload {
    /// The caller's absence; null after the caller is back.
    out_of_office: Option<OutOfOffice>,
    /// What the caller can fix.
    user_errors: Vec<UserError>,
}

#[derive(Default)]
pub struct OutOfOfficeMutation;

#[Object]
impl OutOfOfficeMutation {
    /// Lets somebody decide in the caller's place for a time, or ends that. Needs the role APPROVER.
    async fn set_out_of_office(
        &self,
        ctx: &Context<'_>,
        #[graphql(desc = "The arguments.")] input: SetOutOfOfficeInput,
    ) -> Result<SetOutOfOfficePayload> {
        let scope = ctx.require(Role::Approver)?;
        let absence = match input.read(ctx.engine().clock().now()) {
            Ok(absence) => absence,
            Err(error) => return Ok(SetOutOfOfficePayload { out_of_office: None, user_errors: vec![error] }),
        };
        let result = ctx.engine().set_out_of_office(scope, absence, &ctx.caller().origin).await;
        if let Err(user_errors) = outcome(result)? {
            return Ok(SetOutOfOfficePayload { out_of_office: None, user_errors });
        }
        let found = match ctx.viewer()?.user() {
            Some(user) => ctx.loaders()?.load(AbsenceOf(user)).await?,
            None => None,
        };
        Ok(SetOutOfOfficePayload { out_of_office: found.map(OutOfOffice), user_errors: Vec::new() })
    }
}
