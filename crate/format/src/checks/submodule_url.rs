//! Checks URLs of submodules.

/// The characters that a normalized URL has as `%XX`.
const UNSAFE: &[u8] = b" <>\"%{}|\\^`";

/// The delimiters, which stay in the form in which they were written.
const RESERVED: &[u8] = b":/?#[]@!$&'()*+,;=";

/// Returns whether git clones a submodule from this URL. It must not look like an option,
/// contain a line feed once it is decoded, or climb above the root of its server.
pub(super) fn is_allowed(url: &[u8]) -> bool {
    if url.starts_with(b"-") {
        return false;
    }
    let is_relative = url.starts_with(b"./") || url.starts_with(b"../");
    if is_relative || url.starts_with(b"git://") {
        let (climbs, rest) = without_dots(url);
        let leads_above = climbs && matches!(rest.first(), Some(b':' | b'/'));
        return !decodes_to_line_feed(url) && !leads_above;
    }
    match of_curl(url).map(normalized) {
        Some(Some(normalized)) => !decodes_to_line_feed(&normalized),
        Some(None) => false,
        None => true,
    }
}

/// Strips `./` and `../` from the start; returns whether there was a `../`, and the rest.
fn without_dots(mut url: &[u8]) -> (bool, &[u8]) {
    let mut climbs = false;
    loop {
        if let Some(rest) = url.strip_prefix(b"../") {
            (climbs, url) = (true, rest);
        } else if let Some(rest) = url.strip_prefix(b"./") {
            url = rest;
        } else {
            return (climbs, url);
        }
    }
}

/// Returns the URL that git would pass to curl; `None` if it uses another transport.
fn of_curl(url: &[u8]) -> Option<&[u8]> {
    let schemes: [&[u8]; 4] = [b"http", b"https", b"ftp", b"ftps"];
    schemes.iter().find_map(|scheme| {
        let rest = url.strip_prefix(*scheme)?;
        rest.strip_prefix(b"::").or_else(|| rest.starts_with(b"://").then_some(url))
    })
}

/// Returns whether a URL contains a line feed once `%XX` is decoded, which git does only after
/// the first colon.
fn decodes_to_line_feed(url: &[u8]) -> bool {
    let colon = url.iter().position(|byte| *byte == b':').unwrap_or(0);
    let decoded = url.get(colon..).unwrap_or_default();
    url.contains(&b'\n')
        || decoded.windows(3).any(|three| matches!(three, [b'%', b'0', b'a' | b'A']))
}

/// Returns a URL in the normalized form that git compares; `None` if it is not valid.
fn normalized(url: &[u8]) -> Option<Vec<u8>> {
    let is_of_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || b"+.-".contains(byte);
    let end = url.iter().position(|byte| !is_of_scheme(byte))?;
    let (scheme, rest) = url.split_at_checked(end)?;
    let mut rest = rest.strip_prefix(b"://")?;
    if !scheme.first()?.is_ascii_alphabetic() {
        return None;
    }
    let scheme = scheme.to_ascii_lowercase();
    let mut out = [scheme.as_slice(), b"://"].concat();
    let delimiter = |byte: &u8| matches!(byte, b'/' | b'?' | b'#');
    let end = rest.iter().position(delimiter).unwrap_or(rest.len());
    let at = rest.iter().position(|byte| *byte == b'@').filter(|at| *at < end);
    if let Some(at) = at {
        append_escaped(rest.get(..at)?, &mut out)?;
        out.push(b'@');
        rest = rest.get(at.saturating_add(1)..)?;
    }
    let end = rest.iter().position(delimiter).unwrap_or(rest.len());
    let (host, rest) = rest.split_at_checked(end)?;
    append_host(&scheme, host, &mut out)?;
    append_path(rest, &mut out)?;
    Some(out)
}

