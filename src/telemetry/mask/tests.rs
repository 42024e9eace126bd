use secrecy::ExposeSecret;

use super::*;
use crate::store::secret::{Kind, generate};

const OURS: &str = "cst_Qm9zc2VzLWtub3ctbm90aGluZy1hYm91dC1pdA-_0";
const JWT: &str = "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl-_x";
const USER: &str = "user_01h455vb4pex5vsknk084sn02q";
const TOKEN: &str = "token_01h455vb4pex5vsknk084sn02q";

#[track_caller]
fn masks(text: &str, expected: &str) {
    assert_eq!(mask(text), expected, "from {text}");
    assert_eq!(mask(expected), expected, "masking twice changes something");
}

#[track_caller]
fn keeps(text: &str) {
    assert!(matches!(mask(text), Cow::Borrowed(_)), "{text} became {}", mask(text));
}

#[test]
fn our_secrets_are_found_anywhere() {
    masks(&format!("refused {OURS}, sorry"), "refused cst_[masked], sorry");
    for kind in [Kind::ApiToken, Kind::Refresh, Kind::SignInLink] {
        let secret = generate(kind);
        let link = format!("https://countersign.example.com/sign-in#x{}", secret.expose_secret());
        let masked = format!("https://countersign.example.com/sign-in#x{}[masked]", kind.prefix());
        masks(&link, &masked);
    }
}

