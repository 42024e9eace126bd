//! The agents of "Monthly support report", which leave deliverables of every kind.

use serde_json::json;

use super::{Content, File, Job, Task};
use crate::domain::deliverable::Type;

pub fn collect(task: &Task<'_>) -> Job {
    let source = task.text("source");
    let rows = if source == "help desk" {
        json!([
            {"category": "password", "tickets": 121}, {"category": "access", "tickets": 88},
            {"category": "device", "tickets": 52}, {"category": "software", "tickets": 41},
            {"category": "network", "tickets": 17},
        ])
    } else {
        json!([{"kind": "people", "eur": 18_208}, {"kind": "agents", "eur": 212}])
    };
    let line = format!("Asking {source} for the month");
    Job::plain(3, &[&line, "Adding up"], json!({"rows": rows}))
}

pub fn write(task: &Task<'_>) -> Job {
    let month = task.text("month");
    let tickets: u64 = task.list("tickets").iter().filter_map(|row| row.get("tickets")?.as_u64()).sum();
    let output = json!({
        "title": format!("Support in {month}"),
        "csv": include_str!("../content/files/tickets.csv"),
        "figures": {
            "month": month, "tickets": tickets,
            "categories": task.input.get("tickets"), "costs": task.input.get("costs"),
        },
    });
    let lines = ["Writing the text", "Drawing the pictures", "Suggesting a change to the portal", "Handing in"];
    let mut job = Job::thought(6, &lines, output, 0.9, "All figures come from the two sources of the month.", 5_200);
    job.files = files(month);
    job
}

fn files(month: &str) -> Vec<File> {
    let text = |text: &str| vec![Content::Bytes(text.replace("MONTH", month).into_bytes())];
    let bytes = |bytes: &[u8]| vec![Content::Bytes(bytes.to_vec())];
    let file = |name, description, mime_type, versions| File {
        name,
        description,
        r#type: None,
        mime_type,
        versions,
        is_final: false,
    };
    let both = [include_str!("../content/files/report-1.md"), include_str!("../content/files/report-2.md")];
    let both = both.into_iter().flat_map(text).collect();
    let pull_request = Content::Link {
        url: "https://git.example.com/portal/pulls/418".to_owned(),
        metadata: json!({"title": "Let people extend their own access", "number": 418, "checks": "passed"}),
    };
    let html = text(include_str!("../content/files/report.html"));
    let pdf = bytes(include_bytes!("../content/files/report.pdf"));
    let svg = text(include_str!("../content/files/categories.svg"));
    let png = bytes(include_bytes!("../content/files/waiting.png"));
    let script = text(include_str!("../content/files/tickets_by_week.py"));
    let patch = text(include_str!("../content/files/self-service.patch"));
    let report = "The report. The second version has the costs, too.";
    vec![
        File { is_final: true, ..file("report.md", report, Some("text/markdown"), both) },
        file("report.html", "The same as a page", Some("text/html"), html),
        File { is_final: true, ..file("report.pdf", "One page for the board", None, pdf) },
        file("categories.svg", "Tickets by category", Some("image/svg+xml"), svg),
        file("waiting.png", "How long people waited, week by week", None, png),
        File {
            r#type: Some(Type::Code),
            ..file("tickets_by_week.py", "How the table was made", Some("text/x-python"), script)
        },
        file("self-service.patch", "What the report suggests, as a change", Some("text/x-diff"), patch),
        File {
            r#type: Some(Type::Code),
            ..file("Pull request 418", "The same change, ready for review", Some("text/html"), vec![pull_request])
        },
    ]
}
