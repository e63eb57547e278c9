//! What looks like the start of a function, a class or a section in each language: as git
//! answers about lines of it. `cargo run --example headings` compares both.

/// A language.
#[derive(Debug)]
pub(super) struct Language {
    pub(super) name: &'static str,
    /// An extended regular expression that headings match. What it matches is printed.
    pub(super) heading: &'static str,
    /// One that only other lines match; empty if there are none.
    pub(super) other: &'static str,
    pub(super) ignores_case: bool,
    /// Whether the blanks before a heading are printed.
    pub(super) keeps_indent: bool,
    /// Returns the part of a heading that is printed.
    pub(super) printed: fn(&[u8]) -> &[u8],
}

const PLAIN: Language = Language {
    name: "",
    heading: "",
    other: "",
    ignores_case: false,
    keeps_indent: false,
    printed: |heading| heading,
};

/// The languages whose headings are found as git finds them.
pub(super) const LANGUAGES: &[Language] = &[
    Language {
        name: "bash",
        heading: "^[ \t]*(function[ \t]+[A-Za-z_][A-Za-z0-9_]*([ \t]*[(][ \t]*[)]|[ \t]+)\
                  |[A-Za-z_][A-Za-z0-9_]*[ \t]*[(][ \t]*[)]).*$",
        ..PLAIN
    },
    Language { name: "bibtex", heading: "@[A-Za-z]+[ \t]*[{]?[ \t]*[^ \t\"#%',@\\{}~]*", ..PLAIN },
    Language {
        name: "cpp",
        heading: "^(::[ \t]*)?[A-Za-z_].*$",
        other: "^[ \t]*[A-Za-z_][A-Za-z0-9_]*:[ \t]*($|/[/*])",
        ..PLAIN
    },
    Language { name: "css", heading: "^[[@.#:]?[A-Za-z0-9_].*$", other: "[:;][ \t]*$", ..PLAIN },
    Language { name: "dts", heading: "^[ \t]*(/[ \t]*[{]|&?[A-Za-z_]).*$", other: "[;=]", ..PLAIN },
    Language {
        name: "elixir",
        heading: "^[ \t]*(def(p|module|macro|protocol|impl)?|test)[ \t].*$",
        ..PLAIN
    },
    Language {
        name: "fountain",
        heading: "^([.][^.]|(int|ext|est|int[.]?/ext|i/e)[. ]).*$",
        ignores_case: true,
        ..PLAIN
    },
    Language {
        name: "golang",
        heading: "^[ \t]*(func.*|type[ \t].*(struct|interface)[ \t]*[{]?)",
        ..PLAIN
    },
    Language { name: "html", heading: "^[ \t]*<h[1-6]([ \t].*)?>.*$", ignores_case: true, ..PLAIN },
    Language { name: "ini", heading: "^[ \t]*\\[[^]]+\\]", keeps_indent: true, ..PLAIN },
    Language {
        name: "java",
        heading:
            "^[ \t]*(([a-z-]+[ \t]+)*(class|enum|interface|record)[ \t].*\
                  |([A-Za-z_<>&][][?&<>.,A-Za-z_0-9]*[ \t]+)+[A-Za-z_][A-Za-z_0-9]*[ \t]*[(][^;]*)$",
        other: "^[ \t]*(catch|do|for|if|instanceof|new|return|switch|throw|while)",
        ..PLAIN
    },
    Language {
        name: "kotlin",
        heading: "^[ \t]*([a-z]+[ \t]+)*(fun|class|interface)[ \t].*$",
        ..PLAIN
    },
    Language { name: "markdown", heading: "^ {0,3}#{1,6}[ \t].*$", keeps_indent: true, ..PLAIN },
    Language {
        name: "perl",
        heading: "^(package .*|=head[0-9] .*\
                  |(sub [[:alnum:]_':]+[ \t]*([(][^)]*[)][ \t]*)?(:[^;#]*)?\
                  |(BEGIN|END|INIT|CHECK|UNITCHECK|AUTOLOAD|DESTROY)[ \t]*)\
                  ([{][ \t]*)?(#.*)?)$",
        printed: perl,
        ..PLAIN
    },
    Language {
        name: "php",
        heading: "^[ \t]*(((public|protected|private|static|abstract|final)[ \t]+)*function\
                  |((final|abstract)[ \t]+)?class|enum|interface|trait).*$",
        ..PLAIN
    },
    Language { name: "python", heading: "^[ \t]*(class|(async[ \t]+)?def)[ \t].*$", ..PLAIN },
    Language { name: "ruby", heading: "^[ \t]*(class|def|module)[ \t].*$", ..PLAIN },
    Language {
        name: "rust",
        heading: "^[ \t]*(pub([(][^)]+[)])?[ \t]+)?\
                  (((async|const|unsafe|extern[ \t]+\"[^\"]+\")[ \t]+)?\
                  (struct|enum|union|mod|trait|fn|impl|macro_rules!)[< \t]+[^;]*)$",
        ..PLAIN
    },
    Language {
        name: "scheme",
        heading: "^([(].*| ? [(]def.*\
                  |[ \t]+[(]((define|def)[*/ \t-]|(class|library|module|struct)[*+ \t]).*)$",
        ..PLAIN
    },
    Language { name: "tex", heading: "^\\\\((sub)*section|chapter|part)\\*?[{].*$", ..PLAIN },
];

/// git prints the prototype of a subroutine that has one, and only the name of a special block.
fn perl(heading: &[u8]) -> &[u8] {
    let count =
        |text: &[u8], is_part: fn(&u8) -> bool| text.iter().take_while(|one| is_part(one)).count();
    let Some(named) = heading.strip_prefix(b"sub ") else {
        let is_block = heading.first().is_some_and(u8::is_ascii_uppercase);
        let name = count(heading, u8::is_ascii_uppercase);
        return heading.get(..name).filter(|_| is_block).unwrap_or(heading);
    };
    let name =
        count(named, |one| one.is_ascii_alphanumeric() || !one.is_ascii() || b"_':".contains(one));
    let rest = named.get(name..).unwrap_or_default();
    let rest = rest.get(count(rest, |one| b" \t".contains(one))..).unwrap_or_default();
    let end = rest.iter().position(|one| *one == b')').filter(|_| rest.starts_with(b"("));
    let Some((prototype, after)) = end.and_then(|end| rest.split_at_checked(end.saturating_add(1)))
    else {
        return heading;
    };
    // Otherwise the colons of the name begin attributes.
    let blank = |one: u8| one == b' ' || one == b'\t';
    let mut rest = after.iter().skip_while(|one| blank(**one)).peekable();
    let has_attributes = rest.next_if(|one| **one == b':').is_some();
    rest.next_if(|one| **one == b'{');
    let end = rest.find(|one| !blank(**one));
    if has_attributes || end.is_none_or(|end| *end == b'#') {
        prototype
    } else {
        heading
    }
}
