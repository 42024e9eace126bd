//! The rules that approve in place of people.

use chrono_tz::{TZ_VARIANTS, Tz};
use serde_json::Value;

use super::{conditions, people::channels, read_rules, values::flag};
use crate::domain::{
    document::{Object, Place, ProblemCode, Problems},
    policy::{
        hours::{BusinessHours, Hours},
        outcome::Notice,
        requirement::Notification,
        rollout::Rollout,
        rule::{AutoApprovals, AutoRule, Settings},
        shadow::{Mode, Threshold, fingerprint},
    },
};

/// Over how many decisions agreement can be measured.
const MOST_DECISIONS: u64 = 1_000;

/// Reads the section `auto_approval`.
pub fn read(value: &Value, place: Place, room: &mut usize, problems: &mut Problems) -> AutoApprovals {
    let Some(mut object) = Object::open(value, place, problems).map(Object::strict) else {
        return AutoApprovals::default();
    };
    let enabled = flag(&mut object, "enabled", problems).unwrap_or(true);
    let settings = object.place("global_settings");
    let settings = object.get("global_settings").and_then(|value| read_settings(value, settings, problems));
    let rules = read_rules(&mut object, "rules", room, problems, read_rule);
    object.close(problems);
    AutoApprovals { enabled, settings: settings.unwrap_or_default(), rules }
}

fn read_rule(object: &mut Object<'_>, name: &str, problems: &mut Problems) -> AutoRule {
    let enabled = flag(object, "enabled", problems).unwrap_or(true);
    let fingerprint = fingerprint(object.get("conditions").unwrap_or(&Value::Null));
    let rule = conditions::read(object, "conditions", name, problems);
    let notice = Notice { log: true, notification: None };
    let mode = object.word("mode", &[("live", Mode::Live), ("shadow", Mode::Shadow)], problems);
    let mut read = AutoRule {
        rule,
        enabled,
        auto_approve: false,
        notice,
        rollout: None,
        declared: mode.unwrap_or(Mode::Live),
        mode: mode.unwrap_or(Mode::Live),
        promote_at: threshold(object, "promote_at", problems),
        demote_below: threshold(object, "demote_below", problems),
        fingerprint,
    };
    let place = object.place("action");
    let Some(value) = object.get("action") else { return read };
    let Some(mut action) = Object::open(value, place, problems).map(Object::strict) else { return read };
    read.auto_approve = flag(&mut action, "auto_approve", problems).unwrap_or(false);
    read.notice.log = flag(&mut action, "log_decision", problems).unwrap_or(true);
    let channels = channels(&mut action, "notification_channels", problems);
    // Who names channels wants them to be used.
    let notify = flag(&mut action, "notify", problems).unwrap_or(channels.is_some());
    let notification = Notification { channels: channels.unwrap_or_default(), recipients: Vec::new() };
    read.notice.notification = notify.then_some(notification);
    read.rollout = action.read("rollout_percentage", "a percentage from 0 to 100", problems, |value| {
        value.as_f64().and_then(Rollout::of_percentage)
    });
    action.close(problems);
    read
}

/// How often people must agree: a number from 0 to 1, or an object that says over how many decisions, too.
fn threshold(object: &mut Object<'_>, name: &'static str, problems: &mut Problems) -> Option<Threshold> {
    const SHARE: &str = "a number from 0 to 1";
    let share = |value: &Value| value.as_f64().filter(|share| (0.0..=1.0).contains(share));
    let place = object.place(name);
    match object.get(name)? {
        value @ Value::Object(_) => {
            let mut object = Object::open(value, place, problems)?.strict();
            let agreement = object.require("agreement", problems);
            let agreement = object.read("agreement", SHARE, problems, share).filter(|_| agreement);
            let over = object.number("over", 1..=MOST_DECISIONS, problems);
            object.close(problems);
            let over = over.and_then(|over| u32::try_from(over).ok()).unwrap_or(Threshold::DEFAULT_OVER);
            Some(Threshold { agreement: agreement?, over })
        }
        _ => {
            let agreement = object.read(name, SHARE, problems, share)?;
            Some(Threshold { agreement, over: Threshold::DEFAULT_OVER })
        }
    }
}

fn read_settings(value: &Value, place: Place, problems: &mut Problems) -> Option<Settings> {
    let mut object = Object::open(value, place, problems)?.strict();
    let emergency_stop = flag(&mut object, "emergency_stop", problems).unwrap_or(false);
    let hours_only = flag(&mut object, "business_hours_only", problems).unwrap_or(false);
    let place = object.place("business_hours");
    let written = object.get("business_hours");
    let hours = written.and_then(|value| read_hours(value, place, problems));
    if hours_only && written.is_none() {
        let message = "`business_hours_only` needs `business_hours`";
        problems.add(object.place("business_hours_only").problem(ProblemCode::InvalidValue, message));
    }
    object.close(problems);
    Some(Settings { emergency_stop, hours: hours.filter(|_| hours_only) })
}

fn read_hours(value: &Value, place: Place, problems: &mut Problems) -> Option<BusinessHours> {
    let mut object = Object::open(value, place.clone(), problems)?.strict();
    let zone = read_zone(&mut object, problems);
    let weekdays = read_day(&mut object, "monday_friday", problems);
    let weekends = read_day(&mut object, "saturday_sunday", problems);
    if object.get("monday_friday").is_none() && object.get("saturday_sunday").is_none() {
        let message = "`business_hours` has no hours: give `monday_friday` or `saturday_sunday`";
        problems.add(place.problem(ProblemCode::Missing, message));
    }
    object.close(problems);
    Some(BusinessHours { zone: zone?, weekdays, weekends })
}

fn read_zone(object: &mut Object<'_>, problems: &mut Problems) -> Option<Tz> {
    let name = object.required_text("timezone", problems)?.trim();
    let zone = name.parse::<Tz>();
    if zone.is_err() {
        let shown: String = name.chars().take(64).collect();
        let distance = |zone: &Tz| strsim::damerau_levenshtein(&shown.to_lowercase(), &zone.name().to_lowercase());
        let near = TZ_VARIANTS.iter().map(|zone| (distance(zone), zone.name())).min().filter(|near| near.0 <= 2);
        let hint = near.map_or("use a name such as `Europe/Berlin` or `UTC`".to_owned(), |(_, near)| {
            format!("did you mean `{near}`?")
        });
        let message = format!("`{shown}` is not a time zone: {hint}");
        problems.add(object.place("timezone").problem(ProblemCode::InvalidValue, message));
    }
    zone.ok()
}

/// The hours of some days; none if they are absent or `disabled`.
fn read_day(object: &mut Object<'_>, name: &'static str, problems: &mut Problems) -> Option<Hours> {
    let text = object.text(name, problems)?.trim();
    let hours = Hours::read(text);
    if hours.is_none() && !text.eq_ignore_ascii_case("disabled") {
        let shown: String = text.chars().take(64).collect();
        let message = format!("`{shown}` are not hours: write them like `09:00-17:00`, or `disabled`");
        problems.add(object.place(name).problem(ProblemCode::InvalidValue, message));
    }
    hours
}
