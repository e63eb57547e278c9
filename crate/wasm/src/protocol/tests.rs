//! Questions that the JavaScript side never writes.

use super::questions::{begin, table};
use crate::session::Session;
use packlens::ErrorKind;

/// Returns a question for the commits of `specs`, with an order and a limit.
fn rev_list(order: u8, limit: f64, specs: &[u8]) -> Vec<u8> {
    let rev_list = table().into_iter().find(|question| question.name == "RevList");
    let mut question = vec![rev_list.unwrap().number];
    question.extend((specs.len() as u32).to_le_bytes());
    question.extend([order, 0, 0, 0, 0, 0]);
    for number in [0.0, limit, 0.0, f64::NAN, f64::NAN, f64::NAN] {
        question.extend(number.to_le_bytes());
    }
    // No paths, nothing that simplifies, no lines, no ancestry path.
    question.extend(u32::MAX.to_le_bytes());
    question.extend([0, 0]);
    question.extend(u32::MAX.to_le_bytes());
    // No oldest commit, no patterns.
    question.extend(f64::NAN.to_le_bytes());
    question.extend(u32::MAX.to_le_bytes());
    question.push(0);
    // No file to follow.
    question.extend(f64::NAN.to_le_bytes());
    // No sources.
    question.push(0);
    // No filters of objects.
    question.extend(u32::MAX.to_le_bytes());
    question.extend(specs);
    question
}

fn kind_of(question: &[u8]) -> Option<ErrorKind> {
    let mut session = Session::new(1 << 20);
    begin(&mut session, question).err().map(|error| error.kind())
}

#[test]
fn a_question_that_is_not_of_the_table_is_bad_input() {
    let whole = rev_list(2, f64::NAN, b"\x02\0\0\0ab");
    assert_eq!(kind_of(&whole), None);
    for length in 0..whole.len() {
        assert_eq!(kind_of(&whole[..length]), Some(ErrorKind::BadInput), "of {length} bytes");
    }
    let wrong = [
        rev_list(6, 0.0, b""),
        rev_list(0, -1.0, b""),
        rev_list(0, 0.0, b"\x03\0\0\0ab"),
        vec![table().len() as u8],
    ];
    for question in wrong {
        assert_eq!(kind_of(&question), Some(ErrorKind::BadInput), "{question:?}");
    }
}

#[test]
fn every_question_has_its_own_number_and_none_is_left_out() {
    let numbers: Vec<_> = table().iter().map(|question| usize::from(question.number)).collect();
    assert_eq!(numbers, (0..numbers.len()).collect::<Vec<_>>());
}
