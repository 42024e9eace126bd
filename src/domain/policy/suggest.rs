//! Rules that people always follow, found in what they decided.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::domain::agent::RiskLevel;

/// How deep into parameters is looked.
const DEPTH: usize = 3;
/// How many fields of one proposal are looked at, and how many texts of one field.
const MOST_FIELDS: usize = 50;
const MOST_TEXTS: usize = 20;
const LONGEST_TEXT: usize = 100;
/// How many steps of confidence are tried.
const CONFIDENCES: [f64; 10] = [0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99];
/// How many rules are suggested for one kind of operation.
const MOST_RULES: usize = 3;

/// One proposal that people decided on.
#[derive(Debug, Clone)]
pub struct Sample {
    pub risk: RiskLevel,
    pub confidence: Option<f64>,
    numbers: BTreeMap<String, f64>,
    texts: BTreeMap<String, String>,
    /// Whether people wanted exactly this.
    pub approved: bool,
}

impl Sample {
    pub fn new(risk: RiskLevel, confidence: Option<f64>, params: &Value, approved: bool) -> Self {
        let mut sample = Self { risk, confidence, numbers: BTreeMap::new(), texts: BTreeMap::new(), approved };
        sample.take("", params, DEPTH);
        sample
    }

    fn take(&mut self, path: &str, value: &Value, depth: usize) {
        if self.numbers.len() + self.texts.len() >= MOST_FIELDS {
            return;
        }
        match value {
            Value::Object(fields) if depth > 0 => {
                // A name with a dot could not be told from a path.
                for (name, value) in fields.iter().filter(|(name, _)| is_plain(name)) {
                    let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                    self.take(&path, value, depth - 1);
                }
            }
            Value::Number(number) => {
                if let Some(number) = number.as_f64() {
                    self.numbers.insert(path.to_owned(), number);
                }
            }
            Value::String(text) if text.len() <= LONGEST_TEXT => {
                self.texts.insert(path.to_owned(), text.clone());
            }
            _ => {}
        }
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-')
}

/// Something that must hold of a proposal.
#[derive(Debug, Clone, PartialEq)]
enum Atom {
    AtMost(String, f64),
    AtLeast(String, f64),
    Equals(String, String),
    Confidence(f64),
    Risk(RiskLevel),
}

impl Atom {
    fn holds(&self, sample: &Sample) -> bool {
        match self {
            Atom::AtMost(field, most) => sample.numbers.get(field).is_some_and(|number| number <= most),
            Atom::AtLeast(field, least) => sample.numbers.get(field).is_some_and(|number| number >= least),
            Atom::Equals(field, text) => sample.texts.get(field) == Some(text),
            Atom::Confidence(least) => sample.confidence.is_some_and(|confidence| confidence >= *least),
            Atom::Risk(risk) => sample.risk == *risk,
        }
    }

    fn in_words(&self) -> String {
        match self {
            Atom::AtMost(field, most) => format!("with `{field}` up to {most}"),
            Atom::AtLeast(field, least) => format!("with `{field}` from {least}"),
            Atom::Equals(field, text) => format!("where `{field}` is \"{text}\""),
            Atom::Confidence(least) => format!("with confidence from {least}"),
            Atom::Risk(risk) => format!("of risk {}", risk.as_str().to_lowercase()),
        }
    }
}

/// A rule that people have always followed.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    operation_type: String,
    atoms: Vec<Atom>,
    risks: Vec<RiskLevel>,
    /// How many proposals it is about, all of which people approved as they were.
    pub cases: usize,
}

/// The rules that cover most of what people approved and nothing that they did not, for one kind of operation.
pub fn rules_in(operation_type: &str, samples: &[Sample], fewest: usize) -> Vec<Found> {
    let mut found = Vec::new();
    let mut left: Vec<&Sample> = samples.iter().collect();
    while found.len() < MOST_RULES {
        let Some(atoms) = best(&left, fewest) else { break };
        let holds = |sample: &Sample| atoms.iter().all(|atom| atom.holds(sample));
        let mut risks: Vec<RiskLevel> = left.iter().filter(|sample| holds(sample)).map(|sample| sample.risk).collect();
        let cases = risks.len();
        risks.sort_unstable();
        risks.dedup();
        left.retain(|sample| !holds(sample));
        // What was covered before counts for the next one, too: it must be right by itself.
        found.push(Found { operation_type: operation_type.to_owned(), atoms, risks, cases });
    }
    found
}

