//! To whom a secret may be sent. Authors write agents, admins set secrets: without this, an author could have any secret
//! sent to a server of their own.

use std::{fmt, str::FromStr};

use url::{Host, Url};

use crate::domain::{name, refusal::Refusal};

/// The port that a host without one stands for.
const USUAL_PORT: u16 = 443;
const LONGEST_HOST: usize = 260;
const LONGEST_AGENT: usize = 100;
const MOST: usize = 100;

/// What a host looks like, for messages.
pub const HOST_RULE: &str = "write `api.example.com`, `*.example.com` or `api.example.com:8443`";

/// Where a secret may go.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Binding {
    /// The hosts that it may be sent to; none: it cannot be used.
    pub hosts: Vec<HostRule>,
    /// The agents that may send it; none: any.
    pub agents: Vec<String>,
}

/// Why a secret is not for a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotFor {
    /// It is for no host at all.
    Nowhere,
    ThisHost,
    ThisAgent,
}

impl Binding {
    /// Whether an agent may send the secret to the host of this URL.
    pub fn check(&self, agent: &str, url: &Url) -> Result<(), NotFor> {
        if self.hosts.is_empty() {
            Err(NotFor::Nowhere)
        } else if !self.hosts.iter().any(|rule| rule.allows(url)) {
            Err(NotFor::ThisHost)
        } else if !self.agents.is_empty() && !self.agents.iter().any(|name| name == agent) {
            Err(NotFor::ThisAgent)
        } else {
            Ok(())
        }
    }
}

/// A host and a port, or all hosts below a domain.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct HostRule {
    /// As a URL has it: lower case, in ASCII.
    host: String,
    port: u16,
    /// Whether it is for what is below the host instead of the host itself.
    below: bool,
}

impl HostRule {
    /// Exactly the host and port of a URL.
    pub fn of(url: &Url) -> Option<Self> {
        Some(Self { host: url.host_str()?.to_owned(), port: url.port_or_known_default()?, below: false })
    }

    pub fn allows(&self, url: &Url) -> bool {
        let fits = |host: &str| match self.below {
            true => host.strip_suffix(self.host.as_str()).is_some_and(|rest| rest.len() > 1 && rest.ends_with('.')),
            false => host == self.host,
        };
        url.port_or_known_default() == Some(self.port) && url.host_str().is_some_and(fits)
    }
}

impl FromStr for HostRule {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let shown: String = text.chars().take(LONGEST_HOST).collect();
        let refused = |why: &str| format!("`{}` {why}: {HOST_RULE}", shown.escape_debug());
        if text.len() > LONGEST_HOST {
            return Err(refused("is too long for a host"));
        }
        let (below, host) = text.strip_prefix("*.").map_or((false, text), |rest| (true, rest));
        let other = |c: char| "/?#@\\*%".contains(c) || c.is_whitespace() || c.is_control();
        if host.contains(other) {
            return Err(refused("is not a host"));
        }
        let url = Url::parse(&format!("https://{host}")).map_err(|_| refused("is not a host"))?;
        if below && !matches!(url.host(), Some(Host::Domain(domain)) if domain.trim_end_matches('.').contains('.')) {
            return Err(refused("is not a domain with hosts below it"));
        }
        let rule = Self::of(&url).ok_or_else(|| refused("is not a host"))?;
        Ok(Self { below, ..rule })
    }
}

impl fmt::Display for HostRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.below {
            f.write_str("*.")?;
        }
        f.write_str(&self.host)?;
        if self.port == USUAL_PORT { Ok(()) } else { write!(f, ":{}", self.port) }
    }
}

/// Checks the hosts of a secret: each once, in a fixed order.
pub fn check_hosts(field: &'static str, hosts: &[String]) -> Result<Vec<HostRule>, Refusal> {
    if hosts.is_empty() {
        let message = format!("`{field}` is empty: say to which hosts the secret may be sent; {HOST_RULE}");
        return Err(Refusal::invalid(field, message));
    }
    check_number(field, hosts)?;
    let mut rules: Vec<HostRule> = Vec::with_capacity(hosts.len());
    for host in hosts {
        rules.push(host.trim().parse().map_err(|why: String| Refusal::invalid(field, why))?);
    }
    rules.sort();
    rules.dedup();
    Ok(rules)
}

/// Checks the agents of a secret, which need not be there yet.
pub fn check_agents(field: &'static str, agents: &[String]) -> Result<Vec<String>, Refusal> {
    check_number(field, agents)?;
    let mut names =
        agents.iter().map(|agent| name::check(field, agent, LONGEST_AGENT)).collect::<Result<Vec<_>, _>>()?;
    names.sort();
    names.dedup();
    Ok(names)
}

fn check_number(field: &'static str, list: &[String]) -> Result<(), Refusal> {
    if list.len() > MOST {
        let message = format!("`{field}` has {} entries: at most {MOST} are allowed", list.len());
        return Err(Refusal::invalid(field, message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(rule: &str, url: &str) -> bool {
        let rule: HostRule = rule.parse().unwrap_or_else(|why: String| panic!("{why}"));
        rule.allows(&Url::parse(url).expect("a URL"))
    }

    #[test]
    fn a_host_is_itself_and_nothing_else() {
        assert!(allows("api.example.com", "https://api.example.com/x"));
        assert!(allows("API.Example.com", "https://api.example.com"));
        assert!(allows("bücher.example", "https://xn--bcher-kva.example/"));
        assert!(allows("api.example.com:8443", "https://api.example.com:8443"));
        assert!(allows("127.0.0.1:80", "http://127.1/"));
        assert!(allows("[::1]:8080", "http://[0:0::1]:8080"));
        for url in [
            "https://example.com",
            "https://evil-api.example.com",
            "https://api.example.com.evil.test",
            "https://api.example.com:8443",
            // In the clear is another port.
            "http://api.example.com",
        ] {
            assert!(!allows("api.example.com", url), "{url}");
        }
    }

    #[test]
    fn a_star_is_for_what_is_below() {
        assert!(allows("*.example.com", "https://api.example.com"));
        assert!(allows("*.example.com", "https://a.b.example.com"));
        for url in
            ["https://example.com", "https://evilexample.com", "https://.example.com", "https://example.com.evil"]
        {
            assert!(!Url::parse(url).is_ok_and(|_| allows("*.example.com", url)), "{url}");
        }
    }

    #[test]
    fn what_is_no_host_is_refused() {
        for text in [
            "",
            "*",
            "*.com",
            "*.127.0.0.1",
            "a b",
            "https://a.example",
            "a.example/x",
            "u@a.example",
            "a.*.example",
            "a.example:99999",
            "a%2eexample",
            "*.*.example.com",
        ] {
            let error = text.parse::<HostRule>().expect_err(text);
            assert!(error.contains(HOST_RULE), "{error}");
        }
    }

    #[test]
    fn a_rule_is_written_as_it_is_read() {
        for text in ["api.example.com", "*.example.com", "api.example.com:80", "[::1]:8080", "*.example.com:8443"] {
            assert_eq!(text.parse::<HostRule>().map(|rule| rule.to_string()), Ok(text.to_owned()));
        }
    }
}
