//! Who may do what: every root field of the schema, with every role.

use std::collections::BTreeSet;

use countersign::domain::{agent::Kind, role::Role};
use serde_json::{Value, json};

use crate::support::{Database, Socket, TestApp, at, text};

/// Who may use a field.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Who {
    Anybody,
    SignedIn,
    With(Role),
}

use Who::{Anybody, SignedIn, With};

const QUERIES: &[(&str, Who, &str)] = &[
    ("serverInfo", Anybody, "serverInfo { demo }"),
    ("viewer", SignedIn, "viewer { displayName }"),
    ("workspace", With(Role::Viewer), "workspace { name }"),
    ("node", With(Role::Viewer), "node(id: \"x\") { id }"),
    ("nodes", With(Role::Viewer), "nodes(ids: [\"x\"]) { id }"),
    ("users", With(Role::Viewer), "users { totalCount }"),
    ("groups", With(Role::Viewer), "groups { totalCount }"),
    ("apiTokens", With(Role::Admin), "apiTokens { totalCount }"),
    ("serviceAccounts", With(Role::Admin), "serviceAccounts { totalCount }"),
    ("policy", With(Role::Viewer), "policy { version }"),
    ("policyVersion", With(Role::Viewer), "policyVersion(number: 1) { number }"),
    ("policyVersions", With(Role::Viewer), "policyVersions { totalCount }"),
    ("validatePolicy", With(Role::Viewer), "validatePolicy(document: \"\") { valid }"),
    ("evaluatePolicy", With(Role::Viewer), "evaluatePolicy(input: {operationType: \"x\", parameters: {}}) { outcome }"),
    ("backtestPolicy", With(Role::Author), "backtestPolicy(input: {document: \"\"}) { done }"),
    ("suggestPolicyRules", With(Role::Author), "suggestPolicyRules { name }"),
    ("learningCases", With(Role::Viewer), "learningCases { totalCount }"),
    ("secrets", With(Role::Author), "secrets { totalCount }"),
    ("auditEntries", With(Role::Admin), "auditEntries { totalCount }"),
    ("auditChain", With(Role::Admin), "auditChain { sequence }"),
    ("witnessedAuditHeads", With(Role::Viewer), "witnessedAuditHeads(ofWorkspace: \"x\") { sequence }"),
    ("agents", With(Role::Viewer), "agents { totalCount }"),
    ("agentByName", With(Role::Viewer), "agentByName(name: \"x\") { id }"),
    ("workflows", With(Role::Viewer), "workflows { totalCount }"),
    ("workflowByName", With(Role::Viewer), "workflowByName(name: \"x\") { id }"),
    ("validateWorkflow", With(Role::Viewer), "validateWorkflow(source: \"x\") { valid }"),
    ("previewWorkflow", With(Role::Viewer), "previewWorkflow(input: {source: \"x\"}) { problems { code } }"),
    (
        "compareWorkflowVersions",
        With(Role::Viewer),
        "compareWorkflowVersions(workflowId: \"x\", from: 1, to: 2) { path }",
    ),
    ("execution", With(Role::Viewer), "execution(id: \"x\") { id }"),
    ("executions", With(Role::Viewer), "executions { totalCount }"),
    ("checkpoint", With(Role::Viewer), "checkpoint(id: \"x\") { id }"),
    ("checkpoints", With(Role::Viewer), "checkpoints { totalCount }"),
    ("checkpointCounts", With(Role::Viewer), "checkpointCounts { pending mine }"),
    ("analytics", With(Role::Viewer), "analytics { executions { ended } }"),
    ("deliverable", With(Role::Viewer), "deliverable(id: \"x\") { id }"),
    ("deliverables", With(Role::Viewer), "deliverables { totalCount }"),
    ("deliverableCounts", With(Role::Viewer), "deliverableCounts { byType { count } }"),
    (
        "compareDeliverableVersions",
        With(Role::Viewer),
        "compareDeliverableVersions(deliverableId: \"x\", from: 1, to: 2) { diff }",
    ),
    (
        "previewParameterChanges",
        With(Role::Viewer),
        "previewParameterChanges(checkpointId: \"x\", parameters: {}) { valid }",
    ),
];

