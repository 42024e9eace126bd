//! Where a request really comes from, when proxies stand in between, and whether it comes from this machine.

use std::net::{IpAddr, SocketAddr};

use axum::http::{HeaderMap, header};
use ipnet::IpNet;

use crate::engine::Origin;

/// The caller's address and browser, and whether it speaks HTTPS to us or to our proxy.
pub fn origin(peer: SocketAddr, headers: &HeaderMap, trusted: &[IpNet]) -> (Origin, bool) {
    let peer = peer.ip().to_canonical();
    let user_agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(&address));
    if !is_trusted(peer) {
        return (Origin { address: Some(peer), user_agent }, false);
    }
    // Each proxy appends whom it saw: from the right, the first that is no proxy of ours is the caller.
    let forwarded: Vec<IpAddr> = headers
        .get_all("x-forwarded-for")
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .filter_map(|part| part.trim().parse::<IpAddr>().ok())
        .map(|address| address.to_canonical())
        .collect();
    let caller = forwarded.iter().rev().find(|address| !is_trusted(**address)).or(forwarded.first());
    let secure = headers.get("x-forwarded-proto").is_some_and(|value| value.as_bytes().eq_ignore_ascii_case(b"https"));
    (Origin { address: Some(caller.copied().unwrap_or(peer)), user_agent }, secure)
}

/// Headers by which a proxy gives itself away, beside all that begin with `x-forwarded`.
const OF_PROXIES: [&str; 5] = ["forwarded", "via", "x-real-ip", "x-client-ip", "true-client-ip"];

/// Whether a request comes from this machine, with nobody in between, and whoever sent it meant this machine: a page of
/// another site whose name leads here says its own name in `Host`, and a page that calls across sites in `Origin`.
/// Proxies are not believed but refused, trusted ones too: what reaches them comes from elsewhere.
pub fn is_local(peer: SocketAddr, headers: &HeaderMap) -> bool {
    let of_proxy = |name: &str| name.starts_with("x-forwarded") || OF_PROXIES.contains(&name);
    let mut hosts = headers.get_all(header::HOST).iter();
    let only_host = hosts.next().filter(|_| hosts.next().is_none());
    let host = only_host.and_then(|value| value.to_str().ok());
    let mut origins = headers.get_all(header::ORIGIN).iter();
    peer.ip().to_canonical().is_loopback()
        && !headers.keys().any(|name| of_proxy(name.as_str()))
        && host.is_some_and(is_loopback_name)
        && origins.all(|value| {
            let authority = value.to_str().ok().and_then(|text| text.strip_prefix("http://"));
            authority.is_some_and(is_loopback_name)
        })
}

/// Whether `HOST` or `HOST:PORT` names this machine itself.
fn is_loopback_name(authority: &str) -> bool {
    let Ok(authority) = authority.parse::<axum::http::uri::Authority>() else { return false };
    let host = authority.host();
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let is_loopback = host.eq_ignore_ascii_case("localhost")
        || address.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback());
    is_loopback && !authority.as_str().contains('@')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(peer: &str, forwarded: &[&'static str], trusted: &str) -> String {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", value.parse().expect("a header"));
        }
        let trusted: Vec<IpNet> = trusted.split(',').filter_map(|text| text.parse().ok()).collect();
        let peer = SocketAddr::new(peer.parse().expect("an address"), 1);
        origin(peer, &headers, &trusted).0.address.map(|address| address.to_string()).unwrap_or_default()
    }

    #[test]
    fn a_stranger_cannot_choose_its_address() {
        assert_eq!(address("203.0.113.9", &["10.0.0.1"], "10.0.0.0/8"), "203.0.113.9");
    }

    fn local(peer: &str, headers: &[(&'static str, &'static str)]) -> bool {
        let headers = headers.iter().map(|(name, value)| {
            (axum::http::HeaderName::from_static(name), axum::http::HeaderValue::from_static(value))
        });
        is_local(SocketAddr::new(peer.parse().expect("an address"), 1), &headers.collect())
    }

    #[test]
    fn this_machine_is_told_by_its_address_and_its_name() {
        for host in ["localhost", "localhost:8080", "127.0.0.1:8080", "[::1]:8080", "LocalHost:1", "127.8.8.8"] {
            assert!(local("127.0.0.1", &[("host", host)]), "{host}");
        }
        assert!(local("::1", &[("host", "localhost"), ("origin", "http://localhost:8080")]));
        assert!(local("::ffff:127.0.0.1", &[("host", "localhost")]));
    }

    #[test]
    fn others_are_not_this_machine() {
        assert!(!local("203.0.113.9", &[("host", "localhost")]));
        for host in ["evil.example", "localhost.evil.example", "x@127.0.0.1", "127.0.0.1.evil.example", "10.0.0.1", ""]
        {
            assert!(!local("127.0.0.1", &[("host", host)]), "{host}");
        }
        assert!(!local("127.0.0.1", &[]));
        assert!(!local("127.0.0.1", &[("host", "localhost"), ("host", "evil.example")]));
        for (name, value) in [
            ("x-forwarded-for", "127.0.0.1"),
            ("x-forwarded-host", "localhost"),
            ("forwarded", "for=127.0.0.1"),
            ("via", "1.1 proxy"),
            ("x-real-ip", "127.0.0.1"),
            ("origin", "https://evil.example"),
            ("origin", "http://evil.example"),
            ("origin", "null"),
        ] {
            assert!(!local("127.0.0.1", &[("host", "localhost"), (name, value)]), "{name}: {value}");
        }
    }

    #[test]
    fn behind_proxies_the_last_stranger_is_the_caller() {
        assert_eq!(address("10.0.0.1", &["1.1.1.1, 203.0.113.9, 10.0.0.2"], "10.0.0.0/8"), "203.0.113.9");
        assert_eq!(address("10.0.0.1", &["1.1.1.1", "203.0.113.9"], "10.0.0.0/8"), "203.0.113.9");
        assert_eq!(address("::ffff:10.0.0.1", &["nonsense"], "10.0.0.0/8"), "10.0.0.1");
    }
}
