//! Seats and who takes them, against every way to seat people.

use proptest::prelude::*;

use crate::domain::{
    email::Email,
    policy::{Approver, Approvers, Requirement, Seat, Who},
    role::{Role, Roles},
};

/// Whose approvals are missing, if these people have approved.
fn left(requirement: &Requirement, people: &[Approver]) -> Vec<Seat> {
    let able: Vec<Vec<usize>> = people.iter().map(|person| person.seats(requirement, &[])).collect();
    requirement.missing(&able)
}

fn person(number: u128, groups: &[&str], roles: &[Role]) -> Approver {
    Approver {
        email: Some(Email::parse(&format!("p{number}@example.com")).expect("an address")),
        groups: groups.iter().map(|group| (*group).to_owned()).collect(),
        roles: roles.iter().copied().collect::<Roles>(),
        service_account: None,
    }
}

fn group(count: u32, name: &str) -> Seat {
    Seat { count, who: Who::Group(name.to_owned()) }
}

fn requirement(seats: Vec<Seat>) -> Requirement {
    Requirement { seats, ..Requirement::default() }
}

#[test]
fn nobody_takes_two_seats() {
    let needed = requirement(vec![group(2, "finance"), group(1, "security")]);
    let (both, other, finance) = (
        person(1, &["finance", "security"], &[]),
        person(2, &["finance", "security"], &[]),
        person(3, &["finance"], &[]),
    );
    assert_eq!(left(&needed, &[both.clone(), other.clone()]), [group(1, "security")]);
    assert_eq!(left(&needed, &[both.clone(), finance.clone()]), [group(1, "security")]);
    // Whoever comes first must not sit where only another one could.
    for people in [[&both, &other, &finance], [&finance, &both, &other], [&other, &finance, &both]] {
        let people: Vec<Approver> = people.into_iter().cloned().collect();
        assert!(left(&needed, &people).is_empty());
    }
    assert_eq!(left(&needed, &[]), needed.seats);
}

#[test]
fn any_means_the_approvers() {
    let named = Approvers {
        groups: vec!["finance".to_owned()],
        users: vec![Email::parse("p1@example.com").expect("an address")],
        roles: vec![Role::Author],
    };
    let needed =
        Requirement { seats: vec![Seat { count: 4, who: Who::Any }], approvers: named, ..Requirement::default() };
    let fitting = [
        person(1, &[], &[]),
        person(2, &["finance"], &[]),
        person(3, &[], &[Role::Author]),
        person(4, &[], &[Role::Admin]),
    ];
    assert!(left(&needed, &fitting).is_empty());
    let others = [person(5, &["Finance"], &[]), person(6, &["security"], &[Role::Approver, Role::Operator])];
    assert_eq!(left(&needed, &others), needed.seats);
    let default = requirement(vec![Seat { count: 1, who: Who::Any }]);
    assert!(left(&default, &[person(6, &[], &[Role::Approver])]).is_empty());
    assert!(!left(&default, &[person(6, &["finance"], &[Role::Viewer])]).is_empty());
}

#[test]
fn seats_can_be_for_one_person_or_a_role() {
    let user = Who::User(Email::parse("p1@example.com").expect("an address"));
    let seats = vec![Seat { count: 1, who: Who::Role(Role::Admin) }, Seat { count: 1, who: user.clone() }];
    let needed = requirement(seats);
    let (ada, other) = (person(1, &[], &[Role::Admin]), person(2, &[], &[Role::Admin]));
    assert_eq!(left(&needed, std::slice::from_ref(&ada)), [Seat { count: 1, who: user }]);
    assert!(left(&needed, &[ada, other]).is_empty());
}

#[test]
fn asked_is_who_is_an_approver_or_can_take_a_seat() {
    let seats = vec![group(2, "finance")];
    let asked = |approvers: Approvers, person: &Approver| {
        person.is_asked(&Requirement { seats: seats.clone(), approvers, ..Requirement::default() })
    };
    let (finance, approver) = (person(1, &["finance"], &[]), person(2, &[], &[Role::Approver]));
    assert!(asked(Approvers::nobody(), &finance) && asked(Approvers::default(), &approver));
    assert!(!asked(Approvers::nobody(), &approver));
}

#[test]
fn many_seats_and_people_are_no_problem() {
    let names: Vec<String> = (0..50).map(|number| format!("g{number}")).collect();
    let needed = requirement(names.iter().map(|name| group(2, name)).collect());
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    let people: Vec<Approver> = (0..100).map(|number| person(number, &all, &[])).collect();
    assert!(left(&needed, &people).is_empty());
    assert!(!left(&needed, &people[1..]).is_empty());
}

/// The most seats that can be taken, by trying every seat for everybody.
fn most(seats: &mut [(u32, Vec<bool>)], person: usize, people: usize) -> u32 {
    if person == people {
        return 0;
    }
    let mut best = most(seats, person + 1, people);
    for number in 0..seats.len() {
        if seats[number].0 > 0 && seats[number].1[person] {
            seats[number].0 -= 1;
            best = best.max(1 + most(seats, person + 1, people));
            seats[number].0 += 1;
        }
    }
    best
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn as_many_are_seated_as_can_be(
        counts in prop::collection::vec(1_u32..=3, 1..=4),
        memberships in prop::collection::vec(prop::collection::vec(any::<bool>(), 4), 0..=6),
    ) {
        let names = ["a", "b", "c", "d"];
        let needed = requirement(counts.iter().zip(names).map(|(count, name)| group(*count, name)).collect());
        let people: Vec<Approver> = memberships
            .iter()
            .zip(1..)
            .map(|(member, number)| {
                let groups: Vec<&str> = names.into_iter().zip(member).filter(|(_, member)| **member).map(|(name, _)| name).collect();
                person(number, &groups, &[])
            })
            .collect();
        let able = |seat: usize| memberships.iter().map(|member| member[seat]).collect();
        let mut seats: Vec<(u32, Vec<bool>)> = counts.iter().zip(0..).map(|(count, seat)| (*count, able(seat))).collect();
        let best = most(&mut seats, 0, people.len());

        let found = left(&needed, &people);
        let missing: u32 = found.iter().map(|seat| seat.count).sum();
        let wanted: u32 = counts.iter().sum();
        prop_assert_eq!(wanted - missing, best);
        prop_assert_eq!(found.is_empty(), best == wanted);

        // What is said to be filled can really be filled, all at once.
        let unfilled = |name: &str| found.iter().find(|seat| seat.who == Who::Group(name.to_owned())).map_or(0, |seat| seat.count);
        let mut filled: Vec<(u32, Vec<bool>)> =
            seats.iter().zip(names).map(|((count, able), name)| (count - unfilled(name), able.clone())).collect();
        prop_assert_eq!(most(&mut filled, 0, people.len()), best);

        let reversed: Vec<Approver> = people.iter().rev().cloned().collect();
        prop_assert_eq!(left(&needed, &reversed), found);
    }
}