/// Each with an input that does nothing. Who may not use the mutation does not even learn what is wrong with it.
const MUTATIONS: &[(&str, Who, &str)] = &[
    ("signIn", Anybody, "{email: \"x\", password: \"x\"}"),
    ("redeemSignInLink", Anybody, "{token: \"x\"}"),
    ("demoSignIn", Anybody, ""),
    ("refreshSession", Anybody, ""),
    ("signOut", SignedIn, "{sessionId: \"x\"}"),
    ("withdrawSignInLink", SignedIn, ""),
    ("changePassword", SignedIn, "{newPassword: \"x\"}"),
    ("updateProfile", SignedIn, "{displayName: \"\"}"),
    ("updateWorkspace", With(Role::Admin), "{name: \"\"}"),
    ("inviteUser", With(Role::Admin), "{email: \"x\", roles: []}"),
    ("createSignInLink", With(Role::Admin), "{userId: \"x\"}"),
    ("changeUserRoles", With(Role::Admin), "{userId: \"x\", roles: []}"),
    ("disableUser", With(Role::Admin), "{userId: \"x\"}"),
    ("enableUser", With(Role::Admin), "{userId: \"x\"}"),
    ("erasePersonalData", With(Role::Admin), "{userId: \"x\"}"),
    ("endSession", With(Role::Admin), "{sessionId: \"x\"}"),
    ("endSessions", With(Role::Admin), "{userId: \"x\"}"),
    ("linkIdentity", SignedIn, "{token: \"x\"}"),
    ("linkUserIdentity", With(Role::Admin), "{userId: \"x\", issuer: \"x\", subject: \"x\"}"),
    ("unlinkIdentity", SignedIn, "{issuer: \"x\", subject: \"x\"}"),
    ("createGroup", With(Role::Admin), "{name: \"\"}"),
    ("updateGroup", With(Role::Admin), "{groupId: \"x\"}"),
    ("deleteGroup", With(Role::Admin), "{groupId: \"x\"}"),
    ("addGroupMembers", With(Role::Admin), "{groupId: \"x\", userIds: []}"),
    ("removeGroupMembers", With(Role::Admin), "{groupId: \"x\", userIds: []}"),
    ("createApiToken", With(Role::Admin), "{name: \"\", roles: []}"),
    ("revokeApiToken", With(Role::Admin), "{apiTokenId: \"x\"}"),
    ("createServiceAccount", With(Role::Admin), "{name: \"\"}"),
    ("renameServiceAccount", With(Role::Admin), "{serviceAccountId: \"x\", name: \"\"}"),
    ("disableServiceAccount", With(Role::Admin), "{serviceAccountId: \"x\"}"),
    ("enableServiceAccount", With(Role::Admin), "{serviceAccountId: \"x\"}"),
    ("savePolicy", With(Role::Admin), "{document: \"\"}"),
    ("restorePolicyVersion", With(Role::Admin), "{version: 0}"),
    ("setEmergencyStop", With(Role::Approver), "{stopped: true}"),
    ("setSecret", With(Role::Admin), "{name: \"\", value: \"\"}"),
    ("deleteSecret", With(Role::Admin), "{name: \"\"}"),
    ("createAgent", With(Role::Author), "{name: \"\", kind: WORKER}"),
    ("updateAgent", With(Role::Author), "{agentId: \"x\", baseVersion: 1}"),
    ("archiveAgent", With(Role::Author), "{agentId: \"x\"}"),
    ("unarchiveAgent", With(Role::Author), "{agentId: \"x\"}"),
    ("createWorkflow", With(Role::Author), "{source: \"x\"}"),
    ("updateWorkflow", With(Role::Author), "{workflowId: \"x\", source: \"x\"}"),
    ("discardWorkflowDraft", With(Role::Author), "{workflowId: \"x\"}"),
    ("restoreWorkflowVersion", With(Role::Author), "{workflowId: \"x\", version: 1, baseVersion: 1}"),
    ("archiveWorkflow", With(Role::Author), "{workflowId: \"x\"}"),
    ("unarchiveWorkflow", With(Role::Author), "{workflowId: \"x\"}"),
    ("startExecution", With(Role::Operator), "{workflowId: \"x\", input: {}}"),
    ("cancelExecution", With(Role::Operator), "{executionId: \"x\"}"),
    ("pauseExecution", With(Role::Operator), "{executionId: \"x\"}"),
    ("resumeExecution", With(Role::Operator), "{executionId: \"x\"}"),
    ("retryExecution", With(Role::Operator), "{executionId: \"x\"}"),
    ("resumeFailedExecution", With(Role::Operator), "{executionId: \"x\"}"),
    ("forkExecution", With(Role::Operator), "{executionId: \"x\", fromStep: \"x\"}"),
    ("claimTasks", With(Role::Operator), "{queue: \"\", workerId: \"\"}"),
    ("heartbeatTask", With(Role::Operator), "{taskId: \"x\", leaseToken: \"x\"}"),
    ("completeTask", With(Role::Operator), "{taskId: \"x\", leaseToken: \"x\", output: {}}"),
    ("failTask", With(Role::Operator), "{taskId: \"x\", leaseToken: \"x\", message: \"x\"}"),
    ("approveCheckpoint", With(Role::Approver), "{checkpointId: \"x\", digest: \"x\"}"),
    ("rejectCheckpoint", With(Role::Approver), "{checkpointId: \"x\", digest: \"x\", reason: \"x\"}"),
    ("answerClarification", With(Role::Approver), "{checkpointId: \"x\", digest: \"x\", answers: {}}"),
    ("decideCheckpoints", With(Role::Approver), "{decisions: []}"),
    ("commentOnCheckpoint", With(Role::Viewer), "{checkpointId: \"x\", comment: \"x\"}"),
    ("askAboutCheckpoint", With(Role::Approver), "{checkpointId: \"x\", question: \"x\"}"),
    ("answerAboutCheckpoint", With(Role::Operator), "{checkpointId: \"x\", questionId: \"x\", answer: \"x\"}"),
    ("overrideAutoApproval", With(Role::Approver), "{checkpointId: \"x\", reason: \"x\"}"),
    ("claimCheckpoint", With(Role::Approver), "{checkpointId: \"x\"}"),
    ("assignCheckpoint", With(Role::Approver), "{checkpointId: \"x\"}"),
    ("delegateCheckpoint", With(Role::Approver), "{checkpointId: \"x\", userId: \"x\"}"),
    ("reassignCheckpoint", With(Role::Admin), "{checkpointId: \"x\", userIds: [], reason: \"x\"}"),
    ("updateCheckpointAgent", With(Role::Approver), "{checkpointId: \"x\", digest: \"x\"}"),
    (
        "witnessAuditHead",
        With(Role::Operator),
        "{workspace: \"x\", sequence: 1, hash: \"x\", at: \"x\", publicKey: \"x\", signature: \"x\"}",
    ),
    ("setOutOfOffice", With(Role::Approver), "{delegateId: \"x\"}"),
    (
        "requestApproval",
        With(Role::Operator),
        "{operationType: \"\", description: \"\", parameters: {}, riskLevel: LOW}",
    ),
    ("createDeliverable", With(Role::Operator), "{name: \"\", content: {}}"),
    ("addDeliverableVersion", With(Role::Operator), "{deliverableId: \"x\", content: {}}"),
    ("updateDeliverable", With(Role::Operator), "{deliverableId: \"x\"}"),
    ("finalizeDeliverable", With(Role::Operator), "{deliverableId: \"x\"}"),
    ("archiveDeliverable", With(Role::Operator), "{deliverableId: \"x\"}"),
    ("restoreDeliverable", With(Role::Operator), "{deliverableId: \"x\"}"),
    ("setDeliverableRetention", With(Role::Admin), "{days: 0}"),
    ("requestClarification", With(Role::Operator), "{questions: []}"),
    (
        "reviseProposal",
        With(Role::Operator),
        "{checkpointId: \"x\", operationType: \"\", description: \"\", parameters: {}, riskLevel: LOW}",
    ),
];

