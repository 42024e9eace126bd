//! What the demo is about: tickets, customers, orders, groups, suppliers and people.

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::domain::document;

#[derive(Debug, Deserialize)]
pub struct Samples {
    pub tickets: Vec<Ticket>,
    pub customers: Vec<Value>,
    pub orders: Vec<Order>,
    pub groups: Vec<String>,
    pub suppliers: Vec<String>,
    pub people: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Ticket {
    pub subject: String,
    pub text: String,
    pub from: String,
    pub category: String,
    pub urgency: String,
    pub risky: bool,
    pub action: Option<String>,
    pub system: Option<String>,
    pub confidence: f64,
    pub why: String,
}

#[derive(Debug, Clone, Deserialize)]
pub struct Order {
    pub article: String,
    pub price: f64,
    pub reason: String,
    pub asked: f64,
    pub words: String,
}

static SAMPLES: LazyLock<Samples> = LazyLock::new(|| read(include_str!("content/samples.yaml")));

pub fn samples() -> &'static Samples {
    &SAMPLES
}

/// Reads what is part of the program.
pub fn read<T: serde::de::DeserializeOwned>(text: &str) -> T {
    let value = document::read_text(text).expect("the demo's content is YAML");
    serde_json::from_value(value).expect("the demo's content has the fields that it should have")
}

/// One of many, going round.
pub fn pick<T>(list: &[T], number: usize) -> &T {
    &list[number % list.len()]
}

/// The input of an execution of "IT ticket triage".
pub fn ticket(number: usize) -> Value {
    let Ticket { subject, text, from, .. } = pick(&samples().tickets, number);
    json!({"ticket": format!("T-{}", 1040 + number), "subject": subject, "text": text, "from": from})
}

/// The input of an execution of "Refund request".
pub fn refund(number: usize) -> Value {
    let Order { reason, asked, words, .. } = pick(&samples().orders, number);
    json!({"order": order_number(number), "reason": reason, "asked": asked, "words": words})
}

pub fn clean_up(number: usize) -> Value {
    json!({"group": pick(&samples().groups, number)})
}

pub fn prices(number: usize) -> Value {
    json!({"supplier": pick(&samples().suppliers, number)})
}

fn order_number(number: usize) -> String {
    format!("A-{}", 2040 + number)
}

/// The number behind an order's name, for whoever looks it up. Any text has one.
pub fn number_of(order: &str) -> usize {
    let digits: String = order.chars().filter(char::is_ascii_digit).collect();
    digits.parse::<usize>().unwrap_or(order.len()).wrapping_sub(2040) % 10_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_is_found_by_its_name() {
        assert!(samples().people.len() == 25);
        for number in [0, 7, 123] {
            assert_eq!(number_of(&order_number(number)), number);
        }
        pick(&samples().orders, number_of("anything"));
    }
}
