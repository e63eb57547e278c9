//! Inflates every entry of a pack with each engine, in turn, and prints how long
//! that took: `bench-inflate PACK INDEX [ROUNDS]`.

mod engines;
mod pack;

use engines::Engine;
use pack::Entry;
use std::time::Instant;

/// Streams up to so many bytes stand together in one column.
const SIZES: [usize; 4] = [64, 1024, 16 << 10, usize::MAX];

/// The bytes that one engine inflates before the next one's turn.
const TURN: usize = 3_000_000;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, pack, index, rounds @ ..] = args.as_slice() else {
        println!("usage: bench-inflate PACK INDEX [ROUNDS]");
        return;
    };
    let rounds: usize = rounds.first().map_or(5, |text| text.parse().unwrap());
    let pack = std::fs::read(pack).unwrap();
    let mut entries = pack::entries(&pack, &std::fs::read(index).unwrap());
    let bytes: usize = entries.iter().map(|entry| entry.size).sum();
    println!("{} streams, {bytes} bytes", entries.len());

    let mut out = vec![0; entries.iter().map(|entry| entry.size).max().unwrap_or(0) + 512];
    let mut engines = engines::all();
    let answers = digest(engines.first_mut().unwrap().as_mut(), &pack, &entries, &mut out);
    engines.retain_mut(|engine| {
        let same = digest(engine.as_mut(), &pack, &entries, &mut out) == answers;
        if !same {
            println!("{}: another answer than the rest", engine.name());
        }
        same && answers.is_some()
    });

    entries.sort_by_key(|entry| class(entry.size));
    let turns = turns(&entries);
    let mut times = vec![vec![f64::MAX; turns.len()]; engines.len()];
    for _ in 0..rounds {
        for (at, turn) in turns.iter().enumerate() {
            for (engine, times) in engines.iter_mut().zip(&mut times) {
                let start = Instant::now();
                for entry in *turn {
                    inflate(engine.as_mut(), &pack, entry, &mut out);
                }
                times[at] = times[at].min(start.elapsed().as_secs_f64());
            }
        }
    }
    print_table(&engines, &times, &turns);
}

/// Cuts the entries into turns of about 10 ms, each with sizes of one class: what
/// else the machine does then spoils a turn or two, not the figures.
fn turns(entries: &[Entry]) -> Vec<&[Entry]> {
    let mut bytes = 0;
    let same_turn = |a: &Entry, b: &Entry| {
        bytes += a.size + 100;
        let same = bytes < TURN && class(a.size) == class(b.size);
        bytes = if same { bytes } else { 0 };
        same
    };
    entries.chunk_by(same_turn).collect()
}

fn class(size: usize) -> usize {
    SIZES.iter().position(|most| size <= *most).unwrap()
}

fn inflate(engine: &mut dyn Engine, pack: &[u8], entry: &Entry, out: &mut [u8]) -> Option<usize> {
    let extent = entry.end - entry.start;
    engine.inflate(&pack[entry.start..], extent, &mut out[..entry.size])
}

/// Returns a sum over all content, if every stream ended where it must.
fn digest(engine: &mut dyn Engine, pack: &[u8], entries: &[Entry], out: &mut [u8]) -> Option<u64> {
    let mut sum = 0u64;
    for entry in entries {
        out[..entry.size].fill(0xa5);
        let end = inflate(engine, pack, entry, out)?;
        if end != entry.end - entry.start {
            return None;
        }
        let adler = simd_adler32::adler32(&&out[..entry.size]);
        sum = sum.rotate_left(1).wrapping_add(u64::from(adler)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    Some(sum)
}

/// The best of each turn, added up: as MB/s of all, as a ratio to the first engine,
/// and as nanoseconds a stream by its size.
fn print_table(engines: &[Box<dyn Engine>], times: &[Vec<f64>], turns: &[&[Entry]]) {
    let bytes: usize = turns.iter().flat_map(|turn| *turn).map(|entry| entry.size).sum();
    println!("| engine | MB/s | time | to 64 bytes | to 1 KiB | to 16 KiB | more |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let total = |times: &[f64]| times.iter().sum::<f64>();
    let first = total(&times[0]);
    for (engine, times) in engines.iter().zip(times) {
        let nanoseconds = |at: usize| {
            let of_class = turns.iter().zip(times).filter(|(turn, _)| class(turn[0].size) == at);
            let (count, time) =
                of_class.fold((0, 0.0), |(n, sum), (turn, time)| (n + turn.len(), sum + time));
            format!("{:.0} ns", time / count as f64 * 1e9)
        };
        let by_size: Vec<String> = (0..SIZES.len()).map(nanoseconds).collect();
        println!(
            "| {} | {:.0} | {:.2} | {} |",
            engine.name(),
            bytes as f64 / total(times) / 1e6,
            total(times) / first,
            by_size.join(" | ")
        );
    }
}
