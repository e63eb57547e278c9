/**
 * The text of the first page, a folder, and of all that is loaded with it. Its errors are in
 * errors.ts. Each language has an object of the same type: see docs/viewer.md.
 */
import type { ComponentChild } from 'preact'
import { catalogue, counted, formatNumber } from './language'

const branches = (number: number) => counted(number, { one: '# branch', other: '# branches' })
const commits = (number: number) => counted(number, { one: '# commit', other: '# commits' })
const entries = (number: number) => counted(number, { one: '# entry', other: '# entries' })
const objects = (number: number) => counted(number, { one: '# object', other: '# objects' })

export const first = catalogue('first', {
  skip: 'Skip to the content',
  dismiss: 'Dismiss',
  about: 'A look into a git repository, in the browser.',
  language: 'Language',
  reading: 'Reading…',
  loading: 'Loading…',
  more: 'Load more',
  stop: 'Stop',
  noMessage: '(no message)',
  nobody: 'nobody',
  /** After the name of a branch. */
  isHead: ' (HEAD)',

  // Opening.
  openAnother: 'Open another repository',
  openFolder: 'Open a folder…',
  openPack: 'Open a pack, bundle or zip…',
  openAddress: 'Open by address',
  addressHint: 'https://…/project.git',
  address: 'Address of a repository',
  open: 'Open',
  orDrop: 'or drop one of these',
  /** In browsers without the dialog that lets a page keep a folder. */
  keepsNoFolder:
    'This browser keeps no folder, and calls opening one an upload: nothing is uploaded.',
  folderInput: 'Folder of a repository',
  packInput: 'Pack and index',
  drop: 'Drop a folder with a repository, a zip file of one, a bundle, or a .pack file with its .idx file',
  recent: 'Recently opened',
  recentHint: 'Recently opened…',
  showsFolder: (name: ComponentChild) => ['This page shows the folder ', name],
  asksBefore: 'The browser asks you before it lets the page read the folder again.',
  openAgain: 'Open it again',
  cancel: 'Cancel',
  opening: (name: ComponentChild, step: string | null) => [
    'Opening ',
    name,
    step === null ? '…' : `: ${step}`,
  ],
  still: (step: string) => `Still ${step}`,
  progress: { index: 'Index', tips: 'Newest commits', unpack: 'Unpacked' },
  steps: {
    server: 'asking its server what it has',
    names: (done: number) =>
      counted(done, {
        one: 'reading its # name so far',
        other: 'reading its # names so far',
      }),
    refs: (done: number) => `reading its branches and tags, ${formatNumber(done)} so far`,
    unpack: (done: string, total: string) => `unpacking it, ${done} of ${total}`,
    index: (done: number, total: number) =>
      `making its index, ${formatNumber(done)} of ${objects(total)}`,
    tipsSoFar: (done: number) => `looking for its newest commits among ${objects(done)} so far`,
    tips: (done: number, total: number) =>
      `looking for its newest commits, ${formatNumber(done)} of ${objects(total)}`,
  },
  received: (requests: number, size: string) =>
    `${counted(requests, { one: '# request', other: '# requests' })}, ${size} received`,
  receivedOf: (requests: number, size: string, total: string) =>
    `${counted(requests, { one: '# request', other: '# requests' })}, ${size} of ${total} received`,

  // What a repository is called, and what its source is.
  repository: 'repository',
  packs: (number: number) => counted(number, { one: '# pack', other: '# packs' }),
  embedded: {
    history: "this project's own history, packed for this page",
    sample: 'a small repository with odd corners, bundled for where there is no history to pack',
  },
  fromFolder: 'a folder, read from this computer; nothing is uploaded',
  fromBundle: 'a bundle, indexed here, read from this computer; nothing is uploaded',
  fromIndexed: 'a pack with its index, read from this computer; nothing is uploaded',
  fromPack: 'a pack, indexed here, read from this computer; nothing is uploaded',
  fromZip: 'a zip file, read from this computer; nothing is uploaded',
  fromServer: (host: string) => `read from ${host}, only the parts that are needed`,

  // Refs.
  refLabel: 'Branch or tag',
  branches: 'Branches',
  tags: 'Tags',
  remotes: 'Remote branches',
  tips: 'Newest commits: a pack has no branches',
  otherRefs: 'Other refs',
  counts: {
    branches,
    tags: (number: number) => counted(number, { one: '# tag', other: '# tags' }),
    remotes: (number: number) =>
      counted(number, { one: '# remote branch', other: '# remote branches' }),
  },
  commitCalled: (id: string) => `commit ${id}`,
  unborn: (branch: string) => `${branch} (HEAD, no commits yet)`,
  detached: (id: string) => `HEAD, detached at ${id}`,
  noCommits: 'No commits yet',
  empty: 'This repository is empty. ',
  emptyPack: 'This pack holds no commits.',
  firstCommit: (branch: ComponentChild) => [
    branch,
    ' is the name of the branch that the first commit will make.',
  ],
  thereAreRefs: (number: number) =>
    counted(number, { one: 'There is # other ref:', other: 'There are # other refs:' }),

  // The titles of pages.
  titles: {
    files: (name: string) => name,
    blame: (name: string) => `Blame of ${name}`,
    history: (name: string) => `History of ${name}`,
    search: (name: string) => `Search in ${name}`,
    commit: (id: string) => `Commit ${id}`,
    commitFiles: 'Files of a commit',
    refs: 'Branches and tags',
    compare: (old: string, changed: string) => `${old} and ${changed}`,
  },
  path: 'Path',
  views: 'Views of this path',
  tabs: { code: 'Code', files: 'Files', blame: 'Blame', history: 'History', search: 'Search' },
  tag: (name: string) => `Tag ${name}`,
  tagTitle: (name: ComponentChild) => ['Tag ', name],
  noTagger: 'no tagger',
  copy: 'Copy',
  copied: 'Copied',
  ids: {
    object: { copy: 'Copy the id', copied: 'The id was copied' },
    commit: { copy: 'Copy the commit id', copied: 'The commit id was copied' },
    tag: { copy: 'Copy the tag id', copied: 'The tag id was copied' },
  },

  // A folder.
  files: 'Files',
  entries,
  allEntries: (number: number) => `Show all ${entries(number)}`,
  emptyFolder: 'This folder is empty.',
  columns: { name: 'Name', change: 'Last change', date: 'Date', size: 'Size' },
  toFiles: 'Go to the files',
  pathHistory: 'The history of this path',
  up: 'Up to the folder above',
  kinds: { submodule: 'submodule', symlink: 'symlink', executable: 'executable' },
  zip: 'Download zip',
  stopZip: (progress: string) => `Stop (${progress})`,
  history: 'History',
  newest: 'Newest commits',
  commits,
  allCommits: (number: number) => `${commits(number)}: these are all.`,
  shallow: (number: number) =>
    `${commits(number)}. What came before is not in this repository: it may be a shallow clone.`,

  find: 'Find a file',

  // The line at the bottom.
  whatWasRead: 'What was read',
  inTotal: 'In total',
  alsoRead: (size: string) => ` · ${size} read`,
  read: (size: string) => `${size} read`,
  readOf: (size: string, total: string) => `${size} of ${total} read`,
  details: 'Details',
  actions: {
    opening: 'Opening',
    sizes: 'Sizes',
    lastChanges: 'Last changes',
    commits: 'Commits',
    archive: 'Archive',
    image: 'Image',
  },

  // Sizes and times.
  units: ['B', 'KiB', 'MiB', 'GiB', 'TiB'],
  seconds: (value: string) => `${value} s`,
  milliseconds: (value: string) => `${value} ms`,
  bytes: (number: number) => counted(number, { one: '# byte', other: '# bytes' }),
  noDate: 'no date',
  after1970: (seconds: number) => `${seconds} seconds after 1970`,
  justNow: 'just now',
})

export type FirstWords = typeof first
