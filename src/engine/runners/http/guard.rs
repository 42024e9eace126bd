//! Keeps calls out of private networks: the addresses that a name really resolves to are checked, not the name.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::Arc,
};

use ipnet::{IpNet, Ipv4Net, Ipv6Net};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use super::{Failure, FailureCode};

const fn v4(a: u8, b: u8, c: u8, d: u8, length: u8) -> Ipv4Net {
    Ipv4Net::new_assert(Ipv4Addr::new(a, b, c, d), length)
}

const fn v6(a: u16, b: u16, c: u16, length: u8) -> Ipv6Net {
    Ipv6Net::new_assert(Ipv6Addr::new(a, b, c, 0, 0, 0, 0, 0), length)
}

/// What is not the public internet, after IANA's registry of special addresses.
const SPECIAL_V4: [Ipv4Net; 15] = [
    v4(0, 0, 0, 0, 8),       // "This" network, which leads to the machine itself.
    v4(10, 0, 0, 0, 8),      // Private.
    v4(100, 64, 0, 0, 10),   // Behind a carrier's NAT.
    v4(127, 0, 0, 0, 8),     // Loopback.
    v4(169, 254, 0, 0, 16),  // Link-local, where clouds serve credentials.
    v4(172, 16, 0, 0, 12),   // Private.
    v4(192, 0, 0, 0, 24),    // Protocol assignments.
    v4(192, 0, 2, 0, 24),    // Documentation.
    v4(192, 88, 99, 0, 24),  // Relays to IPv6, out of use.
    v4(192, 168, 0, 0, 16),  // Private.
    v4(198, 18, 0, 0, 15),   // Benchmarks.
    v4(198, 51, 100, 0, 24), // Documentation.
    v4(203, 0, 113, 0, 24),  // Documentation.
    v4(224, 0, 0, 0, 4),     // Multicast.
    v4(240, 0, 0, 0, 4),     // Reserved, and broadcast.
];

/// All public addresses of IPv6 are within this; unique local, link-local, multicast and loopback are not.
const GLOBAL_V6: Ipv6Net = v6(0x2000, 0, 0, 3);
const SPECIAL_V6: [Ipv6Net; 3] = [
    v6(0x2001, 0, 0, 23),     // Protocol assignments, such as Teredo's tunnels.
    v6(0x2001, 0xdb8, 0, 32), // Documentation.
    v6(0x3fff, 0, 0, 20),     // Documentation.
];
/// Has an IPv4 address in its next 32 bits, to which a relay leads.
const SIX_TO_FOUR: Ipv6Net = v6(0x2002, 0, 0, 16);
/// Has an IPv4 address in its last 32 bits, to which a gateway leads.
const NAT64: Ipv6Net = v6(0x64, 0xff9b, 0, 96);

/// Which addresses may be called.
#[derive(Debug, Clone)]
pub struct Guard {
    allowed: Arc<[IpNet]>,
}

/// An address that must not be called.
#[derive(Debug, thiserror::Error)]
#[error("`{host}` ({address}) is not on the public internet: only an operator can allow it, with `http-allow`")]
pub struct Refused {
    host: String,
    address: IpAddr,
}

impl Guard {
    /// The public internet, and these networks.
    pub fn new(allowed: &[IpNet]) -> Self {
        Self { allowed: allowed.into() }
    }

    /// Checks a URL whose host is an address: names are checked when they are resolved, addresses never are.
    pub fn check_literal(&self, url: &Url) -> Result<(), Failure> {
        self.refused(url).map_or(Ok(()), |refused| Err(refused.into()))
    }

    /// Why a URL must not be called, as far as that can be told without resolving a name. However the address was
    /// spelled, `Url` has read it by now.
    pub fn refused(&self, url: &Url) -> Option<Refused> {
        let address = match url.host()? {
            Host::Domain(_) => return None,
            Host::Ipv4(address) => IpAddr::V4(address),
            Host::Ipv6(address) => IpAddr::V6(address),
        };
        let host = url.host_str().unwrap_or_default().to_owned();
        (!self.allows(address)).then_some(Refused { host, address })
    }

    fn allows(&self, address: IpAddr) -> bool {
        // `::ffff:10.0.0.1` is 10.0.0.1.
        let address = address.to_canonical();
        self.allowed.iter().any(|network| network.contains(&address))
            || match address {
                IpAddr::V4(address) => !SPECIAL_V4.iter().any(|network| network.contains(&address)),
                IpAddr::V6(address) => match embedded(address) {
                    Some(inner) => self.allows(IpAddr::V4(inner)),
                    None => {
                        GLOBAL_V6.contains(&address) && !SPECIAL_V6.iter().any(|network| network.contains(&address))
                    }
                },
            }
    }

