//! What can be in a policy and a proposal.

use proptest::{prelude::*, sample::select};

use super::{Condition, Document, Proposal, Rule, Value};

const OPERATIONS: [&str; 3] = ["refund", "Transfer", "LOOKUP"];
const ORDERS: [&str; 6] = [">", ">=", "<", "<=", "==", "!="];

fn values() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => (-3_i64..=3).prop_map(|number| Value::Number(number * 50)),
        2 => select(vec!["x", "xy", "z"]).prop_map(Value::Text),
        1 => any::<bool>().prop_map(Value::Flag),
        1 => Just(Value::Null),
        1 => prop::collection::vec(-1_i64..=1, 0..3).prop_map(Value::List),
    ]
}

fn comparisons() -> impl Strategy<Value = (&'static str, Value)> {
    prop_oneof![
        4 => (select(ORDERS[..4].to_vec()), (-3_i64..=3).prop_map(|number| Value::Number(number * 50))),
        2 => (select(ORDERS[4..].to_vec()), values()),
        1 => (Just("in"), prop::collection::vec(-1_i64..=1, 1..3).prop_map(Value::List)),
        1 => (Just("contains"), values()),
        1 => (Just("matches"), select(vec!["^x", "y$", "z"]).prop_map(Value::Text)),
    ]
}

fn conditions() -> impl Strategy<Value = Vec<Condition>> {
    let one = prop_oneof![
        2 => prop::collection::vec(0_usize..4, 1..4).prop_map(Condition::Risk),
        2 => prop::collection::vec(select(OPERATIONS.to_vec()), 1..3).prop_map(Condition::Operation),
        2 => (select(ORDERS.to_vec()), 0_i64..=4).prop_map(|(operator, number)| Condition::Confidence(operator, number * 25)),
        4 => (any::<bool>(), select(vec!["a", "b"]), comparisons())
            .prop_map(|(custom, name, (operator, value))| Condition::Field { custom, name, operator, value }),
        1 => (-2_i64..=2).prop_map(Condition::Expression),
        1 => (-2_i64..=2).prop_map(Condition::SafeExpression),
    ];
    // Every kind is one field of the document, except comparisons of fields, which can be several.
    let kind = |condition: &Condition| match condition {
        Condition::Risk(_) => 0,
        Condition::Operation(_) => 1,
        Condition::Confidence(..) => 2,
        Condition::Expression(_) | Condition::SafeExpression(_) => 3,
        Condition::Field { .. } => 4,
    };
    prop::collection::vec(one, 1..=3).prop_map(move |mut found| {
        found.sort_by_key(kind);
        found.dedup_by(|a, b| kind(a) == kind(b) && kind(a) != 4);
        found
    })
}

fn rules() -> impl Strategy<Value = Rule> {
    let rollout = prop::option::weighted(0.5, select(vec![0, 50, 100]));
    let priority = prop::option::weighted(0.7, -1_i64..=2);
    (conditions(), prop::bool::weighted(0.7), priority, 1_u32..=3, prop::bool::weighted(0.8), rollout).prop_map(
        |(conditions, auto_approve, priority, approvals, enabled, rollout)| Rule {
            conditions,
            auto_approve,
            priority,
            approvals,
            enabled,
            rollout,
        },
    )
}

pub fn documents() -> impl Strategy<Value = Document> {
    let checkpoint = rules().prop_map(|rule| Rule { auto_approve: rule.auto_approve && !rule.enabled, ..rule });
    (
        prop::collection::vec(checkpoint, 0..5),
        prop::collection::vec(rules(), 0..4),
        prop::bool::weighted(0.8),
        prop::bool::weighted(0.1),
        prop::bool::weighted(0.3),
    )
        .prop_map(|(checkpoints, rules, enabled, emergency_stop, business_hours_only)| Document {
            checkpoints,
            rules,
            enabled,
            emergency_stop,
            business_hours_only,
        })
}

pub fn proposals() -> impl Strategy<Value = Proposal> {
    let value = || prop::option::weighted(0.7, values());
    let fields = || [value(), value()];
    (
        0_usize..4,
        select(vec!["Refund", "transfer", "lookup", "other"]),
        prop::option::weighted(0.8, (0_i64..=4).prop_map(|number| number * 25)),
        [fields(), fields(), fields()],
        any::<u128>(),
        (prop::bool::weighted(0.2), prop::bool::weighted(0.1)),
        0_i64..7 * 24,
    )
        .prop_map(|(risk, operation, confidence, fields, key, (always, stopped), hour)| Proposal {
            risk,
            operation,
            confidence,
            fields,
            key,
            always,
            stopped,
            hour,
        })
}
