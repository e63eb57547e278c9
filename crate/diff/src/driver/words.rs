//! What words are in each language: as git's answers to `--word-diff` say. `cargo run --example
//! words` compares both.

/// A name of letters, digits and underscores.
const NAME: &str = "[A-Za-z_][A-Za-z0-9_]*";

/// A number with signs and an exponent, of which git takes any such characters.
const NUMBER: &str = "[-+.0-9e]+";

/// Operators that end with `=`, and shifts.
const OPERATORS: &str = "[-+*/%&|^!=<>]=|<<=?|>>=?";

const AND_OR: &str = "&&|[|][|]";

/// Names and values of markup: anything but tags and white space.
const MARKUP: &[&str] = &["[^<>= \t]+"];

/// The languages whose words are not only what white space separates, each with the extended
/// regular expressions that its words match.
const WORDS: &[(&str, &[&str])] = &[
    (
        "bash",
        &[
            "[$][A-Za-z0-9_]+|[$][{]|[A-Za-z0-9_-]+",
            "[-+*/%&|^!=<>:]=|<<|>>|##|%%|,,|\\^\\^|:[-+?]",
            AND_OR,
        ],
    ),
    ("bibtex", &["[^={}\" \t]+"]),
    (
        "cpp",
        &[
            NAME,
            "0[xXbB][0-9a-fA-F]+[uUlL]*|[0-9][0-9.]*([eE][-+]?[0-9]+)?[fFuUlL]*",
            "[.][0-9]+([eE][-+]?[0-9]+)?[fFlL]?",
            OPERATORS,
            AND_OR,
            "--|[+][+]|<=>|::|->[*]?|[.][*]",
        ],
    ),
    ("css", &["-?[A-Za-z_][A-Za-z0-9_-]*|-?[0-9]+|#[0-9a-fA-F]+"]),
    ("dts", &["[A-Za-z0-9,._+?#-]+|<<|>>", AND_OR]),
    ("golang", &[NAME, "[-+.0-9eE]+i?|0[xX]?[0-9a-fA-F]+i?", OPERATORS, AND_OR, ":=|&\\^=?|<-"]),
    ("html", MARKUP),
    ("java", &[NAME, "[-+.0-9e]+[fFlL]?|0[xXbB]?[0-9a-fA-F]+[lL]?", OPERATORS, AND_OR, ">>>=?"]),
    (
        "kotlin",
        &[
            NAME,
            "0[xXbB][0-9a-fA-F_]+[uUlL]*",
            "[0-9][0-9_]*[.]?[0-9_]*([eE][-+]?[0-9]+)?[fFlLuU]*",
            "[.][0-9][0-9_]*([eE][-+]?[0-9]+)?[fFlLuU]?",
            AND_OR,
            "[-+*/%&|^!=<>]==?|<<=|>>=|--|[+][+]|!!|[?:.][.:]|->|[.][*]",
        ],
    ),
    ("markdown", MARKUP),
    ("php", &[NAME, NUMBER, "0[xXbB]?[0-9a-fA-F]+", OPERATORS, AND_OR, "[.]=|===|::|->"]),
    ("python", &[NAME, "[-+.0-9e]+[jJlL]?|0[xX]?[0-9a-fA-F]+[lL]?", OPERATORS, "//=?|[*][*]=?"]),
    (
        "ruby",
        &[
            "(@@?|[$])?[A-Za-z_][A-Za-z0-9_]*",
            NUMBER,
            "0[xXbB]?[0-9a-fA-F]+|[?].",
            OPERATORS,
            "//=?|===|[.]{1,3}|::|[!=]~",
        ],
    ),
    (
        "rust",
        &[
            NAME,
            "[0-9][0-9a-fA-F_iosuxz]*([.][0-9]*[eE][-+]?[0-9_fF]*|[.][0-9_fF]*)?",
            OPERATORS,
            AND_OR,
            "[:\\]=|::|->|=>|[.][.]=|[.][.][.]",
        ],
    ),
    ("scheme", &["[|]([^|\\]|\\\\.)*[|]|[^][(){} \t]+"]),
];

/// Returns the expression of a language's words.
pub(super) fn pattern_of(name: &str) -> Option<String> {
    WORDS.iter().find(|(other, _)| *other == name).map(|(_, parts)| parts.join("|"))
}

#[cfg(test)]
mod tests {
    use super::super::Driver;
    use super::*;
    use crate::words::WordRule;

    #[test]
    fn all_expressions_compile() {
        for (name, parts) in WORDS {
            assert!(Driver::named(name.as_bytes()).is_some(), "{name}");
            assert!(WordRule::matching(parts.join("|").as_bytes()).is_ok(), "{name}");
        }
    }
}