    /// Those of a name's addresses that may be called, or why there is none.
    fn filter(&self, host: &str, found: impl Iterator<Item = SocketAddr>) -> Result<Vec<SocketAddr>, Refused> {
        let (allowed, refused): (Vec<_>, Vec<_>) = found.partition(|address| self.allows(address.ip()));
        match refused.first() {
            Some(address) if allowed.is_empty() => Err(Refused { host: host.to_owned(), address: address.ip() }),
            _ => Ok(allowed),
        }
    }
}

/// The IPv4 address that an IPv6 address really leads to.
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [_, _, a, b, c, d, .., e, f, g, h] = address.octets();
    if SIX_TO_FOUR.contains(&address) {
        Some(Ipv4Addr::new(a, b, c, d))
    } else if NAT64.contains(&address) {
        Some(Ipv4Addr::new(e, f, g, h))
    } else {
        None
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        Failure::new(FailureCode::Forbidden, refused.to_string())
    }
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = self.clone();
        Box::pin(async move {
            // The caller sets the port.
            let found = tokio::net::lookup_host((name.as_str(), 0)).await?;
            let allowed = guard.filter(name.as_str(), found)?;
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing that the public internet leads to.
    const SPECIAL: &str = "
        0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.255 169.254.169.254
        172.16.0.1 172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255
        198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 :: ::1 ::ffff:127.0.0.1
        ::ffff:10.0.0.1 ::127.0.0.1 ::8.8.8.8 64:ff9b::10.0.0.1 64:ff9b:1::8.8.8.8 100::1 2001::1
        2001:0:1234::1 2001:20::1 2001:db8::1 2002:7f00:1:: 2002:a00:1::1 2002:c0a8:101:: 3fff::1 4000::1
        5f00::1 fc00::1 fd12:3456::1 fe80::1 fec0::1 ff02::1
    ";
    /// Neighbours of those, and public addresses in other clothes.
    const PUBLIC: &str = "
        1.1.1.1 8.8.8.8 11.0.0.1 100.63.255.255 100.128.0.1 172.15.0.1 172.32.0.1 192.167.1.1
        223.255.255.255 ::ffff:8.8.8.8 64:ff9b::8.8.8.8 2001:4860:4860::8888 2002:808:808:: 2606:4700::1111
    ";
    /// Ways to write an address of this machine.
    const SPELLINGS: &str = "
        http://127.0.0.1/ http://127.0.0.1./ http://127.1/ http://0x7f.1/ http://0x7f000001/
        http://2130706433/ http://017700000001/ http://0177.0.0.1/ http://1２7.0.0.1/ http://0/
        http://%31%32%37.0.0.1/ http://[::1]/ http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]/
        http://[0:0:0:0:0:ffff:169.254.169.254]/
    ";

    fn guard(allowed: &[&str]) -> Guard {
        let networks: Vec<IpNet> = allowed.iter().map(|text| text.parse().expect("a network")).collect();
        Guard::new(&networks)
    }

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn only_the_public_internet_may_be_called() {
        let guard = guard(&[]);
        for text in SPECIAL.split_whitespace() {
            assert!(!guard.allows(address(text)), "{text}");
        }
        for text in PUBLIC.split_whitespace() {
            assert!(guard.allows(address(text)), "{text}");
        }
    }

    #[test]
    fn an_operator_can_allow_a_network() {
        let guard = guard(&["10.1.0.0/16", "fd00::/8"]);
        for text in ["10.1.2.3", "::ffff:10.1.2.3", "64:ff9b::10.1.2.3", "fd00::1"] {
            assert!(guard.allows(address(text)), "{text}");
        }
        for text in ["10.2.0.1", "::ffff:10.2.0.1", "127.0.0.1", "fc00::1"] {
            assert!(!guard.allows(address(text)), "{text}");
        }
    }

    #[test]
    fn no_spelling_of_an_address_gets_around() {
        let guard = guard(&[]);
        for text in SPELLINGS.split_whitespace() {
            let url = Url::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let failure = guard.check_literal(&url).expect_err(text);
            assert_eq!((failure.code, failure.retryable), (FailureCode::Forbidden, false), "{text}");
        }
        assert!(guard.check_literal(&Url::parse("http://8.8.8.8/").expect("a URL")).is_ok());
    }

    #[test]
    fn of_several_addresses_only_the_allowed_are_used() {
        let guard = guard(&[]);
        let found = |texts: &[&str]| {
            let addresses: Vec<SocketAddr> = texts.iter().map(|text| SocketAddr::new(address(text), 0)).collect();
            guard.filter("example.com", addresses.into_iter())
        };
        let allowed = found(&["127.0.0.1", "8.8.8.8", "::1"]).expect("one of them");
        assert_eq!(allowed, [SocketAddr::new(address("8.8.8.8"), 0)]);
        let refused = found(&["127.0.0.1", "::1"]).expect_err("none of them");
        assert!(refused.to_string().starts_with("`example.com` (127.0.0.1) is not"), "{refused}");
        assert_eq!(found(&[]).expect("nothing to refuse"), []);
    }
}
