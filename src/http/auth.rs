//! Whose request it is.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::http::{HeaderMap, header};
use secrecy::SecretString;

use super::{
    Server,
    origin::{is_local, origin},
};
use crate::{
    domain::access::Viewer,
    engine::identity::Rejected,
    graphql::{COOKIE_NAME, Caller},
};

/// Why a request is turned away before anything is done.
#[derive(Debug)]
pub enum Refused {
    /// The credentials are of no known form, or do not let their bearer in.
    Credentials(Rejected),
    /// Too many requests: try again after this time.
    TooMany(Duration),
    /// The database is away for now; logged.
    Unavailable,
    /// Our own fault; logged.
    Internal,
}

impl Server {
    /// The caller of a request: nobody without credentials, and an error with bad ones. Counts the request.
    pub async fn caller(&self, peer: SocketAddr, headers: &HeaderMap) -> Result<Caller, Refused> {
        let mut caller = self.anonymous(peer, headers);
        match self.recognise(headers).await {
            Ok(Some((token, viewer))) => {
                caller.viewer = Some(Arc::new(viewer));
                caller.token = Some(token);
                self.count(&caller)?;
            }
            Ok(None) => self.count(&caller)?,
            Err(refused @ Refused::Credentials(_)) => {
                self.count_stranger(&caller.origin)?;
                return Err(refused);
            }
            Err(refused) => return Err(refused),
        }
        Ok(caller)
    }

    /// Whom the headers show, if anybody.
    async fn recognise(&self, headers: &HeaderMap) -> Result<Option<(SecretString, Viewer)>, Refused> {
        let Some(token) = authorization(headers)? else { return Ok(None) };
        let viewer = self.authenticate(&token).await?;
        Ok(Some((token, viewer)))
    }

    /// A caller that has not shown who it is.
    pub fn anonymous(&self, peer: SocketAddr, headers: &HeaderMap) -> Caller {
        let settings = self.settings();
        let (origin, forwarded_https) = origin(peer, headers, &settings.trusted_proxies.0);
        let public_https = settings.public_url.as_ref().is_some_and(|url| url.scheme() == "https");
        Caller {
            origin,
            refresh_token: cookie(headers),
            is_local: is_local(peer, headers),
            secure: forwarded_https || public_https,
            ..Caller::default()
        }
    }

    /// Watches over the access of a caller whose connection stays open.
    pub async fn watch(&self, caller: Caller) -> Result<Caller, Refused> {
        let Some(viewer) = &caller.viewer else {
            return Ok(caller);
        };
        let access = self.0.access_watch.of(viewer);
        self.look_again(&Caller { access: Some(access), ..caller }).await
    }

    /// The caller of an open connection with the rights that it has now. What has ended does not work any more,
    /// even if its connection has not been told yet.
    pub async fn look_again(&self, caller: &Caller) -> Result<Caller, Refused> {
        let token = caller.token.as_ref().ok_or(Refused::Credentials(Rejected::Token))?;
        let viewer = self.authenticate(token).await?;
        Ok(Caller { viewer: Some(Arc::new(viewer)), ..caller.fresh() })
    }

    pub async fn authenticate(&self, token: &SecretString) -> Result<Viewer, Refused> {
        match self.0.engine.authenticate(token).await {
            Ok(Ok(viewer)) => Ok(viewer),
            Ok(Err(rejected)) => Err(Refused::Credentials(rejected)),
            Err(error) => {
                tracing::error!(error = error.explain(), "cannot authenticate");
                Err(if error.is_unavailable() { Refused::Unavailable } else { Refused::Internal })
            }
        }
    }
}

/// The token of the `Authorization` header, if there is one.
fn authorization(headers: &HeaderMap) -> Result<Option<SecretString>, Refused> {
    match headers.get(header::AUTHORIZATION) {
        None => Ok(None),
        Some(value) => value.to_str().ok().and_then(bearer).map(Some).ok_or(Refused::Credentials(Rejected::Token)),
    }
}

/// The token of `Bearer TOKEN`.
pub fn bearer(value: &str) -> Option<SecretString> {
    let (scheme, token) = value.trim().split_once(' ')?;
    let token = token.trim();
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then(|| token.into())
}

fn cookie(headers: &HeaderMap) -> Option<SecretString> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, value)| *name == COOKIE_NAME && !value.is_empty())
        .map(|(_, value)| value.into())
}
