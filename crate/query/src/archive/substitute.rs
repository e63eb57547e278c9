//! `$Format:…$` in files with the attribute `export-subst`, by the placeholders of
//! <https://git-scm.com/docs/pretty-formats>.

use super::description::{asked, Description};
use crate::repository::Repository;
use packlens_base::error::{Error, ErrorKind, Result};
use packlens_base::oid::ObjectId;
use packlens_format::object::{Commit, Signature};

const START: &[u8] = b"$Format:";

/// Returns a content with the facts about a commit that it asks for.
///
/// # Errors
///
/// [`ErrorKind::Unsupported`] for placeholders that are not supported; errors of reading.
pub(super) fn substituted(
    content: Vec<u8>,
    repository: &mut Repository,
    id: &ObjectId,
    commit: &[u8],
    description: &mut Description,
) -> Result<Vec<u8>> {
    let mut is_described = description.is_spent;
    let mut out = Vec::new();
    let mut rest = content.as_slice();
    while let Some(at) = rest.windows(START.len()).position(|bytes| bytes == START) {
        let (before, found) = rest.split_at_checked(at).unwrap_or_default();
        let format = found.get(START.len()..).unwrap_or_default();
        let Some(end) = format.iter().position(|byte| *byte == b'$') else {
            break;
        };
        out.extend_from_slice(before);
        let (format, after) = format.split_at_checked(end).unwrap_or_default();
        let described = (&mut *description, &mut is_described);
        append(format, repository, id, commit, described, &mut out)?;
        rest = after.get(1..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
    // Not before: without some bytes the file is made again.
    description.is_spent = is_described;
    Ok(out)
}

fn append(
    format: &[u8],
    repository: &mut Repository,
    id: &ObjectId,
    content: &[u8],
    (description, is_described): (&mut Description, &mut bool),
    out: &mut Vec<u8>,
) -> Result<()> {
    let commit = Commit::decode(repository.hash(), content)?;
    let is_utf8 =
        |name: &[u8]| name.eq_ignore_ascii_case(b"utf-8") || name.eq_ignore_ascii_case(b"utf8");
    if commit.encoding().is_some_and(|name| !is_utf8(name)) {
        let what = "`$Format:$` of commits in another encoding than UTF-8 is not supported";
        return Err(Error::new(ErrorKind::Unsupported, what));
    }
    let mut rest = format;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        if *byte != b'%' {
            out.push(*byte);
            continue;
        }
        let [first, second] = [0, 1].map(|at| after.get(at).copied().unwrap_or(0));
        let mut used = 1_usize;
        match first {
            b'%' => out.push(b'%'),
            b'n' => out.push(b'\n'),
            b'H' => out.extend_from_slice(id.to_hex().as_bytes()),
            b'h' => append_ids(&[*id], true, repository, out)?,
            b'T' => append_ids(&[*commit.tree()], false, repository, out)?,
            b't' => append_ids(&[*commit.tree()], true, repository, out)?,
            b'P' => append_ids(commit.parents(), false, repository, out)?,
            b'p' => append_ids(commit.parents(), true, repository, out)?,
            b's' => append_subject(commit.message(), out),
            b'a' | b'c' => {
                let person = if first == b'a' { commit.author() } else { commit.committer() };
                used = 2;
                append_person(second, &person, out)?;
            }
            b'(' => {
                let (options, length) = asked(after).ok_or_else(|| unsupported(b"%("))?;
                used = length;
                if *is_described {
                    out.push(b'%');
                    out.extend_from_slice(after.get(..length).unwrap_or_default());
                } else {
                    out.extend_from_slice(description.text(repository, id, options)?);
                    *is_described = true;
                }
            }
            _ => return Err(unsupported(&[b'%', first])),
        }
        rest = after.get(used..).unwrap_or_default();
    }
    Ok(())
}

fn unsupported(placeholder: &[u8]) -> Error {
    let what = "`export-subst` with this placeholder is not supported";
    Error::new(ErrorKind::Unsupported, what).about(placeholder)
}

fn append_ids(
    ids: &[ObjectId],
    is_short: bool,
    repository: &mut Repository,
    out: &mut Vec<u8>,
) -> Result<()> {
    for (at, id) in ids.iter().enumerate() {
        let mut digits = id.to_hex();
        if is_short {
            digits.truncate(repository.abbreviate(id, None)?);
        }
        if at > 0 {
            out.push(b' ');
        }
        out.extend_from_slice(digits.as_bytes());
    }
    Ok(())
}

/// Appends the lines of the first paragraph, as one line.
fn append_subject(message: &[u8], out: &mut Vec<u8>) {
    let lines = message.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    let own = lines.skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty());
    for (at, line) in own.enumerate() {
        if at > 0 {
            out.push(b' ');
        }
        out.extend_from_slice(line);
    }
}

