/** The text of the pages that are loaded once the first page is shown: see views/more.ts. */
import type { FilePatch } from 'packlens'
import type { ComponentChild } from 'preact'
import { catalogue, counted } from './language'

const files = (number: number) => counted(number, { one: '# file', other: '# files' })
const lines = (number: number) => counted(number, { one: '# line', other: '# lines' })

const statuses: Readonly<Record<FilePatch['status'], string>> = {
  added: 'added',
  deleted: 'deleted',
  modified: 'modified',
  'type-changed': 'type changed',
  renamed: 'renamed',
  copied: 'copied',
}

export const pages = catalogue('pages', {
  /** The label of a text, and of the lines of a file. */
  content: 'Content',
  search: 'Search',
  author: 'Author',
  before: 'Before',
  after: 'After',

  // A file.
  filesBeside: 'Files of this revision',
  emptyFile: 'This file is empty.',
  kinds: {
    empty: 'Empty file',
    text: 'Text',
    image: 'Image',
    media: 'Sound or film',
    document: 'Document',
    binary: 'Binary file',
  },
  executable: (kind: string) => `${kind}, executable`,
  howShown: 'How the file is shown',
  preview: 'Preview',
  code: 'Code',
  wrap: 'Wrap',
  copyText: 'Copy text',
  textCopied: 'The text was copied',
  raw: 'Raw',
  inNewTab: 'In a new tab',
  noTab: 'The browser opened no tab: allow this page to, or download the file.',
  download: 'Download',
  cutTo: (size: string) => `This file is large: only its first ${size} are shown.`,
  cut: 'This file is large: only the beginning of its text is shown.',
  showAll: (size: string) => `Show all ${size}`,
  downloadRest: 'Download it to see the rest.',
  turns:
    'This text has characters that turn the direction of writing: parts of it may be in another order than they look.',
  encoding: (name: string) => `This text is in ${name}.`,
  encodings: { 'utf-16le': 'UTF-16, little-endian', 'utf-16be': 'UTF-16, big-endian' },
  unknownEncoding: 'This text is not UTF-8. It is shown as Latin-1, which may be wrong.',
  lfs: (size: string) =>
    `This is a pointer of Git LFS: the file itself, of ${size}, is not in the repository.`,
  notText: 'This is not text.',
  asBytes: (why: string, size: string) => `${why} Its first ${size} as bytes:`,
  bytes: 'Bytes',
  cannotShow: (type: string) => `This begins like ${type}, but the browser cannot show it.`,
  cannotPlay: (type: string) => `This begins like ${type}, but the browser cannot play it.`,
  openDocument: 'Open this document in the browser',
  imageSize: (type: string, width: number, height: number) =>
    `${type}, ${width} × ${height} pixels`,
  imageText: 'The content of this file',

  // Who changed the lines of a file.
  blame: 'Who last changed each line',
  blameNoText: 'This is not text: no line has an author.',
  ignores: 'Ignore revisions',
  ignoresWhich: 'The commits that .git-blame-ignore-revs lists, such as those that only format',
  walking: 'Walking back through the history…',
  older: 'older',
  newer: 'newer',
  fileBefore: 'The file before this change',

  // Links.
  symlink: 'Symbolic link',
  pointsAt: (target: ComponentChild) => ['It points at ', target, '.'],
  pointsOutside: (target: ComponentChild) => [
    'It points at ',
    target,
    ', which is outside of this repository.',
  ],
  submodule: 'Submodule',
  submoduleNote: 'This is a commit of another repository, whose files are not in this one.',
  gitmodulesUnnamed: 'The file .gitmodules does not name that repository.',
  gitmodulesFailed: (why: ComponentChild) => ['The file .gitmodules cannot be read: ', why],
  gitmodulesNoAddress: 'The file .gitmodules has no address of it.',
  notOpened: (address: ComponentChild) => [
    'Its address is ',
    address,
    ', which this page does not open.',
  ],
  newTab: (link: ComponentChild) => ['A new tab opens ', link],

  // A commit.
  facts: {
    commit: 'Commit',
    committer: 'Committer',
    parent: 'Parent',
    parents: 'Parents',
    tree: 'Tree',
    encoding: 'Encoding',
    signature: 'Signature',
  },
  cutHistory: 'The commit before this one is not in this repository, so its changes are unknown.',
  firstParent: 'compared with the first parent',
  noParent: 'none: this is where the history begins',
  missingParent: 'is not in this repository',
  browse: 'Browse the files of this commit',
  signed: 'There is one; it is not checked here',

  // Changes.
  changes: 'Changed files',
  comparing: 'Comparing…',
  changed: (number: number, done: boolean) =>
    done
      ? counted(number, { one: '# changed file', other: '# changed files' })
      : counted(number, { one: 'The first # changed file', other: 'The first # changed files' }),
  moreFiles: 'Show more files',
  files: 'Files',
  addedRemoved: (path: string, added: number, removed: number) =>
    `${path}: ${added} added, ${removed} removed`,
  layout: 'Layout of changes',
  unified: 'Unified',
  split: 'Side by side',
  statuses,
  similar: (status: string, percent: number) => `${status}, ${percent} % the same`,
  showLines: (number: number) => `Show ${lines(number)}`,
  submoduleChange: (old: ComponentChild, changed: ComponentChild) => [
    'Submodule: ',
    old ?? 'nothing',
    ' → ',
    changed ?? 'nothing',
  ],
  mode: (old: string, changed: string) => `Mode ${old} → ${changed}`,
  tooLarge: 'This is too large to compare.',
  changedLines: (path: string) => `Changed lines of ${path}`,
  noLineFeed: ' (no line feed at the end)',
  side: (name: string, size: string, isImage: boolean) =>
    `${name}: ${size}${isImage ? '' : ', not text'}`,

  // Comparisons and histories.
  compared: 'What is compared',
  sinceParted: 'since both parted',
  swap: 'Swap',
  commits: 'Commits',
  pathCommits: 'Commits that changed this path',
  noCommits: 'There are no commits here.',
  searchCommits: 'Search commits',
  message: 'Message',
  messageLabel: 'Text of the message',

  // Branches and tags.
  refs: 'Branches and tags',
  filter: 'Filter by name',
  allNames: (number: number) =>
    counted(number, { one: 'Show all # name', other: 'Show all # names' }),
  distance: 'Commits that HEAD lacks, and that only HEAD has',

  // Search in files.
  searchFiles: 'Search in files',
  searching: 'Searching… ',
  hits: (hits: number, inFiles: number, done: boolean) =>
    `${lines(hits)} in ${files(inFiles)}${done ? '.' : ' so far.'}`,
  text: 'Text',
  textLabel: 'Text to find',
  matchCase: 'Match case',
  regexp: 'Regular expression',
  binaryHit: 'This binary file matches.',

  // The dialogs.
  findLabel: 'Letters of the path',
  findHint: 'Find a file by letters of its path',
  readingNames: 'Reading the names…',
  noFile: 'No file fits.',
  keysTitle: 'Keys',
  keys: {
    t: 'find a file',
    '/': 'search in files',
    'j, k, ↓, ↑': 'next and previous entry of a list',
    h: 'the history of what is shown',
    b: 'who last changed each line of a file',
    y: 'an address that stays: the commit in place of the branch',
    u: 'the folder above',
    '?': 'these keys',
  },
  close: 'Close',

  actions: {
    fileNames: 'File names',
    blame: 'Blame',
    changes: 'Changes',
    commits: 'Commits',
    history: 'History',
    search: 'Search',
    submodule: 'Submodule',
    branches: 'Branches',
    whole: 'Whole file',
    download: 'Download',
    raw: 'Raw',
  },
})

export type PageWords = typeof pages
