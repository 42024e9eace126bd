//! The agents of "Monthly support report", which leave deliverables of every kind.

use serde_json::{Value, json};

use super::{Content, File, Job, Task};

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
        "figures": {"month": month, "tickets": tickets, "categories": task.input.get("tickets"), "costs": task.input.get("costs")},
    });
    let lines = ["Writing the text", "Drawing the pictures", "Suggesting a change to the portal", "Handing in"];
    let mut job = Job::thought(6, &lines, output, 0.9, "All figures come from the two sources of the month.", 5_200);
    job.files = files(month);
    job
}

fn files(month: &str) -> Vec<File> {
    let text = |text: &str| Content::Bytes(text.replace("MONTH", month).into_bytes());
    let file = |name, description, mime_type, versions, is_final| File { name, description, mime_type, versions, is_final };
    let pull_request: Value = json!({"title": "Let people extend their own access", "number": 418, "checks": "passed"});
    vec![
        file(
            "report.md",
            "The report. The second version has the costs, too.",
            Some("text/markdown"),
            vec![
                text(include_str!("../content/files/report-1.md")),
                text(include_str!("../content/files/report-2.md")),
            ],
            true,
        ),
        file(
            "report.html",
            "The same as a page",
            Some("text/html"),
            vec![text(include_str!("../content/files/report.html"))],
            false,
        ),
        file(
            "report.pdf",
            "One page for the board",
            None,
            vec![Content::Bytes(include_bytes!("../content/files/report.pdf").to_vec())],
            true,
        ),
        file(
            "categories.svg",
            "Tickets by category",
            Some("image/svg+xml"),
            vec![text(include_str!("../content/files/categories.svg"))],
            false,
        ),
        file(
            "waiting.png",
            "How long people waited, week by week",
            None,
            vec![Content::Bytes(include_bytes!("../content/files/waiting.png").to_vec())],
            false,
        ),
        file(
            "tickets_by_week.py",
            "How the table was made",
            Some("text/x-python"),
            vec![text(include_str!("../content/files/tickets_by_week.py"))],
            false,
        ),
        file(
            "self-service.patch",
            "What the report suggests, as a change to the portal",
            Some("text/x-diff"),
            vec![text(include_str!("../content/files/self-service.patch"))],
            false,
        ),
        file(
            "Pull request 418",
            "The same change, ready for review",
            None,
            vec![Content::Link {
                url: "https://git.example.com/portal/pulls/418".to_owned(),
                metadata: pull_request,
            }],
            false,
        ),
    ]
}
