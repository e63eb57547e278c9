//! Appends 1 GiB each of 8-byte numbers, of mixed records and of lines of ids, to vectors
//! and to packlens' output, in turns: `bench-appender [MIB]`.

mod records;
mod sinks;

use packlens::{Append, Output, Result};
use records::{Record, MOST};
use sinks::{Bytes, FallibleFields, Fields};
use std::hint::black_box;
use std::time::Instant;

/// Numbers and records in a batch, after which the buffer is used again: a quarter of a MiB.
const NUMBERS: u64 = 32 << 10;
const RECORDS: usize = 5 << 10;

/// How much each variant appends before it is the next one's turn.
const TURN: usize = 8 << 20;

/// Appends a batch and shows it.
type Variant<'a> = (&'static str, Box<dyn FnMut(&mut dyn FnMut(&[u8])) -> Result<()> + 'a>);

fn main() {
    let mut args = std::env::args().skip(1);
    let total = args.next().map_or(1024, |text| text.parse::<usize>().unwrap()) << 20;
    let records = records::records();
    print_table("8-byte numbers", total, &mut numbers());
    print_table("mixed records", total, &mut mixed(&records));
    print_table("lines of ids", total, &mut lines(&records));
}

#[inline]
fn write_numbers(to: &mut impl Append) -> Result<()> {
    (0..NUMBERS).try_for_each(|n| to.u64(n.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
}

#[inline]
fn write_records(records: &[Record], to: &mut impl Append) -> Result<()> {
    records.iter().cycle().take(RECORDS).try_for_each(|record| record.write(to))
}

fn numbers<'a>() -> Vec<Variant<'a>> {
    let mut fields = Fields::default();
    let mut bytes = Bytes::default();
    let mut fallible = FallibleFields::default();
    let [mut checked, mut each, mut whole] = [(); 3].map(|()| Output::default());
    vec![
        (
            "Vec, a field at a time",
            Box::new(move |show| {
                fields.0.clear();
                write_numbers(&mut fields)?;
                Ok(show(&fields.0))
            }),
        ),
        (
            "Vec, a byte at a time",
            Box::new(move |show| {
                bytes.0.clear();
                write_numbers(&mut bytes)?;
                Ok(show(&bytes.0))
            }),
        ),
        (
            "Vec, a field at a time, no memory is an error",
            Box::new(move |show| {
                fallible.0.clear();
                write_numbers(&mut fallible)?;
                Ok(show(&fallible.0))
            }),
        ),
        (
            "a new Vec for each batch",
            Box::new(move |show| {
                let mut fields = Fields::default();
                write_numbers(&mut fields)?;
                Ok(show(&fields.0))
            }),
        ),
        (
            "appender, checked",
            Box::new(move |show| {
                checked.truncate(0);
                write_numbers(&mut checked.appender())?;
                Ok(show(checked.as_slice()))
            }),
        ),
        (
            "appender, reserved for each number",
            Box::new(move |show| {
                each.truncate(0);
                let mut to = each.appender();
                for n in 0..NUMBERS {
                    to.reserved(8, |to| to.u64(n.wrapping_mul(0x9e37_79b9_7f4a_7c15)))?;
                }
                drop(to);
                Ok(show(each.as_slice()))
            }),
        ),
        (
            "appender, reserved for the batch",
            Box::new(move |show| {
                whole.truncate(0);
                whole.appender().reserved(NUMBERS as usize * 8, |to| write_numbers(to))?;
                Ok(show(whole.as_slice()))
            }),
        ),
    ]
}

fn mixed(records: &[Record]) -> Vec<Variant<'_>> {
    let mut fields = Fields::default();
    let mut bytes = Bytes::default();
    let mut fallible = FallibleFields::default();
    let [mut checked, mut each, mut whole] = [(); 3].map(|()| Output::default());
    vec![
        (
            "Vec, a field at a time",
            Box::new(move |show| {
                fields.0.clear();
                write_records(records, &mut fields)?;
                Ok(show(&fields.0))
            }),
        ),
        (
            "Vec, a byte at a time",
            Box::new(move |show| {
                bytes.0.clear();
                write_records(records, &mut bytes)?;
                Ok(show(&bytes.0))
            }),
        ),
        (
            "Vec, a field at a time, no memory is an error",
            Box::new(move |show| {
                fallible.0.clear();
                write_records(records, &mut fallible)?;
                Ok(show(&fallible.0))
            }),
        ),
        (
            "a new Vec for each batch",
            Box::new(move |show| {
                let mut fields = Fields::default();
                write_records(records, &mut fields)?;
                Ok(show(&fields.0))
            }),
        ),
        (
            "appender, checked",
            Box::new(move |show| {
                checked.truncate(0);
                write_records(records, &mut checked.appender())?;
                Ok(show(checked.as_slice()))
            }),
        ),
        (
            "appender, reserved for each record",
            Box::new(move |show| {
                each.truncate(0);
                let mut to = each.appender();
                for record in records.iter().cycle().take(RECORDS) {
                    to.reserved(MOST, |to| record.write(to))?;
                }
                drop(to);
                Ok(show(each.as_slice()))
            }),
        ),
        (
            "appender, reserved for the batch",
            Box::new(move |show| {
                whole.truncate(0);
                whole.appender().reserved(RECORDS * MOST, |to| write_records(records, to))?;
                Ok(show(whole.as_slice()))
            }),
        ),
    ]
}

/// The ids of commits, as `rev-list` and the listing of a bitmap hand them over.
fn lines(records: &[Record]) -> Vec<Variant<'_>> {
    const LINE: usize = 41;
    let ids = || records.iter().cycle().take(RECORDS);
    let [mut each, mut one, mut whole] = [(); 3].map(|()| Output::default());
    vec![
        (
            "an appender for each line",
            Box::new(move |show| {
                each.truncate(0);
                for record in ids() {
                    record.write_line(each.appender().space(LINE)?);
                }
                Ok(show(each.as_slice()))
            }),
        ),
        (
            "an appender for the page",
            Box::new(move |show| {
                one.truncate(0);
                let mut to = one.appender();
                for record in ids() {
                    record.write_line(to.space(LINE)?);
                }
                drop(to);
                Ok(show(one.as_slice()))
            }),
        ),
        (
            "reserved for the page",
            Box::new(move |show| {
                whole.truncate(0);
                let mut to = whole.appender();
                for (line, record) in to.space(LINE * RECORDS)?.chunks_exact_mut(LINE).zip(ids()) {
                    record.write_line(line);
                }
                drop(to);
                Ok(show(whole.as_slice()))
            }),
        ),
    ]
}

