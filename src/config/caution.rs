//! What is shown of settings, and which of them are valid but unsafe.

use std::sync::LazyLock;

use regex::Regex;

use super::table::Settings;

/// Who signs in to a URL, and with which password: all before the last `@` of the host's part.
static USER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"://[^/?#\s]*@").ok());

/// A value with the names and passwords of its URLs masked.
pub fn without_passwords(text: &str) -> String {
    match &*USER {
        Some(user) => user.replace_all(text, "://•••@").into_owned(),
        None => "•••".to_owned(),
    }
}

impl Settings {
    /// What an operator should know before others can reach the server.
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.is_on_loopback() {
            return warnings;
        }
        let mut warn = |applies: bool, text: &str| {
            if applies {
                warnings.push(format!("`listen` is {}, which others can reach, {text}", self.listen));
            }
        };
        let https = self.public_url.as_ref().is_some_and(|url| url.scheme() == "https");
        let plain = "and `public-url` is not `https://…`: passwords and tokens travel in the clear unless a proxy with TLS \
                     is in front, and cookies are not `Secure`";
        warn(!https, plain);
        let proxies = "and `trusted-proxies` is empty: behind a proxy, all callers share its address and its limits";
        warn(self.trusted_proxies.0.is_empty(), proxies);
        warn(self.metrics_token.is_none(), "and `metrics-token` is not set: `/metrics` is closed");
        warn(
            self.anonymous_rate_limit == 0,
            "and `anonymous-rate-limit` is 0: strangers may call as often as they like",
        );
        warn(self.demo, "and `demo` is on: nothing in it is meant to be kept, or kept from anybody");
        warnings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_shown_without_who_signs_in_to_them() {
        for (text, shown) in [
            ("https://ada:hunter2@collector.example:4318/v1", "https://•••@collector.example:4318/v1"),
            ("https://a:p@ss@h/x,https://token@h2", "https://•••@h/x,https://•••@h2"),
            ("https://h/a@b", "https://h/a@b"),
            ("10.0.0.0/8", "10.0.0.0/8"),
        ] {
            assert_eq!(without_passwords(text), shown);
        }
    }

    #[test]
    fn what_only_this_machine_reaches_needs_no_warning() {
        assert_eq!(Settings::default().warnings(), Vec::<String>::new());
        let listen = "0.0.0.0:8080".parse().expect("an address");
        let open = Settings { listen, ..Settings::default() };
        assert_eq!(open.warnings().len(), 3, "{:?}", open.warnings());
        let behind = Settings {
            public_url: Some("https://countersign.example.com".parse().expect("a URL")),
            trusted_proxies: "10.0.0.0/8".parse().expect("a network"),
            metrics_token: Some("token".into()),
            ..open
        };
        assert_eq!(behind.warnings(), Vec::<String>::new());
    }
}