/// The conditions, at most two, that cover most samples of those that people always approved.
fn best(samples: &[&Sample], fewest: usize) -> Option<Vec<Atom>> {
    let mut best: Option<(usize, Vec<Atom>)> = None;
    let mut consider = |count: usize, atoms: Vec<Atom>| {
        let better = match &best {
            None => true,
            // The simpler one of two that cover as much.
            Some((most, known)) => count > *most || count == *most && atoms.len() < known.len(),
        };
        if count >= fewest && better {
            best = Some((count, atoms));
        }
    };
    for first in std::iter::once(None).chain(narrowing(samples).into_iter().map(Some)) {
        let inside: Vec<&Sample> =
            samples.iter().copied().filter(|sample| first.as_ref().is_none_or(|atom| atom.holds(sample))).collect();
        if inside.len() < fewest {
            continue;
        }
        if inside.iter().all(|sample| sample.approved) {
            consider(inside.len(), first.iter().cloned().collect());
            continue;
        }
        for (count, bound) in bounds(&inside) {
            consider(count, first.iter().cloned().chain([bound]).collect());
        }
    }
    best.map(|(_, atoms)| atoms)
}

/// Conditions that leave out some of the samples.
fn narrowing(samples: &[&Sample]) -> Vec<Atom> {
    let mut atoms: Vec<Atom> = CONFIDENCES.into_iter().map(Atom::Confidence).collect();
    atoms.extend(RiskLevel::ALL.iter().copied().map(Atom::Risk));
    let mut texts: BTreeMap<&String, BTreeMap<&String, usize>> = BTreeMap::new();
    for (field, text) in samples.iter().flat_map(|sample| &sample.texts) {
        *texts.entry(field).or_default().entry(text).or_default() += 1;
    }
    // A field in which almost every text is another one tells nothing.
    for (field, counts) in texts.into_iter().filter(|(_, counts)| counts.len() <= MOST_TEXTS) {
        atoms.extend(counts.into_keys().map(|text| Atom::Equals(field.clone(), text.clone())));
    }
    atoms
}

/// The widest bound of each number that leaves out everything that people did not approve, and how much is within.
fn bounds(samples: &[&Sample]) -> Vec<(usize, Atom)> {
    let mut fields: Vec<&String> = samples.iter().flat_map(|sample| sample.numbers.keys()).collect();
    fields.sort_unstable();
    fields.dedup();
    let mut found = Vec::new();
    for field in fields {
        let numbers = || samples.iter().filter_map(|sample| Some((*sample.numbers.get(field)?, sample.approved)));
        let denied = || numbers().filter(|(_, approved)| !approved).map(|(number, _)| number);
        let (Some(lowest), Some(highest)) = (denied().reduce(f64::min), denied().reduce(f64::max)) else { continue };
        let below: Vec<f64> = numbers().map(|(number, _)| number).filter(|number| *number < lowest).collect();
        let above: Vec<f64> = numbers().map(|(number, _)| number).filter(|number| *number > highest).collect();
        let at_most = below.iter().copied().reduce(f64::max);
        found.extend(at_most.map(|most| (below.len(), Atom::AtMost(field.clone(), most))));
        let at_least = above.iter().copied().reduce(f64::min);
        found.extend(at_least.map(|least| (above.len(), Atom::AtLeast(field.clone(), least))));
    }
    found
}

impl Found {
    /// A name that tells what it is about. It stands in the document, where nothing is marked.
    pub fn name(&self) -> String {
        let atoms: Vec<String> = self.atoms.iter().map(|atom| atom.in_words().replace('`', "")).collect();
        [format!("Suggested: {}", self.operation_type)].into_iter().chain(atoms).collect::<Vec<_>>().join(" ")
    }