/// Makes sure that all variants append the same, then lets each append `total`
/// bytes and prints how long that takes: by the best of its turns, since this machine may
/// have other things to do.
fn print_table(what: &str, total: usize, variants: &mut [Variant<'_>]) {
    let mut expected: Option<Vec<u8>> = None;
    for (name, append) in variants.iter_mut() {
        let mut made = Vec::new();
        append(&mut |batch| made = batch.to_vec()).unwrap();
        let same = *expected.get_or_insert_with(|| made.clone()) == made;
        assert!(same, "{name}: something else was appended");
    }
    let length = expected.map_or(0, |batch| batch.len());
    let batches = TURN / length;
    let turns = total.div_ceil(batches * length);
    let mut times = vec![Vec::new(); variants.len()];
    for _ in 0..turns {
        for ((_, append), times) in variants.iter_mut().zip(&mut times) {
            let start = Instant::now();
            for _ in 0..batches {
                append(&mut |batch| _ = black_box(batch)).unwrap();
            }
            times.push(start.elapsed().as_secs_f64());
        }
    }
    let seconds = times.iter().map(|times| {
        let best = times.iter().copied().fold(f64::MAX, f64::min);
        best * total as f64 / (batches * length) as f64
    });
    let seconds: Vec<f64> = seconds.collect();
    println!("\n| {} MiB of {what} | seconds | ratio |\n| --- | --- | --- |", total >> 20);
    for ((name, _), time) in variants.iter().zip(&seconds) {
        println!("| {name} | {time:.2} | {:.2} |", time / seconds[0]);
    }
}
