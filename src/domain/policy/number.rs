//! Numbers as they are written, compared by what they stand for.
//!
//! A threshold may have more digits than 64 bits hold, so nothing is converted: not the number, nor a part of it.

use std::cmp::Ordering;

/// Which of two JSON numbers is larger. None if one is none, or its exponent is beyond all reason.
pub fn order(a: &str, b: &str) -> Option<Ordering> {
    let (a, b) = (Decimal::read(a)?, Decimal::read(b)?);
    let by_sign = a.sign.cmp(&b.sign);
    if by_sign.is_ne() || a.sign == 0 {
        return Some(by_sign);
    }
    let by_size = a.magnitude.cmp(&b.magnitude).then_with(|| a.order_of_digits(&b));
    Some(if a.sign < 0 { by_size.reverse() } else { by_size })
}

/// A number taken apart: `0.` and its digits, times ten to the power of its magnitude.
struct Decimal<'a> {
    /// -1, 0 or 1.
    sign: i8,
    /// Without zeros in front.
    digits: (&'a str, &'a str),
    magnitude: i64,
}

impl<'a> Decimal<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let (negative, text) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (number, exponent) = match text.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, exponent.parse::<i64>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let is_number = |part: &str| part.bytes().all(|digit| digit.is_ascii_digit());
        if whole.is_empty() || !is_number(whole) || !is_number(fraction) {
            return None;
        }
        let whole = whole.trim_start_matches('0');
        let rest = if whole.is_empty() { fraction.trim_start_matches('0') } else { fraction };
        let zeros_behind_the_point = fraction.len() - rest.len();
        let places = i64::try_from(whole.len()).ok()? - i64::try_from(zeros_behind_the_point).ok()?;
        let is_zero = whole.is_empty() && rest.is_empty();
        let sign = if is_zero { 0 } else { 1 - 2 * i8::from(negative) };
        Some(Self { sign, digits: (whole, rest), magnitude: exponent.checked_add(places)? })
    }

    fn order_of_digits(&self, other: &Self) -> Ordering {
        let digits = |of: &Self| of.digits.0.bytes().chain(of.digits.1.bytes());
        let (mut a, mut b) = (digits(self), digits(other));
        loop {
            let (a, b) = match (a.next(), b.next()) {
                (None, None) => return Ordering::Equal,
                // What is not written out is zero.
                (a, b) => (a.unwrap_or(b'0'), b.unwrap_or(b'0')),
            };
            if a != b {
                return a.cmp(&b);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_to_the_last_digit() {
        for (a, expected, b) in [
            ("1", Ordering::Equal, "1.0"),
            ("0.1", Ordering::Equal, "0.10"),
            ("0.1", Ordering::Equal, "1e-1"),
            ("0", Ordering::Equal, "-0.00e7"),
            ("1000", Ordering::Equal, "1E+3"),
            ("100", Ordering::Greater, "99.999"),
            ("-1", Ordering::Less, "0"),
            ("-2", Ordering::Less, "-1.5"),
            ("0.009", Ordering::Less, "0.01"),
            ("123456789012345678901", Ordering::Less, "123456789012345678902"),
            ("0.30000000000000000001", Ordering::Greater, "0.3"),
            ("9007199254740993", Ordering::Greater, "9007199254740992.0"),
            ("12345678901234567890.5", Ordering::Greater, "12345678901234567890"),
            ("1e400", Ordering::Less, "1.0000000000001e400"),
            ("-1e400", Ordering::Less, "1e-400"),
            ("0.000e9", Ordering::Less, "1e-9223372036854775807"),
        ] {
            assert_eq!(order(a, b), Some(expected), "{a} {b}");
            assert_eq!(order(b, a), Some(expected.reverse()), "{b} {a}");
        }
    }

    #[test]
    fn what_is_no_number_has_no_order() {
        for text in ["", "-", "a", "1.x", "\"1\"", "null", "1e99999999999999999999", ".5", "+1"] {
            assert_eq!(order(text, "1"), None, "{text}");
        }
        assert_eq!(order("12e9223372036854775807", "1"), None);
    }
}
