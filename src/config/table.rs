//! Every setting there is: its name, default and meaning.

use std::net::SocketAddr;

use ipnet::IpNet;
use secrecy::SecretString;

use super::values::{
    DatabaseCheck, DatabaseUrl, Duration, FileStorage, List, LogFormat, RolesFollow, SecretKey, WitnessPlace,
};

/// What is known of a setting without its value.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The name in the TOML file; the flag is `--name`, the variable `COUNTERSIGN_NAME`.
    pub name: &'static str,
    pub default: Option<&'static str>,
    pub help: &'static str,
    /// Whether the value is masked wherever it is shown.
    pub secret: bool,
    pub(super) parse: fn(&mut Settings, &str) -> Result<(), String>,
}

impl Setting {
    pub fn variable(&self) -> String {
        format!("{}{}", super::sources::VARIABLE_PREFIX, self.name.replace('-', "_").to_uppercase())
    }
}

/// How a value of this type is read, and whether it may be absent.
trait Value: Sized {
    fn read(text: &str) -> Result<Self, String>;
    fn absent() -> Option<Self> {
        None
    }
}

macro_rules! values_by_from_str {
    ($($type:ty => $expected:literal),* $(,)?) => {
        $(impl Value for $type {
            fn read(text: &str) -> Result<Self, String> {
                text.parse().map_err(|_| concat!("expected ", $expected).to_owned())
            }
        })*
    };
}

values_by_from_str! {
    SocketAddr => "an address and a port, as in `127.0.0.1:8080`",
    bool => "`true` or `false`",
    u32 => "a whole number from 0 to 4294967295",
    u64 => "a whole number that is not negative",
    usize => "a whole number that is not negative",
    String => "a text",
    List<IpNet> => "networks with commas between them, as in `10.0.0.0/8,::1/128`",
    List<String> => "texts with commas between them",
    url::Url => "a URL, as in `https://countersign.example.com`",
}

impl Value for Duration {
    fn read(text: &str) -> Result<Self, String> {
        text.parse()
    }
}

impl Value for LogFormat {
    fn read(text: &str) -> Result<Self, String> {
        text.parse()
    }
}

impl Value for RolesFollow {
    fn read(text: &str) -> Result<Self, String> {
        text.parse()
    }
}

impl Value for DatabaseCheck {
    fn read(text: &str) -> Result<Self, String> {
        text.parse()
    }
}

impl Value for DatabaseUrl {
    fn read(text: &str) -> Result<Self, String> {
        text.parse()
    }
}

impl Value for FileStorage {
    fn read(text: &str) -> Result<Self, String> {
        text.parse()
    }
}

impl Value for List<WitnessPlace> {
    fn read(text: &str) -> Result<Self, String> {
        text.parse()
    }
}

impl Value for SecretKey {
    fn read(text: &str) -> Result<Self, String> {
        text.parse()
    }
}

impl Value for SecretString {
    fn read(text: &str) -> Result<Self, String> {
        Ok(text.into())
    }
}

impl<T: Value> Value for Option<T> {
    fn read(text: &str) -> Result<Self, String> {
        T::read(text).map(Some)
    }
    fn absent() -> Option<Self> {
        Some(None)
    }
}

