//! Figures, as a table for people and as JSON for programs.

use serde::Serialize;

/// Something that was measured.
#[derive(Debug, Clone, Serialize)]
pub struct Figure {
    pub database: &'static str,
    pub workload: String,
    pub what: String,
    pub value: f64,
    pub unit: &'static str,
    /// How many times the floor it is, where there is one to compare with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_floor: Option<f64>,
    /// What it should be at most or at least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
}

/// All that was measured in one run.
#[derive(Debug, Serialize)]
pub struct Report {
    pub version: &'static str,
    pub cores: usize,
    pub figures: Vec<Figure>,
    #[serde(skip)]
    database: &'static str,
    #[serde(skip)]
    floor: f64,
}

impl Report {
    pub(super) fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self { version: env!("CARGO_PKG_VERSION"), cores, figures: Vec::new(), database: "", floor: 0.0 }
    }

    pub(super) fn database(&mut self, name: &'static str) {
        self.database = name;
        println!("\n{name}, {} cores, version {}", self.cores, self.version);
    }

    /// Durable commits a second, against which steps a second are held.
    pub(super) fn set_floor(&mut self, commits: f64) {
        self.floor = commits;
    }

    pub(super) fn add(&mut self, workload: &str, what: impl Into<String>, value: f64, unit: &'static str) -> &mut Self {
        let figure = Figure {
            database: self.database,
            workload: workload.to_owned(),
            what: what.into(),
            value,
            unit,
            of_floor: None,
            goal: None,
        };
        println!("{}", line(&figure));
        self.figures.push(figure);
        self
    }

    /// The same as a part of the floor, with the goal.
    pub(super) fn add_rate(&mut self, workload: &str, what: impl Into<String>, value: f64, goal: &str) {
        let figure = Figure {
            database: self.database,
            workload: workload.to_owned(),
            what: what.into(),
            value,
            unit: "/s",
            of_floor: (self.floor > 0.0).then(|| value / self.floor),
            goal: Some(goal.to_owned()),
        };
        println!("{}", line(&figure));
        self.figures.push(figure);
    }

    pub(super) fn goal(&mut self, goal: &str) {
        if let Some(last) = self.figures.last_mut() {
            last.goal = Some(goal.to_owned());
            println!("{:>77}goal: {goal}", "");
        }
    }
}

fn line(figure: &Figure) -> String {
    let ratio = figure.of_floor.map(|ratio| format!("  {ratio:.2} x floor")).unwrap_or_default();
    let goal = figure.goal.as_ref().map(|goal| format!("  goal: {goal}")).unwrap_or_default();
    format!("{:<6}{:<58}{:>12}{:<5}{ratio}{goal}", figure.workload, figure.what, rounded(figure.value), figure.unit)
}

fn rounded(value: f64) -> String {
    if value >= 100.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}

/// The value below which such a part of all values is.
pub fn percentile(values: &mut [f64], part: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    let index = (last as f64 * part).round() as usize;
    values.get(index).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_that_were_seen() {
        let mut values = [5.0, 1.0, 3.0, 2.0, 4.0];
        assert_eq!((percentile(&mut values, 0.5), percentile(&mut values, 1.0)), (3.0, 5.0));
        assert_eq!(percentile(&mut [], 0.5), 0.0);
    }
}
