//! Documents that are wrong: each problem with its line and column.

use std::fmt::Write as _;

use proptest::{prelude::*, sample::select};

use super::{EXAMPLE, Policy};
use crate::domain::{
    document::{MOST_PROBLEMS, ProblemCode::*, read_text},
    policy::{LARGEST_TEXT, MOST_RULES},
};

/// The problems of a text, as `line:column path: message`.
fn problems(text: &str) -> Vec<String> {
    let problems = Policy::read(text).err().unwrap_or_default();
    let shown = |place: Option<usize>| place.map_or("?".to_owned(), |number| number.to_string());
    problems
        .into_iter()
        .map(|it| format!("{}:{} {}: {}", shown(it.line), shown(it.column), it.path, it.message))
        .collect()
}

/// Puts each odd line of a table into a document, and expects the one problem on the even line after it.
#[track_caller]
fn check(table: &str, document: &str, line: usize, path: &str) {
    let lines: Vec<&str> = table.trim().lines().collect();
    for case in lines.chunks(2) {
        let [text, expected] = case else { panic!("{case:?}") };
        let (column, rest) = expected.strip_prefix("-> ").and_then(|it| it.split_once(' ')).expect(expected);
        assert_eq!(problems(&document.replace("HERE", text)), [format!("{line}:{column} {path}{rest}")], "{text}");
    }
}

#[test]
fn conditions_are_checked() {
    let document = "version: '1.0'\ncheckpoints:\n  - name: A\n    trigger: {HERE}\n";
    check(CONDITIONS, document, 4, "/checkpoints/0/trigger");
    let empty = "4:5 /checkpoints/0/trigger: `trigger` is empty: give at least one condition";
    assert_eq!(problems(&document.replace("HERE", "")), [empty]);
}

const CONDITIONS: &str = r#"
risk: high
-> 15 /risk: `risk` is not a field: there is risk_level, operation_type, agent_confidence, confidence, data_threshold, custom_field, condition
risk_levle: high
-> 15 /risk_levle: `risk_levle` is not a field: did you mean `risk_level`?
risk_level: huge
-> 15 /risk_level: `huge` is not known here: use `low`, `medium`, `high`, `critical`
risk_level: [low, huge]
-> 33 /risk_level/1: `huge` is not known here: use `low`, `medium`, `high`, `critical`
risk_level: 3
-> 15 /risk_level: expected a text, found `3`
risk_level: []
-> 15 /risk_level: `risk_level` is an empty list: name at least one, or leave the field out
risk_level: null
-> 15 /risk_level: `risk_level` has no value: give one, or leave the field out
risk_level: low, data_threshold:
-> 32 /data_threshold: `data_threshold` has no value: give one, or leave the field out
operation_type: ' '
-> 15 /operation_type: the text has 0 characters: use 1 to 254, none of them control
operation_type: [a, {b: c}]
-> 35 /operation_type/1: expected a text, found an object
data_threshold: 5
-> 15 /data_threshold: expected an object, found `5`
data_threshold: []
-> 15 /data_threshold: `data_threshold` is a list of 0: give 1 to 20
data_threshold: {operator: '>', value: 1}
-> 15 /data_threshold/field: `field` is missing
data_threshold: {field: a..b, operator: '>', value: 1}
-> 32 /data_threshold/field: `a..b` is not a path: write names with dots in between, as in `customer.tier`, or a JSON pointer
data_threshold: {field: a, value: 1}
-> 15 /data_threshold/operator: `operator` is missing
data_threshold: {field: a, operator: '=>', value: 1}
-> 42 /data_threshold/operator: `=>` is not known here: use `>`, `>=`, `<`, `<=`, `==`, `!=`, `in`, `contains`, `matches`
data_threshold: {field: a, operator: '>'}
-> 15 /data_threshold/value: `value` is missing
data_threshold: {field: a, operator: '>', value: '5'}
-> 57 /data_threshold/value: expected a number, as the operator is `>`, found `"5"`
data_threshold: {field: a, operator: '<=', value: null}
-> 58 /data_threshold/value: expected a number, as the operator is `<=`, found null
data_threshold: {field: a, operator: '>', value: 1e99999999999999999999}
-> 57 /data_threshold/value: the number is too large to be compared with
data_threshold: {field: a, operator: in, value: 5}
-> 56 /data_threshold/value: expected a list of values, as the operator is `in`, found `5`
data_threshold: {field: a, operator: in, value: []}
-> 56 /data_threshold/value: the list is empty: nothing can be in it
data_threshold: {field: a, operator: matches, value: 5}
-> 61 /data_threshold/value: expected a regular expression, as the operator is `matches`, found `5`
data_threshold: {field: a, operator: matches, value: '(a'}
-> 61 /data_threshold/value: not a regular expression: unclosed group
data_threshold: {field: a, operator: matches, value: '\w{500}'}
-> 61 /data_threshold/value: the pattern is too large: repeat less
data_threshold: {field: a, operator: '>', value: 1, unit: EUR}
-> 67 /data_threshold/unit: `unit` is not a field: there is field, operator, value
custom_field: [{field: a, operator: '>', value: 1}, 7]
-> 67 /custom_field/1: expected an object, found `7`
agent_confidence: 0.9
-> 15 /agent_confidence: expected a comparison such as `">= 0.9"` or `{operator, value}`, found `0.9`
agent_confidence: high
-> 15 /agent_confidence: `high` is not a comparison: write something like `>= 0.9`
confidence: '< 1.5'
-> 15 /confidence: a confidence is from 0 to 1, not 1.5
confidence: {operator: '<', value: -0.1}
-> 43 /confidence/value: a confidence is from 0 to 1, not -0.1
confidence: {operator: in, value: 0.5}
-> 28 /confidence/operator: `in` is not known here: use `>=`, `<=`, `==`, `!=`, `>`, `<`
confidence: {operator: '<', value: half}
-> 43 /confidence/value: expected a number, found `"half"`
confidence: '< 0.5', agent_confidence: '< 0.5'
-> 15 /confidence: `confidence` and `agent_confidence` are the same: give one of them
condition: 'input.a >'
-> 15 /condition: column 10: mismatched input the end
condition: 'steps.a.b'
-> 15 /condition: there is no variable `steps`: there are `proposal`, `input` and `context`
condition: '1 + 1'
-> 15 /condition: expected bool, found int
condition: nope(1)
-> 15 /condition: column 5: there is no function `nope`
condition: true
-> 15 /condition: expected a text, found `true`
"#;