    /// Why it is suggested.
    pub fn description(&self) -> String {
        let atoms: Vec<String> = self.atoms.iter().map(Atom::in_words).collect();
        let mut text = format!("people approved {0} of {0} `{1}`", self.cases, self.operation_type);
        for atom in atoms {
            text.push(' ');
            text.push_str(&atom);
        }
        text
    }

    /// The rule in the shadow, as an item of `auto_approval.rules`, with lines that begin at the margin.
    pub fn document(&self) -> String {
        let quoted = |text: &str| Value::from(text).to_string();
        let mut lines = vec![
            format!("- name: {}", quoted(&self.name())),
            "  mode: shadow".to_owned(),
            "  promote_at: { agreement: 0.98, over: 50 }".to_owned(),
            "  demote_below: { agreement: 0.95, over: 50 }".to_owned(),
            "  conditions:".to_owned(),
            format!("    operation_type: {}", quoted(&self.operation_type)),
        ];
        let risks: Vec<String> = self.risks.iter().map(|risk| quoted(&risk.as_str().to_lowercase())).collect();
        lines.push(format!("    risk_level: [{}]", risks.join(", ")));
        let mut thresholds = Vec::new();
        for atom in &self.atoms {
            let threshold = |field: &str, operator: &str, value: String| {
                format!("{{ field: {}, operator: \"{operator}\", value: {value} }}", quoted(field))
            };
            match atom {
                Atom::AtMost(field, most) => thresholds.push(threshold(field, "<=", most.to_string())),
                Atom::AtLeast(field, least) => thresholds.push(threshold(field, ">=", least.to_string())),
                Atom::Equals(field, text) => thresholds.push(threshold(field, "==", quoted(text))),
                Atom::Confidence(least) => lines.push(format!("    confidence: \">= {least}\"")),
                // Among the levels already.
                Atom::Risk(_) => {}
            }
        }
        if !thresholds.is_empty() {
            lines.push(format!("    data_threshold: [{}]", thresholds.join(", ")));
        }
        lines.push("  action: { auto_approve: true, log_decision: true, notify: true }".to_owned());
        lines.join("\n")
    }
}

