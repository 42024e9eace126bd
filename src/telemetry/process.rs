//! The process's own numbers, read from Linux's `/proc` when they are asked for; elsewhere there are none.
//! The names are those that Prometheus recommends to every client.

use std::{fmt::Write, fs};

/// Ticks per second in what the kernel tells programs; the same on every architecture that Linux still runs on.
const TICKS_PER_SECOND: f64 = 100.0;

/// Appends what can be read.
pub(super) fn render(text: &mut String) {
    let stat = fs::read_to_string("/proc/self/stat").ok();
    let stat = stat.as_deref().and_then(Stat::parse);
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let boot_time = || value_after(&fs::read_to_string("/proc/stat").ok()?, "btime");
    let start_time = stat.as_ref().zip(boot_time()).map(|(stat, boot_time)| boot_time + stat.started);
    let open_files = fs::read_dir("/proc/self/fd").ok().map(|files| files.count() as f64);
    let bytes = |name| value_after(&status, name).map(|kibibytes| kibibytes * 1024.0);
    for (name, kind, help, value) in [
        ("cpu_seconds_total", "counter", "CPU time, user and system.", stat.as_ref().map(|stat| stat.cpu)),
        ("resident_memory_bytes", "gauge", "Memory that is in RAM.", bytes("VmRSS:")),
        ("virtual_memory_bytes", "gauge", "Memory that is mapped.", bytes("VmSize:")),
        ("threads", "gauge", "Threads.", value_after(&status, "Threads:")),
        ("open_fds", "gauge", "Open files and sockets.", open_files),
        ("start_time_seconds", "gauge", "When the process started, in Unix time.", start_time),
    ] {
        if let Some(value) = value {
            let _ =
                write!(text, "# HELP process_{name} {help}\n# TYPE process_{name} {kind}\nprocess_{name} {value}\n\n");
        }
    }
}

/// Seconds from `/proc/self/stat`.
#[derive(Debug, PartialEq)]
struct Stat {
    cpu: f64,
    /// After the machine's start.
    started: f64,
}

impl Stat {
    fn parse(stat: &str) -> Option<Self> {
        // The second field is the program's name in brackets, which may hold spaces and brackets itself.
        let (_, fields) = stat.rsplit_once(") ")?;
        let fields: Vec<&str> = fields.split(' ').collect();
        // Counted from the third field of proc(5).
        let seconds = |field: usize| Some(fields.get(field - 3)?.parse::<f64>().ok()? / TICKS_PER_SECOND);
        Some(Self { cpu: seconds(14)? + seconds(15)?, started: seconds(22)? })
    }
}

fn value_after(text: &str, name: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_may_have_an_awkward_name() {
        let stat = "42 (a) b (c)) S 1 42 42 0 -1 4194304 900 0 0 0 250 50 0 0 20 0 8 0 12300 1000 200 0";
        assert_eq!(Stat::parse(stat), Some(Stat { cpu: 3.0, started: 123.0 }));
        assert_eq!(Stat::parse("42 (short) S 1"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn tells_about_this_process() {
        let mut text = String::new();
        render(&mut text);
        let value = |name: &str| value_after(&text, name).unwrap_or_else(|| panic!("no `{name}` in\n{text}"));
        assert!(value("process_resident_memory_bytes ") > 1_000_000.0);
        assert!(value("process_open_fds ") >= 3.0);
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).expect("after 1970").as_secs_f64();
        let age = now - value("process_start_time_seconds ");
        assert!((-2.0..86_400.0).contains(&age), "started {age} s ago");
    }
}