#[test]
fn actions_are_checked() {
    let document = "version: '1.0'\ncheckpoints:\n  - name: A\n    trigger: {risk_level: low}\n    action: { HERE}\n";
    check(ACTIONS, document, 5, "/checkpoints/0/action");
}

const ACTIONS: &str = r#"
auto_approve: maybe
-> 15 /auto_approve: expected true or false, found `"maybe"`
require_approval_count: 0
-> 15 /require_approval_count: expected a whole number from 1 to 100, found `0`
require_approval_count: 101
-> 15 /require_approval_count: expected a whole number from 1 to 100, found `101`
require_approval_count: 1.5
-> 15 /require_approval_count: expected a whole number from 1 to 100, found `1.5`
require_approval_count: 1, quorum: 1 of any
-> 42 /quorum: `quorum` and `require_approval_count` both say how many must approve: give one of them
quorum: everybody
-> 15 /quorum: `everybody` is not a part of a quorum: write `2 of group:NAME`, `1 of role:ROLE`, `1 of user:EMAIL`, `1 of service_account:NAME` or `1 of any`
quorum: [1 of any, 2 of role:boss]
-> 34 /quorum/1: `boss` is not a role: use viewer, operator, author, approver or admin
quorum: ['1 of user:a@b.c', '1 of user:A@b.c']
-> 43 /quorum/1: `user:a@b.c` is here twice, but can approve only once
exclude: everybody
-> 15 /exclude: `everybody` is not known here: use `requester`, `agent_owner`
approvers: {}
-> 15 /approvers: `approvers` names nobody: give groups, users or roles, or leave it out
approvers: {users: [ada]}
-> 35 /approvers/users/0: `ada` is not an e-mail address: expected something like `ada@example.com`
approvers: {roles: boss}
-> 27 /approvers/roles: `boss` is not a role: use viewer, operator, author, approver or admin
approvers: {group: a}
-> 27 /approvers/group: `group` is not a field: did you mean `groups`?
approvers: {users: a@b.c}, require_approval_count: 2
-> 15 /approvers: 2 must approve, but `approvers` names only 1
separation_of_duties: 1
-> 15 /separation_of_duties: expected true or false, found `1`
timeout_seconds: 0
-> 15 /timeout_seconds: expected a whole number from 1 to 315360000, found `0`
timeout_seconds: 315360001
-> 15 /timeout_seconds: expected a whole number from 1 to 315360000, found `315360001`
on_timeout: cancel
-> 15 /on_timeout: `on_timeout` needs `timeout_seconds`: without it, the checkpoint waits for ever
timeout_seconds: 5, on_timeout: explode
-> 35 /on_timeout: `explode` is not known here: use `cancel`, `reject`, `approve`, `escalate`
timeout_seconds: 5, on_timeout: escalate
-> 35 /on_timeout: `on_timeout: escalate` needs `escalation.escalate_to`: nobody is named there
timeout_seconds: 5, on_timeout: escalate, escalation: {after_seconds: 2}
-> 57 /escalation/escalate_to: `escalate_to` is missing
timeout_seconds: 5, on_timeout: escalate, escalation: {enabled: false, escalate_to: a@b.c}
-> 70 /escalation/enabled: `on_timeout: escalate` needs the escalation, which is not enabled
escalation: {escalate_to: a@b.c}
-> 15 /escalation/after_seconds: `after_seconds` is missing
escalation: {after_seconds: 5, escalate_to: ada}
-> 46 /escalation/escalate_to: `ada` is not an e-mail address: expected something like `ada@example.com`, or `group:NAME`
escalation: {after_seconds: 5, escalate_to: 'group: '}
-> 46 /escalation/escalate_to: the group's name has 0 characters: use 1 to 100
timeout_seconds: 5, escalation: {after_seconds: 5, escalate_to: a@b.c}
-> 48 /escalation/after_seconds: `after_seconds` must be less than `timeout_seconds`
reminder_seconds: soon
-> 15 /reminder_seconds: expected a whole number from 1 to 315360000, found `"soon"`
notification: {channels: 'by mail'}
-> 30 /notification/channels: `by mail` is not a channel: use 1 to 63 letters, digits, hyphens, underscores
notification: {recipients: [a@b.c, nobody]}
-> 50 /notification/recipients/1: `nobody` is not an e-mail address: expected something like `ada@example.com`, or `group:NAME`
notification: {chanels: a}
-> 30 /notification/chanels: `chanels` is not a field: did you mean `channels`?
timeout: 5
-> 15 /timeout: `timeout` is not a field: there is auto_approve, log_decision, approvers, require_approval_count, quorum, exclude, separation_of_duties, timeout_seconds, on_timeout, escalation, reminder_seconds, notification
quorum: [60 of any, '41 of group:a']
-> 15 /quorum: the quorum has more than 100 approvals in all
"#;

