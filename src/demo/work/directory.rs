//! The agents of "Group clean-up".

use serde_json::{Value, json};

use super::{Job, Task};
use crate::demo::samples::{pick, samples};

pub fn find(task: &Task<'_>) -> Job {
    let group = task.text("group");
    let unused = task.input.get("unusedDays").and_then(Value::as_u64).unwrap_or(180);
    let people: Vec<Value> = samples()
        .people
        .iter()
        .enumerate()
        .map(|(number, name)| {
            let days = unused + 7 * ((number as u64 * 11 + task.chance as u64) % 40);
            let department = pick(&["Sales", "Development", "Accounting", "Warehouse", "left the company"], number);
            json!({
                "id": name.to_lowercase().replace(' ', "."),
                "label": name,
                "action": "remove",
                "data": {"department": department, "lastUsedDaysAgo": days, "memberSince": 2017 + number % 8},
            })
        })
        .collect();
    let why = format!(
        "{} of {} members have not used the group for more than {unused} days. Five of them have left the company.",
        people.len(),
        people.len() + 117
    );
    let output = json!({"people": people, "members": 142, "owner": "Sofia Brandt", "why": why});
    let lines = ["Reading the members of the group", "Comparing with the sign-ins of the last years"];
    let found = format!("25 members of {group} do not need it any more");
    Job::thought(5, &[lines[0], lines[1], &found], output, 0.88, &why, 900)
}

pub fn remove(task: &Task<'_>) -> Job {
    let names: Vec<&str> = task.list("people").iter().filter_map(|person| person.get("label")?.as_str()).collect();
    let mut lines = vec![format!("Taking {} people out of the group", names.len())];
    lines.extend(names.chunks(9).map(|some| some.join(", ")));
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    Job::plain(5, &lines, json!({"removed": names.len()}))
}
