//! The agents of "IT ticket triage".

use serde_json::{Value, json};

use super::{Asks, Job, Task};
use crate::demo::samples::{Ticket, pick, samples};

pub fn classify(task: &Task<'_>) -> Job {
    let subject = task.text("subject");
    let known = samples().tickets.iter().find(|ticket| ticket.subject == subject);
    let ticket = known.cloned().unwrap_or_else(|| guess(subject, task.text("text")));
    let Ticket { category, urgency, risky, action, system, confidence, why, .. } = ticket;
    let line = format!("It is about {category}, urgency {urgency}");
    let output = json!({
        "category": category, "urgency": urgency, "risky": risky, "action": action, "system": system,
        "confidence": confidence, "why": why,
    });
    Job::thought(3, &["Reading the ticket", &line], output, confidence, &why, 1_100)
}

/// For tickets that somebody wrote while looking around.
fn guess(subject: &str, text: &str) -> Ticket {
    let words = format!("{subject} {text}").to_lowercase();
    let has = |some: &[&str]| some.iter().any(|word| words.contains(word));
    let risky = has(&["access", "permission", "admin", "rights"]);
    let category = match () {
        () if risky => "access",
        () if has(&["password", "sign in", "login"]) => "password",
        () if has(&["vpn", "wifi", "network"]) => "network",
        () if has(&["install", "program", "licence", "license"]) => "software",
        () => "device",
    };
    let why = if risky {
        "The ticket asks for access. What it says about the reason could not be checked."
    } else {
        "Nobody's access changes by an answer."
    };
    Ticket {
        subject: subject.to_owned(),
        text: text.to_owned(),
        from: String::new(),
        category: category.to_owned(),
        urgency: "normal".to_owned(),
        risky,
        action: risky.then(|| "Access".to_owned()),
        system: risky.then(|| "system that the ticket names".to_owned()),
        confidence: 0.66,
        why: why.to_owned(),
    }
}

pub fn look_up(task: &Task<'_>) -> Job {
    let key = task.text("key");
    if task.text("source") == "knowledge base" {
        let articles = json!([
            {"title": format!("What to do about {key} problems"), "visits": 214 + task.chance % 90},
            {"title": "How to write a good ticket", "visits": 57},
        ]);
        return Job::plain(2, &["Searching the knowledge base", "2 articles fit"], json!({"articles": articles}));
    }
    let name: Vec<String> = key.split('@').next().unwrap_or_default().split('.').map(capital).collect();
    let department = pick(&["Accounting", "Customer care", "Development", "Marketing"], task.chance);
    let output = json!({
        "person": {
            "name": name.join(" "), "email": key, "department": department,
            "manager": pick(&["Sofia Brandt", "Marek Zielinski", "Ines Duarte"], task.chance),
        },
        "devices": [{"kind": "laptop", "number": format!("NB-{:04}", 100 + task.chance)}],
        "lastSignIn": "this morning",
    });
    Job::plain(2, &["Asking the directory", "Found the person and one device"], output)
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

pub fn answer(task: &Task<'_>) -> Job {
    let name = task.input.pointer("/person/name").and_then(Value::as_str).unwrap_or("there");
    let reply = match task.text("category") {
        "password" => "your password has expired. Please choose a new one on the page for expired passwords.",
        "network" => "the VPN client needs a new certificate. It is in the software centre and takes a minute.",
        "software" => "you can install the program yourself: it is in the software centre.",
        _ => "an update mends this. It is on its way to your device and asks for a restart tonight.",
    };
    let first = name.split(' ').next().unwrap_or(name);
    let output = json!({"reply": format!("Dear {first}, {reply}")});
    Job::thought(3, &["Writing the answer"], output, 0.92, "The knowledge base has an article about it.", 700)
}

pub fn act(task: &Task<'_>) -> Job {
    let [action, system] = [task.text("action"), task.text("system")];
    let person = task.input.pointer("/person/name").and_then(Value::as_str).unwrap_or_default();
    let days = task.input.get("days").and_then(Value::as_u64).unwrap_or(14);
    let done = format!("{action} to the {system} for {person}, for {days} days.");
    let lines = ["Changing the account", "Writing to the person and to the manager"];
    let mut job = Job::plain(4, &lines, json!({"done": done, "until": format!("in {days} days")}));
    // Somebody else has to say which role it is: the ticket does not.
    if system == "customer database" {
        job.asks = Some(Asks::Questions {
            description: format!("Which role does {person} get in the customer database?"),
            questions: vec![
                (
                    "role",
                    "Which role?".to_owned(),
                    json!({"enum": ["read only", "care", "care lead"], "title": "Role"}),
                ),
                (
                    "export",
                    "May the person export lists of customers?".to_owned(),
                    json!({"type": "boolean", "title": "Exports allowed"}),
                ),
            ],
            supporting_data: json!({"person": task.input.get("person"), "colleagues": {"care": 11, "care lead": 2}}),
        });
    }
    job
}