#[test]
fn settings_are_checked() {
    let document = "version: '1.0'\nauto_approval:\n  global_settings: {HERE}\n";
    check(SETTINGS, document, 3, "/auto_approval/global_settings");
}

const SETTINGS: &str = r#"
emergency_stop: 'yes'
-> 21 /emergency_stop: expected true or false, found `"yes"`
emergency_stop:
-> 21 /emergency_stop: `emergency_stop` has no value: give one, or leave the field out
business_hours_only: true
-> 21 /business_hours_only: `business_hours_only` needs `business_hours`
business_ours: 1
-> 21 /business_ours: `business_ours` is not a field: did you mean `business_hours`?
business_hours: {monday_friday: '09:00-17:00'}
-> 21 /business_hours/timezone: `timezone` is missing
business_hours: {timezone: UTC}
-> 21 /business_hours: `business_hours` has no hours: give `monday_friday` or `saturday_sunday`
business_hours: {timezone: Mars, monday_friday: disabled}
-> 38 /business_hours/timezone: `Mars` is not a time zone: use a name such as `Europe/Berlin` or `UTC`
business_hours: {timezone: europe/berlin, monday_friday: disabled}
-> 38 /business_hours/timezone: `europe/berlin` is not a time zone: did you mean `Europe/Berlin`?
business_hours: {timezone: UTC, monday_friday: 9-17}
-> 53 /business_hours/monday_friday: `9-17` are not hours: write them like `09:00-17:00`, or `disabled`
business_hours: {timezone: UTC, monday_friday: disabled, sunday: disabled}
-> 78 /business_hours/sunday: `sunday` is not a field: there is timezone, monday_friday, saturday_sunday
"#;