fn append_host(scheme: &[u8], host_and_port: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let is_file = scheme == b"file";
    if matches!(host_and_port.first(), None | Some(b':')) && !is_file {
        return None;
    }
    // A colon inside brackets is part of the host; a colon without a host was rejected above.
    let colon = host_and_port.iter().rposition(|byte| matches!(byte, b':' | b']'));
    let colon = colon.filter(|at| host_and_port.get(*at) == Some(&b':'));
    let (host, port) = host_and_port.split_at_checked(colon.unwrap_or(host_and_port.len()))?;
    let is_of_host = |byte: &u8| byte.is_ascii_alphanumeric() || b".-_[:]".contains(byte);
    if !host.iter().all(is_of_host) {
        return None;
    }
    out.extend(host.to_ascii_lowercase());
    let Some(port) = port.strip_prefix(b":").filter(|port| !port.is_empty()) else {
        return Some(());
    };
    // A port without a host is not valid.
    if matches!(host_and_port.first(), Some(b':')) {
        return None;
    }
    let zeros = port.iter().take_while(|byte| **byte == b'0').count();
    let port = port.get(zeros..)?;
    let number = port.iter().try_fold(0u32, |number, digit| {
        let digit = char::from(*digit).to_digit(10)?;
        number.checked_mul(10)?.checked_add(digit)
    })?;
    if !(1..=65535).contains(&number) {
        return None;
    }
    if (scheme, number) != (b"http", 80) && (scheme, number) != (b"https", 443) {
        out.push(b':');
        out.extend(port);
    }
    Some(())
}

/// Appends a path without `.` and `..` segments, and the query and fragment after it.
fn append_path(path: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let start = out.len();
    out.push(b'/');
    let mut rest = path.strip_prefix(b"/").unwrap_or(path);
    loop {
        let end = rest.iter().position(|byte| matches!(byte, b'/' | b'?' | b'#'));
        let (segment, after) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
        let segment_start = out.len();
        append_escaped(segment, out)?;
        let first = start.saturating_add(1);
        let mut has_slash = false;
        match out.get(segment_start..)? {
            b"." => {
                has_slash = segment_start == first;
                out.truncate(segment_start.saturating_sub(usize::from(!has_slash)));
            }
            b".." => {
                let parent = out.get(..segment_start.saturating_sub(1))?;
                // A path that climbs above the root is not valid.
                let slash =
                    parent.iter().rposition(|byte| *byte == b'/').filter(|at| *at >= start)?;
                has_slash = slash == start;
                out.truncate(slash.saturating_add(usize::from(has_slash)));
            }
            _ => {}
        }
        let Some(next) = after.strip_prefix(b"/") else {
            return append_escaped(after, out);
        };
        rest = next;
        if !has_slash {
            out.push(b'/');
        }
    }
}

/// Appends text with `%XX` for unsafe characters, and for delimiters that were written so;
/// `None` if there is a `%` without two digits.
fn append_escaped(text: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let mut rest = text;
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        let mut byte = *byte;
        let was_escaped = byte == b'%';
        if was_escaped {
            let (digits, after) = rest.split_at_checked(2)?;
            rest = after;
            byte = digits.iter().try_fold(0u8, |value, digit| {
                let digit = char::from(*digit).to_digit(16)?;
                Some(value << 4 | u8::try_from(digit).ok()?)
            })?;
        }
        let escapes = !(0x20..0x7f).contains(&byte)
            || UNSAFE.contains(&byte)
            || (was_escaped && RESERVED.contains(&byte));
        match escapes {
            true => {
                let hex =
                    packlens_base::oid::hex_digits(byte).map(|digit| digit.to_ascii_uppercase());
                out.push(b'%');
                out.extend(hex);
            }
            false => out.push(byte),
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_that_git_clones_from() {
        for (url, allowed) in [
            ("https://example.com/a.git", true),
            ("-u./payload", false),
            ("./%0ahost=example.com/foo.git", false),
            ("../../..//test/foo.git", false),
            ("../../../:foo/bar", false),
            ("./a/../:foo", true),
            ("https://example.com/%0a/x", false),
            ("https://example.com/%0a/../x", true),
            ("http::https://example.com\n/x", false),
            ("https:///example.com/foo", false),
            ("https://example.com:x/foo", false),
            ("https://example.com:0443/foo", true),
            ("https://example.com:0/foo", false),
            ("https://[::1]:8080/foo", true),
            ("https://u%0a@example.com/", false),
            ("https://example.com/../x", false),
            ("https://example.com/a/b/../../x?%zz", false),
            ("https:://example.com/foo", false),
            ("http::/example.com", false),
            ("git://example.com/%0A", false),
            ("git@example.com:a/%0a", true),
            ("ssh://example.com/%0a", true),
            ("https://exa%41mple.com/", false),
        ] {
            assert_eq!(is_allowed(url.as_bytes()), allowed, "{url}");
        }
        let written = normalized(b"HTTP://User%41@Example.com:80/a/./%7eb/../c%2f?d e").unwrap();
        assert_eq!(written, b"http://UserA@example.com/a/c%2F?d%20e");
    }
}