const SUBSCRIPTIONS: &[(&str, Who, &str)] = &[
    ("auditEvents", With(Role::Admin), "auditEvents { cursor }"),
    ("apiTokenEvents", With(Role::Admin), "apiTokenEvents { cursor }"),
    ("sessionEvents", SignedIn, "sessionEvents { cursor }"),
    ("executionEvents", With(Role::Viewer), "executionEvents(executionId: \"EXECUTION\") { cursor }"),
    ("directoryEvents", With(Role::Viewer), "directoryEvents { cursor }"),
    ("libraryEvents", With(Role::Viewer), "libraryEvents { cursor }"),
    ("policyEvents", With(Role::Viewer), "policyEvents { cursor }"),
    ("workspaceEvents", With(Role::Viewer), "workspaceEvents { cursor }"),
    ("checkpointEvents", With(Role::Viewer), "checkpointEvents { cursor }"),
    ("deliverableEvents", With(Role::Viewer), "deliverableEvents { cursor }"),
    ("taskAvailable", With(Role::Viewer), "taskAvailable(queue: \"x\") { waiting }"),
    ("backtestPolicy", With(Role::Author), "backtestPolicy(input: {document: \"version: '1.0'\"}) { done }"),
];

/// The operations of queries and mutations.
fn operations() -> impl Iterator<Item = (Who, String)> {
    let queries = QUERIES.iter().map(|(_, who, field)| (*who, format!("{{ {field} }}")));
    let mutations = MUTATIONS.iter().map(|(name, who, input)| {
        let arguments = if input.is_empty() { String::new() } else { format!("(input: {input})") };
        (*who, format!("mutation {{ {name}{arguments} {{ userErrors {{ code }} }} }}"))
    });
    queries.chain(mutations)
}