#[test]
fn auto_approval_rules_are_checked() {
    let document = "version: '1.0'\nauto_approval:\n  rules: [{name: A, HERE}]\n";
    check(RULES, document, 3, "/auto_approval/rules/0");
}

const RULES: &str = r#"
enabled: true
-> 11 /conditions: `conditions` is missing
conditions: {}
-> 21 /conditions: `conditions` is empty: give at least one condition
conditions:
-> 21 /conditions: `conditions` has no value: give one, or leave the field out
conditions: {confidence: '>= 90'}
-> 34 /conditions/confidence: a confidence is from 0 to 1, not 90
conditions: {risk_level: low}, priority: 1
-> 52 /priority: `priority` is not a field: there is name, enabled, conditions, mode, promote_at, demote_below, action
conditions: {risk_level: low}, action: true
-> 52 /action: expected an object, found `true`
conditions: {risk_level: low}, action: {rollout_percentage: 100.5}
-> 61 /action/rollout_percentage: expected a percentage from 0 to 100, found `100.5`
conditions: {risk_level: low}, action: {rollout_percentage: -1}
-> 61 /action/rollout_percentage: expected a percentage from 0 to 100, found `-1`
conditions: {risk_level: low}, action: {notification_channels: [1]}
-> 85 /action/notification_channels/0: expected a text, found `1`
conditions: {risk_level: low}, mode: paper
-> 52 /mode: expected one of `live`, `shadow`, found `"paper"`
conditions: {risk_level: low}, promote_at: 2
-> 52 /promote_at: expected a number from 0 to 1, found `2`
conditions: {risk_level: low}, demote_below: {agreement: 1, over: 0}
-> 81 /demote_below/over: expected a whole number from 1 to 1000, found `0`
conditions: {risk_level: low}, action: {mode: shadow}
-> 61 /action/mode: `mode` is not a field: there is auto_approve, log_decision, notification_channels, notify, rollout_percentage
"#;

#[test]
fn the_document_itself_is_checked() {
    check(VERSIONS, "HERE", 1, "");
    check(LISTS, "version: '1.0'\nHERE\n", 2, "");
    let syntax = problems("version: '1.0'\n\tx: 1");
    assert!(syntax[0].starts_with("2:2 : line 2, column 2: "), "{syntax:?}");
}

const VERSIONS: &str = r#"
checkpoints: []
-> 1 /version: `version` is missing
version: '2.0'
-> 1 /version: expected the version `"1.0"`, found `"2.0"`
version: 1.1
-> 1 /version: expected the version `"1.0"`, found `1.1`
[1]
-> 1 : expected an object, found a list of 1
version: "1.0\0"
-> 1 : the policy cannot be kept: a text has the character NUL (\u0000), which cannot be kept
{"version": "1.0", "name": "x"}
-> 20 /name: `name` is not a field: there is version, checkpoints, auto_approval, operation_types
"#;

const LISTS: &str = r#"
auto_approval: [1]
-> 1 /auto_approval: expected an object, found a list of 1
checkpoints: {}
-> 1 /checkpoints: expected a list of rules, found an object
checkpoints: [7]
-> 15 /checkpoints/0: expected a rule, found `7`
checkpoints: [{trigger: {risk_level: low}}]
-> 15 /checkpoints/0/name: `name` is missing
checkpoints: [{name: ' ', trigger: {risk_level: low}}]
-> 16 /checkpoints/0/name: `name` is empty
checkpoints: [{name: A}]
-> 15 /checkpoints/0/trigger: `trigger` is missing
checkpoints: [{name: A, trigger: {risk_level: low}, priority: 1.5}]
-> 53 /checkpoints/0/priority: expected a whole number from -1000000 to 1000000, found `1.5`
checkpoints: [{name: A, trigger: {risk_level: low}}, {name: ' A', trigger: {risk_level: low}}]
-> 55 /checkpoints/1/name: there are two rules named `A`: names must differ
"#;

#[test]
fn all_problems_are_told_at_once_in_the_order_of_the_text() {
    let text = "\
auto_approval:
  rules:
    - name: A
      conditions: { risk_level: none }
checkpoints:
  - name: A
    priorty: 1
    trigger: { condition: 'a', risk_level: huge }
  - 5
versoin: '1.0'
";
    let found = problems(text);
    let places: Vec<&str> = found.iter().filter_map(|problem| problem.split(": ").next()).collect();
    assert_eq!(
        places,
        [
            "1:1 /version",
            "4:21 /auto_approval/rules/0/conditions/risk_level",
            "7:5 /checkpoints/0/priorty",
            "8:16 /checkpoints/0/trigger/condition",
            "8:32 /checkpoints/0/trigger/risk_level",
            "9:5 /checkpoints/1",
            "10:1 /versoin",
        ]
    );
}