/// A policy with one more rule at the beginning of its `auto_approval.rules`, everything else as it was written.
/// Nothing if it is written in a way in which that cannot be done.
pub fn with_rule(document: &str, rule: &str) -> Option<String> {
    let indented = |by: usize| -> String { rule.lines().map(|line| format!("{}{line}\n", " ".repeat(by))).collect() };
    let indent_of = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = document.lines().collect();
    let is_key = |line: &str, key: &str| {
        line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim().is_empty() || rest.trim().starts_with('#'))
    };
    let Some(section) = lines.iter().position(|line| line.starts_with("auto_approval:")) else {
        let end = if document.ends_with('\n') || document.is_empty() { "" } else { "\n" };
        return Some(format!("{document}{end}auto_approval:\n  rules:\n{}", indented(4)));
    };
    if !is_key(lines.get(section)?, "auto_approval:") {
        return None;
    }
    let inside = lines.iter().enumerate().skip(section + 1);
    let mut inside = inside.take_while(|(_, line)| line.trim().is_empty() || indent_of(line) > 0);
    let (key, _) = inside.find(|(_, line)| is_key(line, "rules:"))?;
    let own = indent_of(lines.get(key)?);
    let items = lines.iter().skip(key + 1).find(|line| line.trim_start().starts_with("- "));
    let by = items.map_or(own + 2, |line| indent_of(line)).max(own);
    let mut text: String = lines.iter().take(key + 1).map(|line| format!("{line}\n")).collect();
    text.push_str(&indented(by));
    lines.iter().skip(key + 1).for_each(|line| {
        text.push_str(line);
        text.push('\n');
    });
    Some(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::domain::policy::Policy;

    fn sample(amount: f64, confidence: f64, region: &str, approved: bool) -> Sample {
        let params = json!({"amount": amount, "customer": {"region": region}, "a.b": 1});
        Sample::new(RiskLevel::Low, Some(confidence), &params, approved)
    }

    fn found(samples: &[Sample]) -> Vec<String> {
        rules_in("refund", samples, 5).iter().map(Found::description).collect()
    }

    #[test]
    fn what_is_always_approved_is_a_rule() {
        let samples: Vec<Sample> = (0..10).map(|n| sample(f64::from(n), 0.5, "EU", true)).collect();
        assert_eq!(found(&samples), ["people approved 10 of 10 `refund`"]);
        assert_eq!(found(&samples[..4]), [""; 0], "too few");
    }

    #[test]
    fn a_bound_is_the_largest_that_leaves_out_what_was_denied() {
        let samples: Vec<Sample> = (0..20).map(|n| sample(f64::from(n), 0.5, "EU", n < 12)).collect();
        assert_eq!(found(&samples), ["people approved 12 of 12 `refund` with `amount` up to 11"]);
    }

    #[test]
    fn a_bound_and_a_confidence_together() {
        let mut samples: Vec<Sample> = (0..20).map(|n| sample(f64::from(n), 0.95, "EU", n < 15)).collect();
        samples.extend((0..20).map(|n| sample(f64::from(n), 0.6, "EU", n % 2 == 0)));
        let best = found(&samples);
        assert_eq!(best[0], "people approved 15 of 15 `refund` with confidence from 0.7 with `amount` up to 14");
    }

    #[test]
    fn a_text_can_make_the_difference() {
        let mut samples: Vec<Sample> = (0..10).map(|n| sample(f64::from(n % 3), 0.5, "EU", true)).collect();
        samples.extend((0..10).map(|n| sample(f64::from(n % 3), 0.5, "US", n % 2 == 0)));
        assert_eq!(found(&samples), ["people approved 10 of 10 `refund` where `customer.region` is \"EU\""]);
    }

    #[test]
    fn what_nobody_agrees_on_is_no_rule() {
        let samples: Vec<Sample> = (0..40).map(|n| sample(5.0, 0.5, "EU", n % 2 == 0)).collect();
        assert_eq!(found(&samples), [""; 0]);
    }

    #[test]
    fn a_suggestion_is_a_rule_that_can_be_read_and_is_in_the_shadow() {
        let mut samples: Vec<Sample> = (0..20).map(|n| sample(f64::from(n) / 2.0, 0.95, "E\"U", n < 15)).collect();
        samples.extend((0..20).map(|n| sample(f64::from(n), 0.6, "US", n % 2 == 0)));
        let rule = rules_in("refund", &samples, 5)[0].document();
        for document in [
            "",
            "version: '1.0'",
            "version: '1.0'\ncheckpoints: []\n",
            "version: '1.0'\nauto_approval:\n  rules:\n",
            "version: '1.0'\nauto_approval:\n  enabled: true # as ever\n  rules: # ours\n    - name: Other\n      conditions: {risk_level: low}\n      action: {auto_approve: true}\n",
            "auto_approval:\n  rules:\n  - name: Other\n    conditions: {risk_level: low}\n    action: {auto_approve: true}\nversion: '1.0'\n",
        ] {
            let before = Policy::read(document).map_or(0, |policy| policy.auto_rules().len());
            let with = with_rule(document, &rule).expect("a policy");
            let with = if document.is_empty() { format!("version: '1.0'\n{with}") } else { with };
            let policy = Policy::read(&with).unwrap_or_else(|problems| panic!("{problems:?} in\n{with}"));
            assert_eq!(policy.auto_rules().len(), before + 1, "{with}");
            let found = &policy.auto_rules()[0];
            assert_eq!(found.mode, super::super::Mode::Shadow);
            assert!(found.promote_at.is_some() && found.demote_below.is_some());
        }
        assert_eq!(with_rule("auto_approval: {rules: []}", &rule), None);
    }
}
