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
    /// How many times the floor it is: of a rate, the rate of the bare database or of bare sockets; of a time, how long
    /// the bare database takes for one durable commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_floor: Option<f64>,
    /// What it should be at most or at least.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<&'static str>,
    #[serde(skip)]
    floor: Floor,
}

/// What a rate is held against.
#[derive(Debug, Clone, Copy, Default)]
enum Floor {
    #[default]
    Commits,
    Sockets,
    /// It is a floor itself.
    None,
}

impl Figure {
    pub fn new(workload: &str, what: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self {
            database: "",
            workload: workload.to_owned(),
            what: what.into(),
            value,
            unit,
            of_floor: None,
            goal: None,
            floor: Floor::Commits,
        }
    }

    /// What the machine itself can do.
    pub fn floor(what: impl Into<String>, value: f64) -> Self {
        Self { floor: Floor::None, ..Self::new("floor", what, value, "/s") }
    }

    pub fn of_sockets(self) -> Self {
        Self { floor: Floor::Sockets, ..self }
    }

    pub fn goal(self, goal: &'static str) -> Self {
        Self { goal: Some(goal), ..self }
    }
}

/// All that was measured in one run.
#[derive(Debug, Serialize)]
pub struct Report {
    pub version: &'static str,
    pub cores: usize,
    pub figures: Vec<Figure>,
    #[serde(skip)]
    database: &'static str,
    /// Durable commits a second.
    #[serde(skip)]
    pub(super) commits: f64,
    /// Messages a second.
    #[serde(skip)]
    pub(super) messages: f64,
}

impl Report {
    pub(super) fn new() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let version = env!("CARGO_PKG_VERSION");
        Self { version, cores, figures: Vec::new(), database: "", commits: 0.0, messages: 0.0 }
    }

    pub(super) fn database(&mut self, name: &'static str) {
        self.database = name;
        println!("\n{name}, {} cores, version {}", self.cores, self.version);
    }

    /// Notes a figure and prints it at once: a run takes a while.
    pub(super) fn add(&mut self, figure: Figure) {
        let floor = match (figure.floor, figure.unit) {
            (Floor::Commits, "/s") => Some(self.commits),
            (Floor::Commits, "ms") => Some(1_000.0 / self.commits),
            (Floor::Sockets, "/s") => Some(self.messages),
            _ => None,
        };
        let of_floor = floor.filter(|floor| floor.is_normal()).map(|floor| figure.value / floor);
        let figure = Figure { database: self.database, of_floor, ..figure };
        println!("{}", line(&figure));
        self.figures.push(figure);
    }
}

fn line(figure: &Figure) -> String {
    let ratio = figure.of_floor.map(|ratio| format!("{ratio:.2} x floor")).unwrap_or_default();
    let goal = figure.goal.map(|goal| format!("goal: {goal}")).unwrap_or_default();
    let Figure { workload, what, unit, .. } = figure;
    let line = format!("{workload:<6}{what:<54}{:>9} {unit:<6}{ratio:>15}  {goal}", rounded(figure.value));
    line.trim_end().to_owned()
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
    fn rates_and_times_are_held_against_the_floor() {
        let mut report = Report { commits: 500.0, messages: 100.0, ..Report::new() };
        report.add(Figure::floor("bare", 500.0));
        report.add(Figure::new("w1", "steps", 1_000.0, "/s").goal("2 x floor"));
        report.add(Figure::new("w2", "approval", 3.0, "ms"));
        report.add(Figure::new("w4", "events", 50.0, "/s").of_sockets());
        report.add(Figure::new("w3", "memory", 50.0, "MiB"));
        let ratios: Vec<Option<f64>> = report.figures.iter().map(|figure| figure.of_floor).collect();
        assert_eq!(ratios, [None, Some(2.0), Some(1.5), Some(0.5), None]);
        let words: Vec<String> = line(&report.figures[1]).split_whitespace().map(ToOwned::to_owned).collect();
        assert_eq!(words.join(" "), "w1 steps 1000 /s 2.00 x floor goal: 2 x floor");
    }

    #[test]
    fn percentiles_are_values_that_were_seen() {
        let mut values = [5.0, 1.0, 3.0, 2.0, 4.0];
        assert_eq!((percentile(&mut values, 0.5), percentile(&mut values, 1.0)), (3.0, 5.0));
        assert_eq!(percentile(&mut [], 0.5), 0.0);
    }
}
