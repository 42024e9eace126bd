//! What agents outside of workflows ask: for approvals, and for answers.

use serde_json::json;

use super::{
    samples::pick,
    work::{Asks, Wish},
};
use crate::domain::agent::RiskLevel;

/// Something that an agent wants to do.
pub fn approval(number: usize) -> Asks {
    let gateway = Wish {
        operation_type: "restart_service",
        description: "Restart the payment gateway tonight at 02:00".to_owned(),
        parameters: json!({"service": "payment gateway", "at": "02:00", "drainSeconds": 120}),
        risk_level: RiskLevel::High,
        reasoning: "Its memory grows by 3 % a day and will be full on Thursday. At 02:00 there are 4 payments an hour."
            .to_owned(),
        confidence: 0.86,
        cost_micros: None,
        supporting_data: json!({"memoryPercent": [71, 74, 77, 80, 83], "paymentsPerHour": {"02:00": 4, "14:00": 612}}),
        alternatives: vec!["It is watched more closely, and restarted by hand when 95 % are reached.".to_owned()],
    };
    let newsletter = Wish {
        operation_type: "send_newsletter",
        description: "Send the spring newsletter to 18,204 customers".to_owned(),
        parameters: json!({"campaign": "spring", "recipients": 18_204, "sender": "news@example.com"}),
        risk_level: RiskLevel::High,
        reasoning:
            "The text was approved on Monday. Links and images were checked, 3 addresses are on the list of those \
                    who want no mail and were taken out."
                .to_owned(),
        confidence: 0.93,
        cost_micros: Some(182_040_000),
        supporting_data: json!({"linksChecked": 14, "brokenLinks": 0, "unsubscribed": 3}),
        alternatives: vec!["It goes to 500 customers first, and to the others tomorrow.".to_owned()],
    };
    let laptops = Wish {
        operation_type: "purchase",
        description: "Order 12 laptops for the new colleagues".to_owned(),
        parameters: json!({"article": "laptop 14 inch", "pieces": 12, "supplier": "Nordlicht", "amount": 14_388}),
        risk_level: RiskLevel::Medium,
        reasoning: "12 contracts begin next month, and 2 laptops are in stock. The offer is valid until Friday."
            .to_owned(),
        confidence: 0.81,
        cost_micros: Some(14_388_000_000),
        supporting_data: json!({"contracts": 12, "inStock": 2, "offer": {"perPiece": 1_199, "validUntil": "Friday"}}),
        alternatives: vec!["10 are ordered, and the 2 in stock are used.".to_owned()],
    };
    Asks::Approval(Box::new(pick(&[gateway, newsletter, laptops], number).clone()))
}

/// Something that an agent wants to know.
pub fn questions(number: usize) -> Asks {
    let (description, questions, supporting_data) = match number % 2 {
        0 => (
            "To which cost centre does the invoice 4711 belong?",
            vec![
                (
                    "costCentre",
                    "Which cost centre?".to_owned(),
                    json!({"enum": ["Marketing", "Development", "Warehouse"], "title": "Cost centre"}),
                ),
                ("month", "In which month is it booked?".to_owned(), json!({"type": "string", "title": "Month"})),
            ],
            json!({"invoice": "4711", "supplier": "Casa Verde", "amount": 812.4, "text": "Plants for the entrance"}),
        ),
        _ => (
            "Two customers have the same name and address. Are they one person?",
            vec![
                ("same", "Are they the same person?".to_owned(), json!({"type": "boolean", "title": "One person"})),
                (
                    "keep",
                    "Which number stays?".to_owned(),
                    json!({"enum": ["C-1881", "C-2207"], "title": "Customer number"}),
                ),
            ],
            json!({"first": {"number": "C-1881", "since": 2016}, "second": {"number": "C-2207", "since": 2024}}),
        ),
    };
    Asks::Questions { description: description.to_owned(), questions, supporting_data }
}
