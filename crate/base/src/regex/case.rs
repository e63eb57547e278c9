//! Upper and lower case. The library's tables of all characters would add 11 KB to the module;
//! these are the alphabets in which most names and messages are written.

/// Returns an ASCII, Latin, Greek or Cyrillic letter in the other case.
pub(super) fn other_case(one: char) -> Option<char> {
    let code = u32::from(one);
    let other = match code {
        // Pairs with the upper case 32 before the lower case.
        0x41..=0x5a | 0xc0..=0xd6 | 0xd8..=0xde | 0x391..=0x3a1 | 0x3a3..=0x3a9 => {
            code.wrapping_add(32)
        }
        0x61..=0x7a | 0xe0..=0xf6 | 0xf8..=0xfe | 0x3b1..=0x3c1 | 0x3c3..=0x3c9 => {
            code.wrapping_sub(32)
        }
        0x410..=0x42f => code.wrapping_add(32),
        0x430..=0x44f => code.wrapping_sub(32),
        0x400..=0x40f => code.wrapping_add(80),
        0x450..=0x45f => code.wrapping_sub(80),
        0xff => 0x178,
        0x178 => 0xff,
        // Neighbours, the upper case first: at even codes, at odd ones.
        0x100..=0x12f | 0x132..=0x137 | 0x14a..=0x177 => code ^ 1,
        0x139..=0x148 | 0x179..=0x17e => (code.wrapping_add(1) ^ 1).wrapping_sub(1),
        _ => return None,
    };
    char::from_u32(other)
}

#[cfg(test)]
mod tests {
    use super::other_case;

    #[test]
    fn other_cases_are_those_of_the_library() {
        let mut found = 0;
        for one in (0..0x530).filter_map(char::from_u32) {
            let Some(other) = other_case(one) else {
                continue;
            };
            let known: Vec<char> = match one.is_uppercase() {
                true => one.to_lowercase().collect(),
                false => one.to_uppercase().collect(),
            };
            assert_eq!(known, [other], "{one}");
            found += 1;
        }
        assert!(found > 350, "{found}");
    }
}
