//! Turns a basic regular expression into an extended one.

/// Returns an extended expression that matches the same, as GNU's regex(7) reads both.
pub(super) fn extended(pattern: &[char]) -> Vec<char> {
    let mut out = Vec::with_capacity(pattern.len());
    // At the beginning of an expression a star is an ordinary character, and a caret an anchor.
    let mut begins = true;
    let mut at = 0usize;
    let is = |at: usize, one: char| pattern.get(at) == Some(&one);
    while let Some(one) = pattern.get(at).copied() {
        let next = at.saturating_add(1);
        at = next;
        let was_begin = std::mem::replace(&mut begins, false);
        match one {
            '\\' => {
                let escaped = pattern.get(next).copied();
                at = next.saturating_add(usize::from(escaped.is_some()));
                match escaped {
                    Some(special @ ('(' | '|')) => {
                        out.push(special);
                        begins = true;
                    }
                    Some(special @ (')' | '}')) => out.push(special),
                    Some(special @ ('{' | '+' | '?')) if !was_begin => out.push(special),
                    escaped => {
                        out.push('\\');
                        out.extend(escaped);
                    }
                }
            }
            '*' if was_begin => out.extend(['\\', '*']),
            '^' if was_begin => {
                out.push('^');
                begins = true;
            }
            '$' => {
                let ends_part = is(next, '\\')
                    && (is(next.saturating_add(1), ')') || is(next.saturating_add(1), '|'));
                let ends = next == pattern.len() || ends_part;
                out.extend(if ends { &['$'][..] } else { &['\\', '$'] });
            }
            '[' => {
                let end = end_of_set(pattern, next);
                out.push('[');
                out.extend(pattern.get(next..end).unwrap_or_default());
                at = end;
            }
            '^' | '(' | ')' | '{' | '}' | '|' | '+' | '?' => out.extend(['\\', one]),
            other => out.push(other),
        }
    }
    out
}

/// Returns where a set ends, after its closing bracket.
fn end_of_set(pattern: &[char], start: usize) -> usize {
    let mut at = start;
    let is = |at: usize, one: char| pattern.get(at) == Some(&one);
    if is(at, '^') {
        at = at.saturating_add(1);
    }
    if is(at, ']') {
        at = at.saturating_add(1);
    }
    while at < pattern.len() && !is(at, ']') {
        let class = is(at, '[') && is(at.saturating_add(1), ':');
        at = at.saturating_add(1);
        if class {
            let rest = pattern.get(at..).unwrap_or_default();
            let end = rest.windows(2).position(|pair| pair == [':', ']']);
            at = at.saturating_add(end.map_or(0, |end| end.saturating_add(2)));
        }
    }
    at.saturating_add(1).min(pattern.len())
}
