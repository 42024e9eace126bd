//! Where a request really comes from, when proxies stand in between.

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

    #[test]
    fn behind_proxies_the_last_stranger_is_the_caller() {
        assert_eq!(address("10.0.0.1", &["1.1.1.1, 203.0.113.9, 10.0.0.2"], "10.0.0.0/8"), "203.0.113.9");
        assert_eq!(address("10.0.0.1", &["1.1.1.1", "203.0.113.9"], "10.0.0.0/8"), "203.0.113.9");
        assert_eq!(address("::ffff:10.0.0.1", &["nonsense"], "10.0.0.0/8"), "10.0.0.1");
    }
}
