//! Who is asked and who is told, as a document writes it.

use serde_json::Value;

use super::values::{Item, each, texts};
use crate::domain::{
    document::{Object, Place, ProblemCode, Problems},
    email::Email,
    policy::requirement::{Approvers, Contact, Seat, Who},
    role::{Role, UnknownRole},
};

/// How many approvals can be asked for.
pub const MOST_SEATS: u32 = 100;

const LONGEST_NAME: usize = 100;

const LONGEST_CHANNEL: usize = 63;

fn group(text: &str) -> Result<String, String> {
    name("group", text)
}

fn name(of: &str, text: &str) -> Result<String, String> {
    let name = text.trim();
    let length = name.chars().count();
    if (1..=LONGEST_NAME).contains(&length) {
        Ok(name.to_owned())
    } else {
        Err(format!("the {of}'s name has {length} characters: use 1 to {LONGEST_NAME}"))
    }
}

fn role(text: &str) -> Result<Role, String> {
    text.trim().parse().map_err(|error: UnknownRole| error.to_string())
}

/// The people and groups in a field. None if it is absent.
pub fn contacts(object: &mut Object<'_>, name: &'static str, problems: &mut Problems) -> Option<Vec<Contact>> {
    each(object, name, problems, |text| match text.split_once(':') {
        Some((kind, name)) if kind.eq_ignore_ascii_case("group") => group(name).map(Contact::Group),
        _ => Email::parse(text).map(Contact::Email).map_err(|message| format!("{message}, or `group:NAME`")),
    })
}

/// The ways on which people are told. None if the field is absent.
pub fn channels(object: &mut Object<'_>, name: &'static str, problems: &mut Problems) -> Option<Vec<String>> {
    each(object, name, problems, |text| {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if text.len() <= LONGEST_CHANNEL && text.chars().all(fits) {
            Ok(text.to_ascii_lowercase())
        } else {
            Err(format!("`{text}` is not a channel: use 1 to {LONGEST_CHANNEL} letters, digits, hyphens, underscores"))
        }
    })
}

pub fn read_approvers(value: &Value, place: Place, problems: &mut Problems) -> Option<Approvers> {
    let mut object = Object::open(value, place.clone(), problems)?.strict();
    let groups = each(&mut object, "groups", problems, group);
    let users = each(&mut object, "users", problems, Email::parse);
    let roles = each(&mut object, "roles", problems, role);
    if value.as_object().is_some_and(serde_json::Map::is_empty) {
        let message = format!("`{}` names nobody: give groups, users or roles, or leave it out", place.name());
        problems.add(place.problem(ProblemCode::InvalidValue, message));
    }
    object.close(problems);
    Some(Approvers {
        groups: groups.unwrap_or_default(),
        users: users.unwrap_or_default(),
        roles: roles.unwrap_or_default(),
    })
}

/// The seats of a quorum in words. None if there is none.
pub fn read_quorum(object: &mut Object<'_>, problems: &mut Problems) -> Option<Vec<Seat>> {
    let place = object.place("quorum");
    let mut seats: Vec<Seat> = Vec::new();
    for item in texts(object, "quorum", problems)? {
        match seat(item.text) {
            Ok(seat) => add(seat, &mut seats, &item, problems),
            Err(message) => item.problem(problems, message),
        }
    }
    if seats.iter().map(|seat| seat.count).sum::<u32>() > MOST_SEATS {
        let message = format!("the quorum has more than {MOST_SEATS} approvals in all");
        problems.add(place.problem(ProblemCode::TooMany, message));
    }
    Some(seats)
}

fn add(seat: Seat, seats: &mut Vec<Seat>, item: &Item<'_>, problems: &mut Problems) {
    match seats.iter_mut().find(|other| other.who == seat.who) {
        Some(_) if is_one(&seat.who) => {
            item.problem(problems, format!("`{}` is here twice, but can approve only once", seat.who));
        }
        // The same as if it were written as one.
        Some(other) => other.count += seat.count,
        None => seats.push(seat),
    }
}

/// Whether only one can be meant, who can approve only once.
fn is_one(who: &Who) -> bool {
    matches!(who, Who::User(_) | Who::ServiceAccount(_))
}

/// Reads `2 of group:finance`.
fn seat(text: &str) -> Result<Seat, String> {
    let shown: String = text.chars().take(64).collect();
    let wrong = || {
        format!(
            "`{shown}` is not a part of a quorum: write `2 of group:NAME`, `1 of role:ROLE`, `1 of user:EMAIL`, `1 of service_account:NAME` or `1 of any`"
        )
    };
    let (count, rest) = text.split_once(char::is_whitespace).ok_or_else(wrong)?;
    let (of, who) = rest.trim_start().split_once(char::is_whitespace).ok_or_else(wrong)?;
    if !of.eq_ignore_ascii_case("of") || !count.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(wrong());
    }
    let count = count.parse::<u32>().ok().filter(|count| (1..=MOST_SEATS).contains(count));
    let count = count.ok_or_else(|| format!("`{shown}` asks for a number that is not from 1 to {MOST_SEATS}"))?;
    let who = match who.trim().split_once(':') {
        None if who.trim().eq_ignore_ascii_case("any") => Who::Any,
        Some((kind, name)) if kind.eq_ignore_ascii_case("group") => Who::Group(group(name)?),
        Some((kind, name)) if kind.eq_ignore_ascii_case("role") => Who::Role(role(name)?),
        Some((kind, name)) if kind.eq_ignore_ascii_case("user") => Who::User(Email::parse(name)?),
        Some((kind, text)) if kind.eq_ignore_ascii_case("service_account") => {
            Who::ServiceAccount(name("service account", text)?)
        }
        _ => return Err(wrong()),
    };
    if count > 1 && is_one(&who) {
        let one = if matches!(who, Who::User(_)) { "person" } else { "service account" };
        return Err(format!("`{shown}` cannot be: one {one} can approve only once"));
    }
    Ok(Seat { count, who })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quorum_is_read_in_words() {
        let read = |text: &str| seat(text).map(|seat| format!("{} of {}", seat.count, seat.who));
        for (text, expected) in [
            ("2 of group:finance", "2 of group:finance"),
            ("1  OF  Group: Accounts payable", "1 of group:Accounts payable"),
            ("3 of role:approver", "3 of role:APPROVER"),
            ("1 of user:Ada@Example.com", "1 of user:ada@example.com"),
            ("1 of Service_Account: Deploy bot", "1 of service_account:Deploy bot"),
            ("100 of any", "100 of any"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(expected));
        }
        for text in [
            "2",
            "two of any",
            "2 any",
            "+2 of any",
            "0 of any",
            "101 of any",
            "1 of everybody",
            "1 of group:",
            "1 of role:boss",
            "1 of user:ada",
            "2 of user:ada@example.com",
            "2 of service_account:bot",
            "1 of service_account:",
            "1 of team:x",
            "",
            "1 from any",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
