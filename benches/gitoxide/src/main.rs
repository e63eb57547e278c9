//! Does the jobs of `npm run bench` with gitoxide, each in one thread:
//!
//! `gitoxide-bench JOB REPOSITORY [ARG...]`
//!
//! With `BENCH_CHECK` set, answers go to standard output as git prints them.
//! Otherwise they are counted, and the count goes to the file `BENCH_REPORT`.
mod deliver;

use deliver::Delivery;
use gix::objs::FindExt;
use gix_pack::index::traverse::{with_index, SafetyCheck};
use std::error::Error;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

type Outcome = Result<(), Box<dyn Error>>;

/// The default of C git.
const PACK_CACHE: usize = 96 << 20;

fn main() -> Outcome {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let (job, repository, rest) = match args.as_slice() {
        [job, repository, rest @ ..] => (job.as_str(), repository.as_str(), rest),
        _ => return Err("usage: gitoxide-bench JOB REPOSITORY [ARG...]".into()),
    };
    let mut to = Delivery::from_environment();
    match (job, rest) {
        ("whole-pack", []) => to = whole_packs(repository, to)?,
        ("index-pack", [pack, folder]) => index_pack(pack, folder, &mut to)?,
        _ => read(job, &open(repository)?, rest, &mut to)?,
    }
    to.finish()?;
    Ok(())
}

fn open(path: &str) -> Result<gix::Repository, Box<dyn Error>> {
    let mut repo = gix::open_opts(path, gix::open::Options::isolated())?;
    repo.objects
        .set_pack_cache(|| Box::new(gix_pack::cache::lru::MemoryCappedHashmap::new(PACK_CACHE)));
    Ok(repo)
}

fn read(job: &str, repo: &gix::Repository, args: &[String], to: &mut Delivery) -> Outcome {
    match (job, args) {
        ("first-blob", [spec]) => {
            let object = repo.rev_parse_single(spec.as_str())?.object()?;
            to.text(&object.data)?;
        }
        ("requests", [list]) => {
            let mut buffer = Vec::new();
            for line in std::fs::read_to_string(list)?.lines() {
                let id = gix::ObjectId::from_hex(line.as_bytes())?;
                let object = repo.objects.find(&id, &mut buffer)?;
                to.object(&id, object.kind, object.data)?;
            }
        }
        ("ls-tree", []) => {
            let mut recorder = gix::traverse::tree::Recorder::default();
            repo.head_tree()?.traverse().depthfirst(&mut recorder)?;
            for entry in recorder.records.iter().filter(|entry| !entry.mode.is_tree()) {
                let kind = if entry.mode.is_commit() { "commit" } else { "blob" };
                to.text(format!("{:06o} {kind} {}\t", entry.mode, entry.oid).as_bytes())?;
                to.text(&entry.filepath)?;
                to.text(b"\0")?;
            }
        }
        ("rev-list", []) => {
            for id in commits(repo)? {
                to.text(format!("{}\n", id?).as_bytes())?;
            }
        }
        ("count", []) => to.text(format!("{}\n", commits(repo)?.count()).as_bytes())?,
        ("merge-base", [one, two]) => {
            let id = |hex: &str| gix::ObjectId::from_hex(hex.as_bytes());
            let base = repo.merge_base(id(one)?, id(two)?)?.ok_or("no merge base")?;
            to.text(format!("{base}\n").as_bytes())?;
        }
        _ => return Err(format!("no job '{job}' with {} arguments", args.len()).into()),
    }
    Ok(())
}

type Ids<'a> = Box<dyn Iterator<Item = Result<gix::ObjectId, Box<dyn Error>>> + 'a>;

/// The commits of `HEAD` in git's order, by the commit-graph if there is one.
fn commits(repo: &gix::Repository) -> Result<Ids<'_>, Box<dyn Error>> {
    use gix::revision::walk::Sorting;
    use gix::traverse::commit::simple::CommitTimeOrder::NewestFirst;
    let walk = repo
        .rev_walk([repo.head_id()?.detach()])
        .sorting(Sorting::ByCommitTime(NewestFirst))
        .all()?;
    Ok(Box::new(walk.map(|info| Ok(info?.id))))
}

/// Reads every object of every pack, bases before their deltas.
fn whole_packs(repository: &str, to: Delivery) -> Result<Delivery, Box<dyn Error>> {
    let shared = Arc::new(Mutex::new(to));
    for entry in std::fs::read_dir(format!("{repository}/objects/pack"))? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != "idx") {
            continue;
        }
        let bundle = gix_pack::Bundle::at(&path, gix::hash::Kind::Sha1)?;
        let target = Arc::clone(&shared);
        bundle.index.traverse_with_index(
            &bundle.pack,
            move |kind, data, entry, _| {
                let mut to = target.lock().expect("there is one thread");
                to.object(&entry.oid, kind, data).expect("the output is there");
                Ok(())
            },
            &mut gix::progress::Discard,
            &AtomicBool::default(),
            with_index::Options {
                thread_limit: Some(1),
                check: SafetyCheck::SkipFileAndObjectChecksumVerification,
                alloc_limit_bytes: None,
            },
        )?;
    }
    let shared = Arc::into_inner(shared).ok_or("a thread is still there")?;
    Ok(shared.into_inner()?)
}

/// Writes pack and index into a folder, and delivers the index.
fn index_pack(pack: &str, folder: &str, to: &mut Delivery) -> Outcome {
    let mut input = std::io::BufReader::new(std::fs::File::open(pack)?);
    std::fs::create_dir_all(folder)?;
    let outcome = gix_pack::Bundle::write_to_directory(
        &mut input,
        Some(folder.as_ref()),
        &mut gix::progress::Discard,
        &AtomicBool::default(),
        None::<gix::odb::Handle>,
        gix::hash::Kind::Sha1,
        gix_pack::bundle::write::Options { thread_limit: Some(1), ..Default::default() },
    )?;
    to.text(&std::fs::read(outcome.index_path.ok_or("no index was written")?)?)?;
    std::fs::remove_dir_all(folder)?;
    Ok(())
}