/// The code with which a caller of this role is turned away.
fn refusal(who: Who, held: Option<Role>) -> Option<&'static str> {
    match (who, held) {
        (Anybody, _) | (SignedIn, Some(_)) => None,
        (SignedIn | With(_), None) => Some("UNAUTHENTICATED"),
        (With(Role::Viewer), Some(_)) | (With(_), Some(Role::Admin)) => None,
        (With(needed), Some(held)) => (needed != held).then_some("FORBIDDEN"),
    }
}

fn code(errors: &Value) -> Option<&str> {
    errors.pointer("/0/extensions/code").and_then(Value::as_str)
}

#[tokio::test]
async fn every_field_asks_for_its_role() {
    let app = TestApp::start(Database::Sqlite).await;
    app.agent("Worker", Kind::Worker, json!({})).await;
    let workflow = app.workflow(json!({"name": "W", "steps": [{"key": "a", "agent": "Worker"}]})).await;
    let execution = app.start_execution(workflow, json!({})).await.to_string();
    for held in [None].into_iter().chain(Role::ALL.map(Some)) {
        let token = match held {
            Some(role) => Some(app.token(role).await),
            None => None,
        };
        for (who, operation) in operations() {
            let answer: Value = app.post(token.as_deref(), &operation, json!({})).await.json().await.expect("JSON");
            // Who is let in may still be told that the argument is wrong.
            let refused = code(&answer["errors"]).filter(|code| *code != "BAD_USER_INPUT");
            assert_eq!(refused, refusal(who, held), "{held:?}: {operation}: {answer}");
        }
        let Some(token) = token else { continue };
        let mut socket = Socket::open(&app, &token).await;
        for (name, who, field) in SUBSCRIPTIONS {
            let field = field.replace("EXECUTION", &execution);
            socket.subscribe(name, &format!("subscription {{ {field} }}"), json!({})).await;
            match refusal(*who, held) {
                Some(expected) => {
                    let message = socket.next().await;
                    assert_eq!(text(&message, "/type"), "error");
                    assert_eq!(code(&message["payload"]), Some(expected), "{held:?}: {name}");
                }
                None => {
                    socket.send(json!({"type": "ping"})).await;
                    let mut message = socket.next().await;
                    // What it has to say already may come first.
                    while message["id"] == *name && message["type"] != "error" {
                        message = socket.next().await;
                    }
                    assert_eq!(message, json!({"type": "pong"}), "{held:?}: {name} goes on");
                }
            }
        }
    }
}

#[tokio::test]
async fn all_other_roles_together_are_not_an_admin() {
    let app = TestApp::start(Database::Sqlite).await;
    let roles = [Role::Viewer, Role::Operator, Role::Author, Role::Approver];
    let ada = app.person("ada@example.com", &roles).await;
    for (_, operation) in operations().filter(|(who, _)| *who == With(Role::Admin)) {
        let answer = app.graphql(&ada.access_token, &operation, json!({})).await;
        assert_eq!(code(&answer["errors"]), Some("FORBIDDEN"), "{operation}: {answer}");
    }
}

#[tokio::test]
async fn no_field_of_the_schema_is_left_out() {
    let app = TestApp::start(Database::Sqlite).await;
    let fields = "{ fields { name description } }";
    let query = format!("{{ __schema {{ queryType {fields} mutationType {fields} subscriptionType {fields} }} }}");
    let schema = app.anonymous(&query, json!({})).await;
    for (root, table) in [("queryType", QUERIES), ("mutationType", MUTATIONS), ("subscriptionType", SUBSCRIPTIONS)] {
        let fields = at(&schema, &format!("/data/__schema/{root}/fields")).as_array().expect("a list");
        let exposed: BTreeSet<&str> = fields.iter().map(|field| text(field, "/name")).collect();
        let tested: BTreeSet<&str> = table.iter().map(|(name, _, _)| *name).collect();
        assert_eq!(exposed, tested, "say in the table who may use a new field");
        for (name, who, _) in table {
            let field = fields.iter().find(|field| field["name"] == *name).expect("a field");
            for role in Role::ALL.into_iter().filter(|role| *role != Role::Viewer) {
                let told = text(field, "/description").contains(&format!("Needs the role {role}."));
                assert_eq!(told, *who == With(role), "{name}'s description says who may use it");
            }
        }
    }
}
