//! Generates the JavaScript side of the table, `js/src/base/protocol.ts` and, of questions that
//! only the full module answers, `protocol-full.ts`; a test compares them.

use super::field::{Declared, Shape, OBJECT_TYPES};
use super::questions::table;
use crate::answers::ANSWER_FLAGS;
use crate::status::STATUS;
use crate::READ_FIELDS;
use packlens::{
    Availability, ConfigRecord, ConfigScope, ErrorKind, FindingLevel, FsckPhase, FsckRecord,
    Garbage, GrepRecord, IndexRecord, NeedKind, PatchKind, RowKind, SkippedWhy, Stats,
    StatusRecord, CHANGE_RECORDS, PACK_FILES, ROW_FLAGS, ROW_HEADER_LEN,
};
use std::fmt::Write;

/// A question of the table.
pub(super) struct Question {
    pub(super) number: u8,
    pub(super) name: &'static str,
    /// The part of the package that answers: `reader`, `full` or `rest`.
    pub(super) module: &'static str,
    /// `pages` or `at_once`.
    pub(super) answered: &'static str,
    pub(super) docs: &'static [&'static str],
    pub(super) fields: &'static [Declared],
}

impl Question {
    /// Returns the fields in the order of their encoding, with those of groups.
    fn fields(&self) -> Vec<Declared> {
        let mut all = Vec::new();
        for field in self.fields {
            match field.1 {
                Shape::Group(fields) => all.extend(fields),
                _ => all.push(*field),
            }
        }
        all
    }
}

const HEAD: &str = "\
/**
 * What the core is asked, as it reads it. Made from `crate/wasm/src/protocol` by
 * `npm run protocol`: changes belong there.
 */

";

/// Returns the text of `js/src/base/protocol.ts`.
fn module() -> String {
    let mut text = HEAD.to_string();
    for question in table() {
        text += &interface(question);
    }
    text += &union("/** A question that is answered in pages. */", "LongQuestion", "pages");
    text += &union("/** A question that is answered at once. */", "ShortQuestion", "at_once");
    text += "/** The number of each question that the reader answers, and its fields. */\n";
    text += &questions("QUESTIONS", &["reader"]);
    text += "\n";
    text += &numbers();
    text
}

/// Returns the text of `js/src/base/protocol-full.ts`.
fn full_module() -> String {
    let docs = "/** As `QUESTIONS`, of those that only the full module answers. */\n";
    let lists: [(&str, &str, &[&str]); 6] = [
        ("The records of a configuration.", "CONFIG_RECORDS", ConfigRecord::WORDS),
        ("The files that variables come from, by number.", "CONFIG_SCOPES", ConfigScope::WORDS),
        ("Why a file is not included, by number.", "SKIPPED_WHY", SkippedWhy::WORDS),
        ("The records of a search.", "GREP_RECORDS", GrepRecord::WORDS),
        ("The records of a status.", "STATUS_RECORDS", StatusRecord::WORDS),
        ("Why files are garbage, by number.", "GARBAGE", Garbage::WORDS),
    ];
    format!("{HEAD}{docs}{}{}", questions("FULL_QUESTIONS", &["full", "rest"]), word_lists(&lists))
}

/// Returns the declarations of lists of words: what each is, its name and the words.
fn word_lists(lists: &[(&str, &str, &[&str])]) -> String {
    lists.iter().fold(String::new(), |text, (doc, name, words)| {
        let words = words.iter().fold(String::new(), |all, word| format!("{all}  '{word}',\n"));
        format!("{text}\n/** {doc} */\nexport const {name} = [\n{words}] as const\n")
    })
}

/// Returns the table of the questions that parts of the package answer.
fn questions(name: &str, parts: &[&str]) -> String {
    let mut text = format!("export const {name} = {{\n");
    for question in table().into_iter().filter(|question| parts.contains(&question.module)) {
        let _ = write!(text, "  {}: [", camel(question.name));
        if question.fields.is_empty() {
            let _ = writeln!(text, "{}],", question.number);
            continue;
        }
        let _ = write!(text, "\n    {},", question.number);
        for (name, shape, _) in question.fields() {
            let words =
                words(shape).iter().fold(String::new(), |all, word| format!("{all}, '{word}'"));
            let _ = write!(text, "\n    ['{}', '{}'{words}],", camel(name), kind(shape));
        }
        text += "\n  ],\n";
    }
    text + "} as const\n"
}

