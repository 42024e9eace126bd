//! How often callers may call, and what those hear who call more often.

use std::{net::IpAddr, time::Duration};

use axum::{
    http::{HeaderValue, header},
    response::Response,
};

use super::{Server, auth::Refused};
use crate::{
    config::Settings,
    domain::{
        access::{Actor, Credential, Viewer},
        id::ApiTokenId,
    },
    engine::{
        Origin,
        identity::{Limiter, network},
    },
    graphql::Caller,
};

/// Whose calls count together.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Who {
    /// A person, with all of their sessions.
    Actor(Actor),
    /// A program.
    Token(ApiTokenId),
    /// Whoever has a link to content, which names nobody.
    Holder(Option<IpAddr>),
}

/// The limits of the whole API.
pub struct Limits {
    /// Of those who have shown who they are.
    callers: Option<Limiter<Who>>,
    /// Of those who have not.
    strangers: Option<Limiter<Option<IpAddr>>>,
}

impl Limits {
    pub fn new(settings: &Settings) -> Self {
        Self {
            callers: Limiter::per_second(settings.rate_limit, settings.rate_limit_burst),
            strangers: Limiter::per_second(settings.anonymous_rate_limit, settings.anonymous_rate_limit_burst),
        }
    }
}

fn address(origin: &Origin) -> Option<IpAddr> {
    origin.address.map(network)
}

impl Server {
    /// Counts an operation of a caller: for the user or token, or for the address of somebody unknown. A valid
    /// credential never suffers from its neighbours at the same address.
    pub fn count(&self, caller: &Caller) -> Result<(), Refused> {
        let Some(viewer) = &caller.viewer else { return self.count_stranger(&caller.origin) };
        self.count_caller(&who(viewer))
    }

    /// Counts a request with a credential that is not good, or with none.
    pub fn count_stranger(&self, origin: &Origin) -> Result<(), Refused> {
        let strangers = self.0.limits.strangers.as_ref();
        strangers.map_or(Ok(()), |limiter| limiter.count(&address(origin))).map_err(Refused::TooMany)
    }

    /// Whether an address has used up what it has without a credential.
    pub fn look_at_stranger(&self, origin: &Origin) -> Result<(), Refused> {
        let strangers = self.0.limits.strangers.as_ref();
        strangers.map_or(Ok(()), |limiter| limiter.look(&address(origin))).map_err(Refused::TooMany)
    }

    /// Counts a request with a valid link to content.
    pub fn count_holder(&self, origin: &Origin) -> Result<(), Refused> {
        self.count_caller(&Who::Holder(address(origin)))
    }

    fn count_caller(&self, who: &Who) -> Result<(), Refused> {
        let callers = self.0.limits.callers.as_ref();
        callers.map_or(Ok(()), |limiter| limiter.count(who)).map_err(Refused::TooMany)
    }
}

fn who(viewer: &Viewer) -> Who {
    match viewer.credential {
        Credential::ApiToken(id) => Who::Token(id),
        Credential::Session(_) | Credential::Outside => Who::Actor(viewer.actor),
    }
}

/// Whole seconds after which trying again helps.
pub fn seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

/// What somebody is told who calls too often.
pub fn explain(wait: Duration) -> String {
    format!("too many requests: try again in {} s", seconds(wait))
}

/// Says when to come back.
pub fn retry_after(mut response: Response, wait: Duration) -> Response {
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds(wait)));
    response
}
