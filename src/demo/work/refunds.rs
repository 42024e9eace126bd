//! The agents of "Refund request".

use serde_json::{Value, json};

use super::{Job, Task};
use crate::demo::samples::{number_of, pick, samples};

pub fn look_up(task: &Task<'_>) -> Job {
    let number = number_of(task.text("order"));
    let order = pick(&samples().orders, number);
    let output = json!({
        "customer": pick(&samples().customers, number),
        "article": order.article,
        "total": order.price,
        "orders": 1 + number % 9,
        "refundsBefore": number % 3,
        "delivered": format!("{} days ago", 2 + number % 9),
    });
    Job::plain(2, &["Asking the shop", "Found the order and its delivery"], output)
}

pub fn draft(task: &Task<'_>) -> Job {
    let [order, reason] = [task.text("order"), task.text("reason")];
    let (asked, percent) = (task.number("asked"), task.number("percent"));
    let price = pick(&samples().orders, number_of(order)).price;
    let allowed = price * percent / 100.0;
    let revision = task.input.pointer("/revision/reason").and_then(Value::as_str);
    let full = if asked < allowed { asked } else { allowed };
    let amount = cents(if revision.is_some() { full * 0.8 } else { full });
    let score = (0.95 - 0.07 * (number_of(order) % 5) as f64).clamp(0.5, 0.97);
    let name = task.input.pointer("/customer/name").and_then(Value::as_str).unwrap_or("customer");
    let why = match revision {
        Some(reason) => format!("The last draft was rejected: {reason} This one pays 80 % of it."),
        None => format!(
            "The article {reason}. The terms of sale allow {percent:.0} % of {price:.2} EUR, the customer asks for \
             {asked:.2} EUR. The lower of the two is {amount:.2} EUR."
        ),
    };
    // The mail does not name the amount: who approves may change it.
    let body = format!(
        "Dear {name},\n\nwe are sorry that your order {order} {reason}. Your refund is on its way and arrives within three \
         days.\n\nKind regards\nCustomer care"
    );
    let mail = json!({"subject": format!("Your order {order}: your refund is on its way"), "body": body});
    let output = json!({"amount": amount, "mail": mail, "why": why, "score": cents(score)});
    let lines = ["Comparing with the terms of sale", "Working out the amount", "Writing the mail"];
    Job::thought(4, &lines, output, score, &why, 2_300)
}

pub fn send(task: &Task<'_>) -> Job {
    let [order, method] = [task.text("order"), task.text("method")];
    let amount = task.number("amount");
    let paid = format!("Paying {amount:.2} EUR back by {method}");
    let output = json!({"receipt": format!("R-{order}"), "amount": amount});
    Job::plain(3, &[&paid, "Sending the mail"], output)
}

/// Money with two digits.
fn cents(amount: f64) -> f64 {
    (amount * 100.0).round() / 100.0
}