#[test]
fn tokens_and_credentials_of_others() {
    masks(&format!("got {JWT}."), "got [masked].");
    masks("cut eyJhbGciOiJFZERTQSJ9.eyJzdWIiOi…", "cut [masked]…");
    masks("sent Bearer 5f2c.a~b+c/d=", "sent Bearer [masked]");
    masks("sent bearer opensesame", "sent bearer [masked]");
    masks("sent Basic YWRhOmxvdmVsYWNl to it", "sent Basic [masked] to it");
    masks("-----BEGIN EC PRIVATE KEY-----\nMHcCAQEE\n-----END EC PRIVATE KEY-----\nnext", "[masked]\nnext");
    masks(r#"{"pem":"-----BEGIN PRIVATE KEY-----\nMHcC"}"#, r#"{"pem":"[masked]"}"#);
}

#[test]
fn passwords_in_urls() {
    masks("postgres://ada:hunter2@db:5432/x", "postgres://[masked]@db:5432/x");
    masks("postgres://ada:p@ss/w:rd@db/x?y=z", "postgres://[masked]@db/x?y=z");
    masks("redis://:123456@cache", "redis://[masked]@cache");
    masks(r#"url="amqp://u:p@h" x"#, r#"url="amqp://[masked]@h" x"#);
    keeps("listening on http://127.0.0.1:8080/graphql and http://[::1]:8080/@me");
    keeps("https://registry.example.com:443/@scope/package");
}

#[test]
fn mailboxes() {
    masks("to ada@example.com.", "to [email].");
    masks("<ada.b+c@mail.example.co.uk>, 'o'brien@example.com'", "<[email]>, '[email]'");
    masks("ä@bücher.example", "[email]");
    masks("ada@localhost ada@163.com ada@10.0.0.1 ada@[::1]", "[email] [email] [email] [email]");
    masks("GET /users?email=ada%2Bx%40example.com&page=2", "GET /users?email=[email]&page=2");
    masks("http://host:80/users/ada@example.com", "http://host:80/users/[email]");
    masks(r"a\u00e4ada@example.com b\uaä@example.com", r"a\u00e4[email] b\ua[email]");
    masks(r#"Email("ada@example.com")"#, r#"Email("[email]")"#);
    keeps("serde@1.0.2 and @include(if: true) and a @ b");
}

#[test]
fn values_with_secret_names_in_log_lines() {
    masks("x password=hunter2", "x password=[masked]");
    masks("password=correct horse battery staple user=ada\n", "password=[masked] user=ada\n");
    masks(r#"password="cor\"rect horse" attempt=2"#, r#"password="[masked]" attempt=2"#);
    masks("token=abc,x=1", "token=[masked],x=1");
    masks("GET /callback?access_token=a.b&state=c", "GET /callback?access_token=[masked]&state=c");
    masks("sign_in{password=hun)ter2}: countersign: done", "sign_in{password=[masked]}: countersign: done");
    masks("COUNTERSIGN_METRICS_TOKEN=abc other", "COUNTERSIGN_METRICS_TOKEN=[masked] other");
    masks("host=db password='hun ter2' port=5432", "host=db password='[masked]' port=5432");
    masks("cookie=sid=abc; theme=dark method=GET", "cookie=[masked] method=GET");
    masks("password=hunter(2 is open", "password=[masked]");
    masks(
        "\u{1b}[3mpassword\u{1b}[0m\u{1b}[2m=\u{1b}[0mhunter 2 \u{1b}[3mx",
        "\u{1b}[3mpassword\u{1b}[0m\u{1b}[2m=\u{1b}[0m[masked] \u{1b}[3mx",
    );
}

#[test]
fn values_with_secret_names_in_headers_and_debug_output() {
    masks("Authorization: Digest abc\r\nHost: x", "Authorization: [masked]\r\nHost: x");
    masks("header Cookie: sid=abc; theme=dark", "header Cookie: [masked]");
    masks("Set-Cookie: sid=abc; HttpOnly", "Set-Cookie: [masked]");
    masks(
        r#"{"authorization": "Bearer x", "x-api-key": "y"}"#,
        r#"{"authorization": "[masked]", "x-api-key": "[masked]"}"#,
    );
    masks(
        r#"SignIn { email: "ada@example.com", password: "hun\"ter2", totp: None }"#,
        r#"SignIn { email: "[email]", password: "[masked]", totp: None }"#,
    );
    masks(r#"S { token: Some("a, b"), n: 1 }"#, "S { token: [masked], n: 1 }");
    masks(r#"S { token: Token { value: "a" }, n: 1 }"#, "S { token: [masked], n: 1 }");
    masks("S { metrics_token: Some(SecretBox<str>([REDACTED])), n: 1 }", "S { metrics_token: [masked], n: 1 }");
    masks(r#"S { url: "/?token=", password: "x", n: 1 }"#, r#"S { url: "/?token="[masked]", n: 1 }"#);
    masks(r#"S { a: "password=(\\", password: "x" }"#, r#"S { a: "password=[masked]"#);
    masks("{'password': 'x', 'n': 1}", "{'password': '[masked]', 'n': 1}");
    masks(r#"{"a": S { token: "x" }}"#, r#"{"a": S { token: "[masked]" }}"#);
    masks("S {\n    client_secret: [\n        1,\n        2,\n    ],\n}", "S {\n    client_secret: [masked]\n}");
    masks(r#"signIn(input: {password: "x", name: "y"})"#, r#"signIn(input: {password: "[masked]", name: "y"})"#);
}

#[test]
fn json_stays_json() {
    for (text, expected) in [
        (r#"{"password":"hun\"ter\\","a":1}"#, r#"{"password":"[masked]","a":1}"#),
        (r#"{"refreshToken": 12345, "a":[1]}"#, r#"{"refreshToken": "[masked]", "a":[1]}"#),
        (r#"{"set-cookie":["a=b","c=]"],"a":1}"#, r#"{"set-cookie":"[masked]","a":1}"#),
        (r#"{"secret":{"a":{"b":"}"}},"a":1}"#, r#"{"secret":"[masked]","a":1}"#),
        (r#"{"message":"with password=hunter(2","a":")"}"#, r#"{"message":"with password=[masked]","a":")"}"#),
        (r#"{"message":"S { token: \"x\" }","a":1}"#, r#"{"message":"S { token: \"[masked]\" }","a":1}"#),
        (
            r#"{"body":"{\"password\":\"hun\\\"ter\\\\\",\"a\":1}"}"#,
            r#"{"body":"{\"password\":\"[masked]\",\"a\":1}"}"#,
        ),
        (r#"{"body":"{\"token\":123,\"a\":1}"}"#, r#"{"body":"{\"token\":\"[masked]\",\"a\":1}"}"#),
        (r#"{"body":"{\"password\":\"cut","a":1}"#, r#"{"body":"{\"password\":\"[masked]","a":1}"#),
        (r#"{"body":"{\"tokenHash\":[\"cut","a":1}"#, r#"{"body":"{\"tokenHash\":\"[masked]\"","a":1}"#),
    ] {
        masks(text, expected);
        assert!(value::is_json(text) && value::is_json(expected), "{expected}");
    }
    keeps(r#"{"uri":"/callback?token=","status":200,"message":"no token: "}"#);
}

#[test]
fn json_within_json_at_any_depth() {
    let mut text = r#"{"password":"a\"b\\","kept":"yes"}"#.to_owned();
    for depth in 0..5 {
        let masked = mask(&text).into_owned();
        assert!(masked.contains(MASKED) && masked.contains("yes") && !masked.contains(r#"a\"#), "{depth}: {masked}");
        assert!(value::is_json(&masked), "{depth}: {masked}");
        text = serde_json::json!({ "body": text }).to_string();
    }
}

#[test]
fn ordinary_lines_stay_as_they_are() {
    for line in [
        "2026-07-01T10:00:00.123456Z  INFO countersign::http: listening address=127.0.0.1:8080",
        &format!("signed in user={USER} session=session_01h455vb4pex5vsknk084sn02q elapsed_ms=12"),
        &format!("revoked token={TOKEN} and {{\"token\":\"{TOKEN}\"}}"),
        "countersign::store::secret: made one",
        "invalid token: ExpiredSignature",
        "the bearer token is missing; send `Authorization` as a Bearer token.",
        r#"WWW-Authenticate: Bearer realm="countersign", error="invalid_token""#,
        "a basic workflow with basic authentication",
        "missing field `password` at line 1",
        "password_changed=true token_count=12 tokens: 1200 secret_kind=x",
        r#"{"token":null,"password":"","secret":true}"#,
        r#"SELECT "id" FROM "api_tokens" WHERE "token_hash" = $1 AND password_hash = ? LIMIT $2"#,
        "if token == expected { secret::generate(kind) }",
        "csr_pem and eyJ and cst_short",
        "",
        "äöü 😀 … 100 %",
    ] {
        keeps(line);
    }
}

#[test]
fn names_are_secret_by_their_end() {
    for name in ["password", "db.Password", "accessToken", "x-api-key", "http.request.header.set-cookie", "TOKEN_HASH"]
    {
        assert!(is_secret_name(name), "{name}");
    }
    for name in ["token_id", "tokens", "password_changed_at", "key", "user.id", ""] {
        assert!(!is_secret_name(name), "{name}");
    }
}

/// What a client can make us log must not keep the logger busy. No time is measured: if one of these took
/// the square of its length, the whole run would notice.
#[test]
fn hostile_texts_end() {
    for part in [
        "token=( ",
        "://a:b",
        "://a:1/",
        "a@",
        "cst_aaaaaaaaaaaaaaaaaaaa.",
        "password: ",
        "a password: b ",
        "eyJ",
        "\\\"",
        "token\\\":",
        "basic ",
        "token=\"",
        "token='",
        "password=\"x ",
    ] {
        let text = part.repeat(100_000 / part.len());
        let _ = mask(&text);
    }
}
