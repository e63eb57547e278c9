// Which of git's test scripts ask what packlens answers, by subject.

export const SUBJECTS = {
  log: /^t420[1-9]|^t421[0-9]/,
  diff: /^t40[0-7]\d/,
  archive: /^t500[0-4]/,
  'rev-list': /^t60[01]\d|^t602[12]|^t6040|^t6050|^t61[01]\d|^t6130|^t613[1-367]/,
  describe: /^t6120/,
  refs: /^t630[0-2]/,
  grep: /^t781[0-6]/,
  blame: /^t80(0[1-689]|1[1-5])/,
  'last-modified': /^t8020/,
}

/** Scripts of other commands among those. */
const OTHER = /format-patch|external|no-index|remerge|diff-pairs|t4026|t4204/

export const subjectOf = (name) =>
  OTHER.test(name) ? undefined : Object.keys(SUBJECTS).find((one) => SUBJECTS[one].test(name))
