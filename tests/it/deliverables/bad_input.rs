//! What cannot be taken gets a clear answer.

use rstest::rstest;
use serde_json::{Value, json};

use super::Rig;
use crate::support::{Database, text};

#[rstest]
#[tokio::test]
async fn bad_names_and_contents_are_refused_with_a_reason(
    #[values(Database::Sqlite, Database::Postgres)] database: Database,
) {
    let rig = Rig::new(database).await;
    let long = "x".repeat(1_000);
    for (name, part) in [
        ("", "is empty"),
        ("   ", "is empty"),
        ("../../etc/passwd", "without a path"),
        ("a/b", "without a path"),
        ("a\\b", "without a path"),
        ("..", "without a path"),
        ("a\u{0}b", "U+0000"),
        ("a\nb", "U+000A"),
        ("a\u{1b}[31m", "U+001B"),
        ("cod\u{202e}gpj.exe", "U+202E"),
        (long.as_str(), "1000 characters"),
    ] {
        let input = json!({"name": name, "content": {"text": "x"}});
        let (code, message, path) = rig.refused("createDeliverable", input).await;
        assert_eq!((code.as_str(), path.as_str()), ("INVALID", "input.name"), "{name:?}");
        assert!(message.contains(part), "{message}");
    }
    for (content, part) in [
        (json!({}), "exactly one"),
        (json!({"text": "x", "base64": "eA=="}), "exactly one"),
        (json!({"base64": "not base64"}), "base64"),
        (json!({"text": "x".repeat(1024 * 1024 + 1)}), "use `upload`"),
        (json!({"upload": {"size": 1.5}}), "whole number"),
        (json!({"upload": {"size": -1}}), "whole number"),
        (json!({"upload": {"sha256": "abc"}}), "64 hexadecimal digits"),
        (json!({"external": {"url": "https://x/", "metadata": "m".repeat(70_000)}}), "65536"),
    ] {
        let (code, message, _) = rig.refused("createDeliverable", json!({"name": "x", "content": content})).await;
        assert_eq!(code, "INVALID");
        assert!(message.contains(part), "{message}");
    }
    for mime_type in ["", "text", "text/html\r\nset-cookie: x=y", "*/*"] {
        let input = json!({"name": "x", "mimeType": mime_type, "content": {"text": "x"}});
        let (_, message, path) = rig.refused("createDeliverable", input).await;
        assert_eq!(path, "input.mimeType", "{message}");
    }
    let everything = json!({"name": "a/b", "mimeType": "x", "content": {"external": {"url": "x"}}});
    let answer = rig.mutate("createDeliverable", everything).await;
    assert_eq!(answer["userErrors"].as_array().expect("a list").len(), 3, "all problems at once: {answer}");
    let execution = rig.execution().await.to_string();
    let made = rig.text("x", "x").await;
    for (input, path) in [
        (json!({"executionId": execution, "leaseToken": "x"}), "input.executionId"),
        (json!({"executionId": "exec_nonsense"}), "input.executionId"),
        (json!({"executionId": "exec_00000000000000000000000000"}), "input.executionId"),
        (json!({"leaseToken": "nonsense"}), "input.leaseToken"),
        (json!({"checkpointId": "chk_00000000000000000000000000"}), "input.checkpointId"),
        (json!({"executionId": execution, "checkpointId": "chk_00000000000000000000000000"}), "input.checkpointId"),
        (json!({"executionId": made["id"]}), "input.executionId"),
        (json!({"idempotencyKey": ""}), "input.idempotencyKey"),
    ] {
        let mut input = input;
        input["name"] = json!("x");
        input["content"] = json!({"text": "x"});
        assert_eq!(rig.refused("createDeliverable", input).await.2, path);
    }
    for path in ["/deliverables/nonsense/content", "/deliverables/dlv_00000000000000000000000000/content"] {
        let response = rig.get(path).await;
        assert_eq!(response.status(), 404);
        let answer: Value = response.json().await.expect("JSON");
        assert_eq!(text(&answer, "/errors/0/extensions/code"), "NOT_FOUND");
    }
    assert_eq!(rig.get("/executions/nonsense/deliverables.zip").await.status(), 404);
    let url = rig.app.url(&format!("/deliverables/{}/content", text(&made, "/id")));
    assert_eq!(rig.app.http.post(url).bearer_auth(&rig.token).send().await.expect("an answer").status(), 405);
}