#[test]
fn json_has_lines_and_columns_too() {
    let text = "{\n\t\"version\": \"1.0\",\n\t\"checkpoints\": [\n\t\t{\"name\": \"\\ud83e\\udd80\", \"trigger\": {\"rsk\": 1}}\n\t]\n}";
    let found = problems(text);
    assert!(found[0].starts_with("4:40 /checkpoints/0/trigger/rsk: `rsk` is not a field"), "{found:?}");
    let mut value = read_text(EXAMPLE).expect("YAML");
    value["checkpoints"][1]["action"]["require_approval_count"] = 0.into();
    let found = Policy::read(&value.to_string()).expect_err("zero people");
    assert_eq!((found[0].line, found[0].code), (Some(1), WrongType));
    let unplaced = Policy::from_value(&value).expect_err("zero people");
    assert_eq!((unplaced[0].line, unplaced[0].code), (None, WrongType));
}

#[test]
fn there_are_bounds() {
    let rules = |count: usize, trigger: &str| {
        (0..count).fold(String::new(), |mut text, number| {
            let _ = writeln!(text, "  - {{name: r{number}, trigger: {trigger}}}");
            text
        })
    };
    let low = "{risk_level: low}";
    assert!(Policy::read(&format!("version: '1.0'\ncheckpoints:\n{}", rules(MOST_RULES, low))).is_ok());
    let too_many = format!(
        "version: '1.0'\nauto_approval:\n rules:\n  - {{name: a, conditions: {low}}}\ncheckpoints:\n{}",
        rules(MOST_RULES, low)
    );
    assert_eq!(
        problems(&too_many),
        ["3:2 /auto_approval/rules: there are too many rules: at most 500 are allowed in a policy"],
    );
    let patterns = "{data_threshold: {field: a, operator: matches, value: a}}";
    let found = problems(&format!("version: '1.0'\ncheckpoints:\n{}", rules(201, patterns)));
    assert_eq!(found, ["1:1 : the policy uses `matches` 201 times: at most 200 are allowed"]);
    let wrong = format!("version: '1.0'\ncheckpoints:\n{}", rules(MOST_RULES, "{risk_level: none}"));
    assert_eq!(problems(&wrong).len(), MOST_PROBLEMS);
    let large = Policy::read(&" ".repeat(LARGEST_TEXT + 1)).expect_err("too large");
    assert_eq!(large[0].code, TooMany);
    let long = format!("version: '1.0'\ncheckpoints: [{{name: {}, trigger: {low}}}]", "x".repeat(101));
    assert_eq!(Policy::read(&long).expect_err("too long")[0].code, InvalidValue);
    let list = vec!["a"; 101].join(",");
    let long = format!("version: '1.0'\ncheckpoints: [{{name: a, trigger: {{operation_type: [{list}]}}}}]");
    assert_eq!(Policy::read(&long).expect_err("too many")[0].code, TooMany);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    /// A word of the example becomes another one: whatever that means, it is read or refused at a place in the text.
    #[test]
    fn any_document_is_read_or_refused(
        changes in prop::collection::vec((any::<prop::sample::Index>(), select(PIECES.split('|').collect::<Vec<_>>())), 1..4),
    ) {
        let mut words: Vec<&str> = EXAMPLE.split_inclusive([' ', ',', ':', '\n']).collect();
        for (at, piece) in &changes {
            let at = at.index(words.len());
            words[at] = piece;
        }
        let text = words.concat();
        for problem in Policy::read(&text).err().unwrap_or_default() {
            let (line, column) = (problem.line.unwrap_or_default(), problem.column.unwrap_or_default());
            prop_assert!((1..=text.lines().count() + 1).contains(&line) && column > 0, "{problem:?}\n{text}");
        }
    }
}

/// With bars in between.
const PIECES: &str = "|null |~, |[] |{} |-1 |1e999 |\"\" |' '|é: |true, |[a, |}|]|- |\n|  |name: |value: |operator: |in, |matches, |group:|0x ";
