//! Figures about what happened.

mod api;
mod checks;
mod life;
mod naive;
mod random;
mod rebuild;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use crate::support::{TestApp, at};

const QUERY: &str = "
    query($from: DateTime, $until: DateTime, $zone: String, $bucket: TimeBucket, $filter: AnalyticsFilter) {
      analytics(from: $from, until: $until, timeZone: $zone, bucket: $bucket, filter: $filter) {
        from until timeZone bucket complete
        checkpoints {
          totals { ...figures }
          series { from until outcomes { ...outcomes } }
          byWorkflow { workflow { id } figures { ...figures } }
          byRule { rule figures { ...figures } }
          byPerson { user { id } displayName figures { ...decisions } }
          byGroup { group { name } figures { ...decisions } }
        }
        agents {
          agent { id } attempts completed errors retried cancelled errorRate
          errorsByCode { code count } duration { ...took } usage { ...usage }
        }
        executions {
          ended byOutcome { reason count } duration { ...took }
          series { from until ended byOutcome { reason count } }
        }
        usage { totals { ...usage } series { from until usage { ...usage } } byWorkflow { workflow { id } usage { ...usage } } }
      }
    }
    fragment took on DurationFigures { count mean p50 p95 p99 }
    fragment usage on Usage { llmCalls tokens costMicros }
    fragment outcomes on CheckpointOutcomes {
      asked approved modified rejected timedOut answered cancelled autoApproved overridden
      approvalRate modificationRate rejectionRate timeoutRate autoApprovalRate overrideRate
    }
    fragment figures on CheckpointFigures {
      outcomes { ...outcomes } timeToDecision { ...took } timeWaited { ...took }
    }
    fragment decisions on DecisionFigures {
      decided approved modified rejected answered timeToDecision { ...took } timeWaited { ...took }
    }";

/// Everything that there is to know.
async fn analytics(app: &TestApp, token: &str, variables: Value) -> Value {
    let answer = app.graphql(token, QUERY, variables).await;
    assert_eq!(answer["errors"], Value::Null, "{answer:#}");
    at(&answer, "/data/analytics").clone()
}

fn range(from: DateTime<Utc>, until: DateTime<Utc>) -> Value {
    json!({"from": from, "until": until})
}