fn append_person(letter: u8, person: &Signature<'_>, out: &mut Vec<u8>) -> Result<()> {
    match letter {
        b'n' => out.extend_from_slice(person.name),
        b'e' => out.extend_from_slice(person.email),
        b't' | b'd' | b'i' | b'I' | b's' | b'D' => {
            let seconds = person.seconds.filter(|seconds| *seconds < 1 << 40);
            let Some(seconds) = seconds else {
                return Err(unsupported(b"date out of range"));
            };
            out.extend_from_slice(date(letter, seconds, person.offset_minutes).as_bytes());
        }
        _ => return Err(unsupported(&[b'%', b'a', letter])),
    }
    Ok(())
}

const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Returns a date as `%ad` and its siblings print it.
fn date(letter: u8, seconds: u64, zone: i64) -> String {
    if letter == b't' {
        return seconds.to_string();
    }
    let local = seconds.saturating_add_signed(zone.saturating_mul(60));
    let (days, clock) = (local / 86_400, local % 86_400);
    let (year, month, day) = civil_day(days);
    let time = format!("{:02}:{:02}:{:02}", clock / 3600, clock / 60 % 60, clock % 60);
    let (sign, minutes) = (if zone < 0 { '-' } else { '+' }, zone.unsigned_abs());
    let (hours, minutes) = (minutes / 60, minutes % 60);
    let name = DAYS.get((days % 7) as usize).copied().unwrap_or_default();
    let month_name = MONTHS.get(month.saturating_sub(1) as usize).copied().unwrap_or_default();
    match letter {
        b'd' => {
            format!("{name} {month_name} {day} {time} {year} {sign}{hours:02}{minutes:02}")
        }
        b'D' => {
            format!("{name}, {day} {month_name} {year} {time} {sign}{hours:02}{minutes:02}")
        }
        b'i' => format!("{year:04}-{month:02}-{day:02} {time} {sign}{hours:02}{minutes:02}"),
        b'I' if zone == 0 => format!("{year:04}-{month:02}-{day:02}T{time}Z"),
        b'I' => {
            format!("{year:04}-{month:02}-{day:02}T{time}{sign}{hours:02}:{minutes:02}")
        }
        _ => format!("{year:04}-{month:02}-{day:02}"),
    }
}

/// Returns the year, month and day of a day, counted from the first of 1970.
pub(super) fn civil_day(days: u64) -> (u64, u64, u64) {
    // Years begin in March, so that the day of a leap year is the last; periods of 400 years.
    let days = days.saturating_add(719_468);
    let (era, of_era) = (days / 146_097, days % 146_097);
    let leaps = (of_era / 1460).saturating_add(of_era / 146_096);
    let year = (of_era.saturating_add(of_era / 36_524).saturating_sub(leaps)) / 365;
    let before = year.saturating_mul(365).saturating_add(year / 4).saturating_sub(year / 100);
    let of_year = of_era.saturating_sub(before);
    let month = of_year.saturating_mul(5).saturating_add(2) / 153;
    let day = of_year.saturating_sub(month.saturating_mul(153).saturating_add(2) / 5);
    let is_next_year = month >= 10;
    let month = if is_next_year { month.saturating_sub(9) } else { month.saturating_add(3) };
    let year = era.saturating_mul(400).saturating_add(year);
    (year.saturating_add(is_next_year.into()), month, day.saturating_add(1))
}
