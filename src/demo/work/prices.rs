//! The agents of "Supplier price update".

use serde_json::{Value, json};

use super::{Asks, Job, Task, Wish, own};
use crate::{
    demo::samples::{pick, samples},
    domain::agent::RiskLevel,
};

/// The supplier whose list cannot be read until somebody mends it.
const CARELESS: &str = "Hansen & Sons";

pub fn fetch(task: &Task<'_>) -> Job {
    let supplier = task.text("supplier");
    let lines = ["Asking the supplier for the list", "Reading 412 rows"];
    if supplier == CARELESS && !task.again {
        let message = "The price list of Hansen & Sons cannot be read: rows 18, 204 and 371 have no article number. \
                       Mend the list, then resume from here.";
        let details = "row 18: ;Oak shelf 80 cm;64.00\nrow 204: ;Oak shelf 120 cm;89.00\nrow 371: ;Brass hook;4.20";
        return Job::failed(3, own(&lines), message, Some(details), false);
    }
    // Now and then the other side is busy, and another attempt heals it.
    if task.attempt == 1 && task.chance.is_multiple_of(3) {
        let message = format!("{supplier}'s server is busy (503)");
        return Job::failed(2, own(&lines[..1]), &message, None, true);
    }
    let rows: Vec<Value> = samples()
        .orders
        .iter()
        .enumerate()
        .map(|(number, order)| {
            let rise = *pick(&[1.0, 1.03, 0.98, 1.0, 1.16], number + task.chance);
            json!({"article": order.article, "old": order.price, "new": (order.price * rise * 100.0).round() / 100.0})
        })
        .collect();
    Job::plain(4, &lines, json!({"rows": rows}))
}

pub fn count(_task: &Task<'_>) -> Job {
    Job::plain(3, &["Counting 10 articles"], json!({"articles": 10, "pieces": 3_127}))
}

pub fn write(task: &Task<'_>) -> Job {
    let (supplier, changed, steep) = (task.text("supplier"), task.list("changed"), task.list("steep"));
    let line = format!("Writing {} prices", changed.len());
    let mut job = Job::plain(3, &["Comparing with the shop", &line], json!({"written": changed.len()}));
    if !steep.is_empty() {
        job.asks = Some(Asks::Approval(Box::new(Wish {
            operation_type: "change_prices",
            description: format!("Raise {} prices of {supplier} by more than 10 %", steep.len()),
            parameters: json!({"supplier": supplier, "articles": steep, "from": "tomorrow"}),
            risk_level: RiskLevel::Medium,
            reasoning: "The supplier's own prices rose by 16 %. Without the change we would sell at a loss.".to_owned(),
            confidence: 0.79,
            cost_micros: None,
            supporting_data: json!({"changed": changed}),
            alternatives: vec!["The other prices are written, these stay as they are.".to_owned()],
        })));
    }
    job
}
