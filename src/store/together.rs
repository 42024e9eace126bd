//! Several short lists in one statement, as when each row of a page has a list of its own.

use sea_orm::sea_query::{Expr, Query, SelectStatement, UnionType};

/// Databases take only so many parts of one statement; no page has more rows.
pub const MOST_PARTS: usize = 100;

/// The values of one column from several selections, each of which may have its own order and limit.
pub fn together(parts: impl IntoIterator<Item = SelectStatement>, column: &'static str) -> Option<SelectStatement> {
    let mut parts = parts.into_iter().enumerate().map(|(number, part)| {
        Query::select().expr(Expr::col(column)).from_subquery(part, format!("part_{number}")).to_owned()
    });
    let mut all = parts.next()?;
    for part in parts {
        all.union(UnionType::All, part);
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use sea_orm::sea_query::{Order, PostgresQueryBuilder, SqliteQueryBuilder};

    use super::*;

    #[test]
    fn each_part_keeps_its_limit() {
        let part = || Query::select().column("id").from("row").order_by("id", Order::Desc).limit(2).to_owned();
        let all = together([part(), part()], "id").expect("a statement");
        assert_eq!(
            all.to_string(SqliteQueryBuilder),
            r#"SELECT "id" FROM (SELECT "id" FROM "row" ORDER BY "id" DESC LIMIT 2) AS "part_0" UNION ALL SELECT "id" FROM (SELECT "id" FROM "row" ORDER BY "id" DESC LIMIT 2) AS "part_1""#
        );
        assert!(all.to_string(PostgresQueryBuilder).contains(" UNION ALL (SELECT "));
        assert!(together([], "id").is_none());
    }
}
