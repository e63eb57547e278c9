//! Dates in revisions, except those that depend on the current time.

/// Returns the seconds since 1970 of `@<seconds>`, `<seconds> <zone>`, or an ISO 8601 date
/// with a time of day, in UTC if it has no zone.
pub(super) fn seconds_of(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?.trim_ascii();
    let (seconds, zone) = text.split_once(' ').unwrap_or((text, "+0000"));
    let digits = seconds.strip_prefix('@').or_else(|| Some(seconds).filter(|s| s.len() >= 9))?;
    if digits.bytes().all(|byte| byte.is_ascii_digit()) && !digits.is_empty() {
        minutes_of(zone.trim_ascii())?;
        return digits.parse().ok();
    }
    iso(text)
}

fn iso(text: &str) -> Option<u64> {
    let (day, rest) = text.split_at_checked(10)?;
    let rest = rest.strip_prefix(['T', ' ', '.'])?.trim_ascii_start();
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(rest.len());
    let (clock, zone) = rest.split_at_checked(end)?;
    let mut parts = day.split(['-', '/', '.']);
    let mut next = |length: usize| {
        let part = parts.next().filter(|part| part.len() == length)?;
        part.bytes().all(|byte| byte.is_ascii_digit()).then(|| part.parse::<i64>().ok())?
    };
    let (year, month, day) = (next(4)?, next(2)?, next(2)?);
    let mut units = clock.split(':').map(|part| part.parse::<i64>().ok());
    let (hour, minute) = (units.next()??, units.next()??);
    let second = units.next().unwrap_or(Some(0))?;
    let fits = (1..=12).contains(&month)
        && (1..=31).contains(&day)
        && (1970..2100).contains(&year)
        && (0..24).contains(&hour)
        && (0..60).contains(&minute)
        && (0..=60).contains(&second);
    if !fits || units.next().is_some() {
        return None;
    }
    // Fractions of a second are ignored.
    let zone = zone
        .strip_prefix('.')
        .map_or(zone, |rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()));
    let minutes = minutes_of(zone.trim_ascii())?;
    let clock =
        hour.checked_mul(3600)?.checked_add(minute.checked_mul(60)?)?.checked_add(second)?;
    let days = days_since_1970(year, month, day)?;
    let local = days.checked_mul(86_400)?.checked_add(clock)?;
    u64::try_from(local.checked_sub(minutes.checked_mul(60)?)?).ok()
}

/// Returns how many minutes a zone is east of UTC.
fn minutes_of(zone: &str) -> Option<i64> {
    if matches!(zone, "" | "Z" | "UTC" | "GMT") {
        return Some(0);
    }
    let (sign, digits) = zone.split_at_checked(1)?;
    let digits = digits.replace(':', "");
    if !matches!(sign, "+" | "-") || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let (hours, minutes) = match digits.len() {
        2 => (digits.parse::<i64>().ok()?, 0),
        4 => {
            let (hours, minutes) = digits.split_at_checked(2)?;
            (hours.parse::<i64>().ok()?, minutes.parse::<i64>().ok()?)
        }
        _ => return None,
    };
    let all = hours.checked_mul(60)?.checked_add(minutes)?;
    Some(if sign == "-" { all.checked_neg()? } else { all })
}

/// Returns the days since 1970. The computation starts years in March, so that a leap day is
/// the last day of its year.
fn days_since_1970(year: i64, month: i64, day: i64) -> Option<i64> {
    let early = i64::from(month <= 2);
    let year = year.checked_sub(early)?;
    let month = month.checked_add(early.checked_mul(12)?)?.checked_sub(3)?;
    let before = month.checked_mul(153)?.checked_add(2)?.checked_div(5)?;
    let leaps = (year / 4).checked_sub(year / 100)?.checked_add(year / 400)?;
    let days = year.checked_mul(365)?.checked_add(leaps)?.checked_add(before)?.checked_add(day)?;
    days.checked_sub(719_469)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_that_do_not_depend_on_now() {
        let of = |text: &str| seconds_of(text.as_bytes());
        assert_eq!(of("1970-01-01 00:00:00 +0000"), Some(0));
        assert_eq!(of("2005-04-07 22:13:13 +0000"), Some(1_112_911_993));
        assert_eq!(of("2005-04-08T00:13:13+02:00"), Some(1_112_911_993));
        assert_eq!(of("2005-04-07T22:13:13Z"), Some(1_112_911_993));
        assert_eq!(of("2005-04-07T22:13:13.25Z"), Some(1_112_911_993));
        assert_eq!(of("2005-04-07 22:13:13"), Some(1_112_911_993));
        assert_eq!(of("2005-04-07 15:13:13 -0700"), Some(1_112_911_993));
        assert_eq!(of("2000-02-29 12:00"), Some(951_825_600));
        assert_eq!(of("@1112911993"), Some(1_112_911_993));
        assert_eq!(of("1112911993 +0000"), Some(1_112_911_993));
        for text in
            ["", "now", "yesterday", "2005-04-07", "5", "2005-13-01 00:00:00", "@", "1.day.ago"]
        {
            assert_eq!(of(text), None, "{text}");
        }
    }
}
