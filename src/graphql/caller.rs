//! Who asks, as resolvers see it.

use std::sync::{Arc, OnceLock};

use async_graphql::Context;
use secrecy::SecretString;

use super::{
    error::{Fault, Result},
    loaders::{Loaders, Lookups},
};
use crate::{
    domain::{
        access::{Scope, Viewer},
        role::Role,
    },
    engine::{Engine, Origin},
    realtime::{Access, AccessWatch, Hub},
};

/// The caller of one request, or of one socket.
#[derive(Clone, Default)]
pub struct Caller {
    pub viewer: Option<Arc<Viewer>>,
    /// What the viewer was looked up with, to do it again.
    pub token: Option<SecretString>,
    pub origin: Origin,
    /// The refresh token of the browser's cookie.
    pub refresh_token: Option<SecretString>,
    /// Whether it is on this machine, with nobody in between: what lets people into a demo with one click.
    pub is_local: bool,
    /// Whether cookies may be marked as for HTTPS only.
    pub secure: bool,
    /// For subscriptions: ends with the caller's rights.
    pub access: Option<Access>,
    pub(crate) loaders: Arc<OnceLock<Loaders>>,
    pub(crate) lookups: Lookups,
}

impl Caller {
    /// The same caller with another operation: nothing of the earlier one's lookups is shared.
    pub fn fresh(&self) -> Self {
        Self { loaders: Arc::default(), lookups: Lookups::default(), ..self.clone() }
    }

    /// For streams, which cannot set a cookie: a refresh token that was replaced there would be lost.
    pub fn without_cookie(self) -> Self {
        Self { refresh_token: None, ..self }
    }
}

/// What resolvers reach for.
pub trait ContextExt<'a> {
    fn engine(&self) -> &'a Engine;
    fn caller(&self) -> &'a Caller;
    fn access_watch(&self) -> &'a AccessWatch;
    fn hub(&self) -> &'a Hub;

    /// The signed-in caller.
    fn viewer(&self) -> Result<&'a Viewer> {
        self.caller().viewer.as_deref().ok_or(Fault::Unauthenticated)
    }

    /// The caller's workspace, once it has shown the right to it.
    fn require(&self, role: Role) -> Result<Scope> {
        Ok(self.viewer()?.require(role)?)
    }

    /// The caller's access, with which its streams end.
    fn access(&self) -> Result<Access> {
        self.caller().access.clone().ok_or(Fault::Unauthenticated)
    }

    /// One set of loaders for each request: they batch, and never see another caller's rows.
    fn loaders(&self) -> Result<&'a Loaders> {
        let scope = self.require(Role::Viewer)?;
        let caller = self.caller();
        Ok(caller.loaders.get_or_init(|| Loaders::new(self.engine().clone(), scope, caller.lookups.clone())))
    }
}

impl<'a> ContextExt<'a> for Context<'a> {
    fn engine(&self) -> &'a Engine {
        self.data_unchecked::<Engine>()
    }

    fn caller(&self) -> &'a Caller {
        self.data_unchecked::<Caller>()
    }

    fn access_watch(&self) -> &'a AccessWatch {
        self.data_unchecked::<AccessWatch>()
    }

    fn hub(&self) -> &'a Hub {
        self.data_unchecked::<Hub>()
    }
}
