use super::*;

#[test]
fn least_recently_used_parts_leave_first() {
    let mut files = Files::new(30);
    let id = files.found(b"pack", 100, 0);
    for offset in [0, 10, 20] {
        files.add(id, offset, vec![offset as u8; 10]).unwrap();
    }
    assert_eq!(files.source(id).run_at(5).unwrap(), [0; 5]);
    files.add(id, 30, vec![30; 10]).unwrap();
    assert!(files.source(id).run_at(10).unwrap_err().is_missing());
    assert_eq!(files.source(id).run_at(0).unwrap().len(), 10);
    assert_eq!(files.high_water(), 30);
}

#[test]
fn what_is_held_elsewhere_counts_too() {
    let mut files = Files::new(30);
    let id = files.found(b"pack", 100, 0);
    files.add(id, 0, vec![0; 20]).unwrap();
    files.hold(15).unwrap();
    assert!(files.source(id).run_at(0).unwrap_err().is_missing());
    assert_eq!(files.add(id, 0, vec![0; 16]).unwrap_err().kind(), ErrorKind::Limit);
    assert_eq!(files.hold(31).unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn a_resumed_question_remembers_which_files_are_missing() {
    let mut files = Files::new(64 * 20);
    let first = files.new_question(None);
    files.absent(b"HEAD");
    let second = files.new_question(Some(first));
    assert!(files.find(b"HEAD").unwrap_err().is_missing());
    files.resume_question(first);
    assert_eq!(files.find(b"HEAD").unwrap(), None);
    files.absent(b"HEAD");
    files.new_question(Some(second));
    files.resume_question(second);
    assert_eq!(files.find(b"HEAD").unwrap(), None);
    files.new_question(None);
    files.resume_question(second);
    assert!(files.find(b"HEAD").unwrap_err().is_missing());
    // A file that was found since then stays open.
    files.absent(b"config");
    let config = files.found(b"config", 3, 1);
    files.new_question(None);
    assert_eq!(files.find(b"config").unwrap(), Some(config));
    files.forget_later(b"config".to_vec());
    files.new_question(None);
    assert_eq!(files.take_closed(), [config]);
    // Only as many paths as there is room for.
    for path in [b"refs/heads/a", b"refs/heads/b"] {
        files.absent(path);
    }
    files.new_question(Some(second));
    files.resume_question(second);
    assert!(files.find(b"refs/heads/a").unwrap_err().is_missing());
    assert_eq!(files.find(b"refs/heads/b").unwrap(), None);
}

#[test]
fn a_fresh_look_keeps_what_did_not_change() {
    let mut files = Files::new(30);
    let id = files.found(b"HEAD", 3, 7);
    files.add(id, 0, b"abc".to_vec()).unwrap();
    files.new_question(None);
    assert_eq!(files.find(b"HEAD").unwrap(), Some(id));
    assert!(files.find_fresh(b"HEAD").unwrap_err().is_missing());
    assert_eq!(files.found(b"HEAD", 3, 7), id);
    assert_eq!(files.source(id).run_at(0).unwrap(), b"abc");
    files.new_question(None);
    assert_ne!(files.found(b"HEAD", 3, 8), id);
    assert_eq!(files.take_closed(), [id]);
    assert_eq!(files.source(id).run_at(0).unwrap_err().kind(), ErrorKind::Corrupt);
}