macro_rules! settings {
    (@default) => { None };
    (@default $default:literal) => { Some($default) };
    (@secret) => { false };
    (@secret secret) => { true };
    ($($(#[doc = $help:literal])* $field:ident $name:literal: $type:ty $(= $default:literal)? $(, $secret:ident)?;)*) => {
        /// Every setting, checked.
        #[derive(Debug, Clone)]
        pub struct Settings {
            $($(#[doc = $help])* pub $field: $type,)*
        }

        /// All settings in the order in which they are explained.
        pub const TABLE: &[Setting] = &[
            $(Setting {
                name: $name,
                default: settings!(@default $($default)?),
                help: concat!($($help),*),
                secret: settings!(@secret $($secret)?),
                parse: |settings, text| {
                    settings.$field = Value::read(text)?;
                    Ok(())
                },
            },)*
        ];

        impl Default for Settings {
            fn default() -> Self {
                Self {
                    $($field: {
                        let default: Option<&str> = settings!(@default $($default)?);
                        match default {
                            Some(text) => Value::read(text).expect("a default in the table is valid"),
                            None => Value::absent().expect("a setting without a default is optional"),
                        }
                    },)*
                }
            }
        }
    };
}

settings! {
    /// Address and port to listen on.
    listen "listen": SocketAddr = "127.0.0.1:8080";
    /// Where people reach the server, for links; derived from `listen` when absent.
    public_url "public-url": Option<url::Url>;
    /// Fills an empty database with a demo, keeps it moving, and lets people on this machine in with one click.
    demo "demo": bool = "false";
    /// Folder of the embedded database and of files.
    data_dir "data-dir": String = "./data";
    /// `sqlite://PATH` or `postgres://…`; absent: SQLite in `data-dir`.
    database_url "database-url": Option<DatabaseUrl>, secret;
    /// Connections for reading; PostgreSQL takes half as many more for writing.
    database_connections "database-connections": u32 = "16";
    /// How long a start waits for a PostgreSQL that is not there yet.
    database_wait "database-wait": Duration = "30s";
    /// How an SQLite database is checked at the start: `quick` (every page, up to 1 GiB), `full` (indexes as well, whatever the size) or `off`.
    database_check "database-check": DatabaseCheck = "quick";
    /// What to log, in the syntax of `tracing`'s EnvFilter.
    log "log": String = "info,sqlx=warn,sea_orm_migration=warn";
    /// How log lines look: `text` or `json`.
    log_format "log-format": LogFormat = "text";
    /// OpenTelemetry collector for traces (OTLP over HTTP), as in `http://127.0.0.1:4318`; absent: none.
    otlp_endpoint "otlp-endpoint": Option<url::Url>;
    /// Bearer token that `/metrics` asks for; absent: open if `listen` is a loopback address, otherwise closed.
    metrics_token "metrics-token": Option<SecretString>, secret;
    /// Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed.
    trusted_proxies "trusted-proxies": List<IpNet> = "";
    /// Time to read a request's body, and again to answer it; subscriptions are exempt.
    request_timeout "request-timeout": Duration = "30s";
    /// Time that running work has to finish after a stop signal.
    shutdown_timeout "shutdown-timeout": Duration = "10s";
    /// Open TCP connections at most.
    max_connections "max-connections": usize = "20000";
    /// Largest request body in bytes.
    max_body_bytes "max-body-bytes": usize = "12582912";
    /// Largest JSON value in bytes, such as a step's input or output.
    max_value_bytes "max-value-bytes": usize = "10485760";
    /// Largest answer to a GraphQL operation in bytes; a batch's answers count together.
    max_answer_bytes "max-answer-bytes": usize = "33554432";
    /// Longest GraphQL document in bytes.
    max_query_bytes "max-query-bytes": usize = "262144";
    /// Most words and signs of a GraphQL document; a text of any length counts as one.
    max_query_tokens "max-query-tokens": usize = "10000";
    /// Deepest nesting of a query.
    max_depth "max-depth": usize = "15";
    /// Highest complexity of a query: fields, times the page size within lists.
    max_complexity "max-complexity": usize = "20000";
    /// Most aliases in a query.
    max_aliases "max-aliases": usize = "100";
    /// Most directives on one field.
    max_directives "max-directives": usize = "10";
    /// Most operations in one batched request.
    max_batch "max-batch": usize = "10";
    /// Open WebSockets of one user or token at most.
    max_sockets_per_user "max-sockets-per-user": usize = "100";
    /// Running subscriptions of one user or token at most, over all its connections.
    max_subscriptions_per_user "max-subscriptions-per-user": usize = "1000";
    /// Time that a WebSocket has to send `connection_init`.
    socket_init_timeout "socket-init-timeout": Duration = "10s";
    /// Time between keep-alive messages on idle WebSockets and event streams.
    keep_alive "keep-alive": Duration = "15s";
    /// Time in which a client must take some of what waits for it: an answer, an event, a file. Silence alone is no reason to close.
    write_timeout "write-timeout": Duration = "30s";
    /// Steps that this server runs itself at the same time; more wait for a place.
    max_running_steps "max-running-steps": usize = "1000";
    /// Whether changes of the policy, of an agent's risk level and of a workflow's gates wait until somebody else approves.
    review_changes "review-changes": bool = "false";
    /// File with the policy of all workspaces, which then cannot be changed through the API: no start without a valid one; absent: each has its own.
    policy "policy": Option<String>;
    /// Where files of deliverables are kept: `file:///FOLDER` or `s3://BUCKET/PREFIX`; absent: `files` in `data-dir`.
    file_storage "file-storage": Option<FileStorage>;
    /// Largest content of a deliverable in bytes.
    max_upload_bytes "max-upload-bytes": u64 = "1073741824";
    /// Content of deliverables in one workspace at most, in bytes; 0: no limit.
    max_stored_bytes "max-stored-bytes": u64 = "107374182400";
    /// Uploads that one user or API token may have begun and not finished; 0: no limit.
    max_pending_uploads "max-pending-uploads": u64 = "100";
    /// Log lines and progress reports of workers that one execution keeps; 0: no limit.
    max_log_lines "max-log-lines": u64 = "10000";
    /// How long an upload may be begun, and how long it may then take.
    upload_ttl "upload-ttl": Duration = "1h";
    /// URL of an S3-compatible service; absent: that of AWS.
    s3_endpoint "s3-endpoint": Option<url::Url>;
    /// Region of the bucket.
    s3_region "s3-region": String = "us-east-1";
    /// Access key of the bucket; absent: that of the machine's role.
    s3_access_key_id "s3-access-key-id": Option<String>;
    /// Secret of the access key.
    s3_secret_access_key "s3-secret-access-key": Option<SecretString>, secret;
    /// Whether the schema can be introspected.
    introspection "introspection": bool = "true";
    /// Whether `/graphiql` is served.
    graphiql "graphiql": bool = "true";
    /// How long an access token lasts; the browser renews it by itself.
    access_token_ttl "access-token-ttl": Duration = "10m";
    /// How long a session lasts without being used.
    session_ttl "session-ttl": Duration = "14d";
    /// How long a one-time sign-in link can be used.
    sign_in_link_ttl "sign-in-link-ttl": Duration = "24h";
    /// Sign-in attempts per minute from one address; 20 times as many on one account from everywhere.
    sign_in_attempts "sign-in-attempts": u32 = "10";
    /// Operations per second of one user or API token; 0: as many as the server can do.
    rate_limit "rate-limit": u32 = "0";
    /// Operations of one user or API token at once before `rate-limit` counts.
    rate_limit_burst "rate-limit-burst": u32 = "1000";
    /// Operations per second of one address (IPv6: one /64) without a valid credential; 0: as many as the server can do.
    anonymous_rate_limit "anonymous-rate-limit": u32 = "20";
    /// Operations of one address without a valid credential at once before `anonymous-rate-limit` counts.
    anonymous_rate_limit_burst "anonymous-rate-limit-burst": u32 = "200";
    /// Private networks that HTTP agents may call, as in `10.0.0.0/8`; absent: none.
    http_allow "http-allow": List<IpNet> = "";
    /// Key that seals the workspaces' secrets: 32 bytes in base64; absent: one that the server keeps in its database.
    secret_key "secret-key": Option<SecretKey>, secret;
    /// Key that signs the audit log: 32 bytes in base64; absent: one that the server keeps in its database.
    audit_key "audit-key": Option<SecretKey>, secret;
    /// How long entries of the audit log wait for a signature at most.
    audit_sign_interval "audit-sign-interval": Duration = "1m";
    /// How many entries of a workspace wait for a signature at most.
    audit_sign_entries "audit-sign-entries": u32 = "1000";
    /// Places outside the database that see each signed head of the audit log: `file:///FILE`, `https://…` (a webhook), `s3://BUCKET/PREFIX`, `countersign+https://HOST`; absent: none.
    audit_witness "audit-witness": List<WitnessPlace> = "";
    /// Bearer tokens for those of them that have a URL: `HOST=TOKEN` with commas between them, or one token for all.
    audit_witness_token "audit-witness-token": Option<SecretString>, secret;
    /// Issuer of the outside identity provider's tokens; absent: none is accepted.
    oidc_issuer "oidc-issuer": Option<String>;
    /// Audience that those tokens must name.
    oidc_audience "oidc-audience": Option<String>;
    /// Where the provider publishes its keys (JWKS).
    oidc_jwks_url "oidc-jwks-url": Option<url::Url>;
    /// Signature algorithms that are accepted.
    oidc_algorithms "oidc-algorithms": List<String> = "RS256,ES256,EdDSA";
    /// Claim with the roles: a list, or a text with spaces or commas; a dot goes into an object.
    oidc_roles_claim "oidc-roles-claim": String = "roles";
    /// When roles come from the token: `first-sign-in`, with which an account is made, or `always`, at every request.
    oidc_roles "oidc-roles": RolesFollow = "first-sign-in";
    /// Claim with the workspace's slug; absent: everybody belongs to `oidc-workspace`.
    oidc_workspace_claim "oidc-workspace-claim": Option<String>;
    /// Workspace of people whose token does not name one.
    oidc_workspace "oidc-workspace": String = "default";
}