/// The bits of a byte by their words.
type Bits<'a> = &'a [(&'static str, u8)];

/// Returns the declarations of the numbers that both sides share.
fn numbers() -> String {
    let mut text = "/** How a question ended. */\nexport const Status = {\n".to_string();
    for (word, number) in STATUS {
        let _ = writeln!(text, "  {word}: {number},");
    }
    text += "} as const\n";
    let counters: Vec<_> = Stats::NAMES.iter().map(|name| camel(name)).collect();
    let counters: Vec<_> = counters.iter().map(String::as_str).collect();
    let lists: [(&str, &str, &[&str]); 12] = [
        ("What errors are, by their numbers.", "ERROR_CODES", ErrorKind::WORDS),
        ("What is needed, by its number.", "NEEDS", NeedKind::WORDS),
        ("The counters, in their order.", "COUNTERS", &counters),
        ("The records of an index that is made.", "INDEX_RECORDS", IndexRecord::WORDS),
        ("The records of a check.", "FSCK_RECORDS", FsckRecord::WORDS),
        ("What a check is at.", "FSCK_PHASES", FsckPhase::WORDS),
        ("How much findings weigh.", "FINDING_LEVELS", FindingLevel::WORDS),
        ("Types of objects; their numbers begin with 1.", "OBJECT_TYPES", OBJECT_TYPES),
        ("What rows are, by their numbers.", "ROW_KINDS", RowKind::WORDS),
        ("Whether a ref can be created, by number.", "AVAILABILITIES", Availability::WORDS),
        ("What a patch has of a file, by number.", "PATCH_KINDS", PatchKind::WORDS),
        ("What a record of a change is, by number.", "CHANGE_RECORDS", CHANGE_RECORDS),
    ];
    let pack_files = PACK_FILES.map(|(word, _, bit)| (word, bit));
    let flags: [(&str, &str, Bits); 4] = [
        ("The fields that `read` can output, by their bits.", "ReadField", &READ_FIELDS),
        ("The flags of `answer`, by their bits.", "AnswerFlag", &ANSWER_FLAGS),
        ("The flags of a row, by their bits.", "RowFlag", &ROW_FLAGS),
        ("The files beside a pack, by their bits.", "PackFile", &pack_files),
    ];
    for (doc, name, bits) in flags {
        let bits =
            bits.iter().fold(String::new(), |all, (word, bit)| format!("{all}  {word}: {bit},\n"));
        let _ = write!(text, "\n/** {doc} */\nexport const {name} = {{\n{bits}}} as const\n");
    }
    let _ = write!(text, "\n/** The bytes of a row's header. */\n");
    let _ = writeln!(text, "export const ROW_HEADER_SIZE = {ROW_HEADER_LEN}");
    text + &word_lists(&lists)
}

fn union(doc: &str, name: &str, answered: &str) -> String {
    let all = table().into_iter().filter(|question| question.answered == answered);
    let names = all.map(|question| format!("  | {}Question\n", question.name));
    format!("{doc}\nexport type {name} =\n{}\n", names.collect::<String>())
}

fn interface(question: &Question) -> String {
    let mut text = comment("", question.docs);
    let _ = writeln!(text, "export interface {}Question {{", question.name);
    let _ = writeln!(text, "  readonly kind: '{}'", camel(question.name));
    for (name, shape, docs) in question.fields() {
        text += &comment("  ", docs);
        let (name, of) = (camel(name), type_of(shape));
        let _ = match is_required(shape) {
            true => writeln!(text, "  readonly {name}: {of}"),
            false => writeln!(text, "  readonly {name}?: {of} | undefined"),
        };
    }
    text + "}\n\n"
}

fn comment(indent: &str, docs: &[&str]) -> String {
    match docs {
        [] => String::new(),
        [line] => format!("{indent}/**{line} */\n"),
        lines => {
            let lines = lines.iter().map(|line| format!("{indent} *{line}\n"));
            format!("{indent}/**\n{}{indent} */\n", lines.collect::<String>())
        }
    }
}

fn kind(shape: Shape) -> &'static str {
    match shape {
        Shape::Flag => "flag",
        Shape::Choice(_) => "choice",
        Shape::Set(_) | Shape::MaybeSet(_) => "set",
        Shape::Number | Shape::NumberOrNone => "number",
        Shape::Bytes | Shape::BytesOrNone => "bytes",
        Shape::TextOrNone => "text",
        Shape::Names | Shape::NamesOrNone => "names",
        Shape::Group(_) => unreachable!("`fields` has the fields of groups"),
    }
}

fn words(shape: Shape) -> &'static [&'static str] {
    match shape {
        Shape::Choice(words) | Shape::Set(words) | Shape::MaybeSet(words) => words,
        // The value of a number that is not given.
        Shape::Number => &["0"],
        _ => &[],
    }
}

fn type_of(shape: Shape) -> String {
    let quoted = |words: &[&str]| {
        let quoted: Vec<_> = words.iter().map(|word| format!("'{word}'")).collect();
        quoted.join(" | ")
    };
    match shape {
        Shape::Flag => "boolean".to_string(),
        Shape::Choice(words) => quoted(words),
        Shape::Set(words) | Shape::MaybeSet(words) => format!("readonly ({})[]", quoted(words)),
        Shape::Number | Shape::NumberOrNone => "number".to_string(),
        Shape::Bytes | Shape::BytesOrNone | Shape::TextOrNone => "string | Uint8Array".to_string(),
        Shape::Names | Shape::NamesOrNone => "Uint8Array".to_string(),
        Shape::Group(_) => unreachable!("`fields` has the fields of groups"),
    }
}

/// Returns whether a field has no value that means "not given".
fn is_required(shape: Shape) -> bool {
    matches!(shape, Shape::Set(_) | Shape::Bytes | Shape::Names)
}

/// Returns a name in camel case.
fn camel(name: &str) -> String {
    let mut text = String::new();
    for (at, part) in name.split('_').enumerate() {
        let mut letters = part.chars();
        let first = letters.next().into_iter();
        match at {
            0 => text.extend(first.flat_map(char::to_lowercase)),
            _ => text.extend(first.flat_map(char::to_uppercase)),
        }
        text.extend(letters);
    }
    text
}

#[test]
fn the_other_side_is_up_to_date() {
    for (file, made) in [("protocol.ts", module()), ("protocol-full.ts", full_module())] {
        let path = format!("{}/../../js/src/base/{file}", env!("CARGO_MANIFEST_DIR"));
        if std::env::var_os("PACKLENS_UPDATE").is_some() {
            std::fs::write(&path, &made).unwrap();
        }
        let text = std::fs::read_to_string(path).unwrap();
        assert!(text == made, "js/src/base/{file} is not what the table says: npm run protocol");
    }
}
