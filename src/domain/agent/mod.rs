//! Agents: the named, reusable workers of the library.

pub mod http;
mod read;
mod spec;
pub mod template;

use std::str::FromStr;

use serde_json::Value;

use crate::domain::{words::words, workflow::Source};

pub use read::read_config;
pub use spec::Unreadable;

/// How an agent does its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Calls a URL.
    Http,
    /// Waits for somebody's own program.
    Worker,
    /// Computes its output from its input.
    Transform,
}

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::Http, Kind::Worker, Kind::Transform];

    /// The text in the database: never renamed.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Http => "HTTP",
            Kind::Worker => "WORKER",
            Kind::Transform => "TRANSFORM",
        }
    }

    /// What kind of action an agent does whose author does not say.
    pub fn default_operation(self) -> &'static str {
        match self {
            Kind::Http => "http_request",
            Kind::Worker => "worker_task",
            Kind::Transform => "transform",
        }
    }

    /// How risky an agent is whose author does not say. A transform does nothing but compute.
    pub fn default_risk(self) -> RiskLevel {
        match self {
            Kind::Http | Kind::Worker => RiskLevel::Medium,
            Kind::Transform => RiskLevel::Low,
        }
    }
}

impl FromStr for Kind {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Kind::ALL.into_iter().find(|kind| kind.as_str() == text).ok_or(())
    }
}

words! {
    /// How much harm an action can do, the least first.
    RiskLevel {
        Low = "LOW",
        Medium = "MEDIUM",
        High = "HIGH",
        Critical = "CRITICAL",
    }
}

/// What an agent is at one version.
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    pub description: String,
    pub config: Config,
    /// What its input must look like.
    pub input_schema: Option<Value>,
    /// What its output must look like.
    pub output_schema: Option<Value>,
    /// What kind of action it is, for policies: a word such as `refund`.
    pub operation_type: Option<String>,
    pub risk_level: RiskLevel,
}

/// How an agent of each kind is set up.
#[derive(Debug, Clone, PartialEq)]
pub enum Config {
    Http(Http),
    Worker(Worker),
    Transform(Transform),
}

impl Config {
    pub fn kind(&self) -> Kind {
        match self {
            Config::Http(_) => Kind::Http,
            Config::Worker(_) => Kind::Worker,
            Config::Transform(_) => Kind::Transform,
        }
    }
}

/// A call of a URL. Texts may have `{{ CEL over input }}` and `{{ secret.NAME }}` in them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Http {
    pub url: String,
    pub method: Method,
    /// In the order in which they were written.
    pub headers: Vec<(String, String)>,
    /// How many of its steps may run at once on one server; absent: as many as the server runs.
    pub max_concurrency: Option<u32>,
}

/// The methods with which an agent may call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

impl Method {
    pub const ALL: [Method; 5] = [Method::Get, Method::Post, Method::Put, Method::Patch, Method::Delete];

    pub fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
            Method::Put => "PUT",
            Method::Patch => "PATCH",
            Method::Delete => "DELETE",
        }
    }
}

/// Work that somebody's own program claims from a queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worker {
    pub queue: String,
    /// How many of its tasks may be claimed at once; absent: as many as workers claim.
    pub max_concurrency: Option<u32>,
}

/// A computation on the input, which is all that its expressions see.
#[derive(Debug, Clone, PartialEq)]
pub enum Transform {
    /// One value is the output.
    Value(Source),
    /// An object whose fields are computed one by one.
    Fields(Vec<(String, Source)>),
}
