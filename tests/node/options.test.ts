/** Invalid options are refused by every call that takes options. */
import type { OpenOptions, Repository, SyncRepository } from 'packlens'
import { checkPack, indexPack, open, openSync, showIndex } from 'packlens'
import { describe, expect, test } from 'vitest'
import { bytesOf, packFiles } from './sources.ts'
import { codeOf, collect, errorOf, fixture, folderOf } from './support.ts'

const main = fixture('main')
const folder = folderOf(main)
const [files] = packFiles(fixture('mixed'))
const pack = bytesOf(files?.pack ?? '')
const idx = bytesOf(files?.idx ?? '')

/** A call with options, by its name in messages. */
type Call = (repo: Repository, options: never) => unknown
type Question = (repo: Repository | SyncRepository, options: never) => unknown

/** Reads a list to its end, synchronous or not. */
async function rowsOf(rows: AsyncIterable<unknown> | Iterable<unknown>): Promise<void> {
  for await (const _ of rows) {
  }
}

/** Calls of functions, and of methods that only `Repository` has. */
const calls: Record<string, Call> = {
  open: async (_, options) => (await open(folder, options)).close(),
  openSync: (_, options) => openSync(folder, options).close(),
  indexPack: (_, options) => indexPack(pack, options),
  checkPack: (_, options) => checkPack(pack, idx, options),
  showIndex: (_, options) => collect(showIndex(idx, options)),
  stream: (repo, options) => repo.stream('HEAD', options).cancel(),
}

/** Calls of methods that both classes have. */
const questions: Record<string, Question> = {
  read: (repo, options) => repo.read('HEAD', options),
  readCommit: (repo, options) => repo.readCommit('HEAD', options),
  readTree: (repo, options) => repo.readTree('HEAD', options),
  readBlob: (repo, options) => repo.readBlob('HEAD:README.md', options),
  readTag: (repo, options) => repo.readTag('a-blob', options),
  find: (repo, options) => repo.find('HEAD', options),
  info: (repo, options) => repo.info('HEAD', options),
  resolve: (repo, options) => repo.resolve('HEAD', options),
  readMany: (repo, options) => repo.readMany(['HEAD'], options),
  objects: (repo, options) => rowsOf(repo.objects(options)),
  walk: (repo, options) => rowsOf(repo.walk('HEAD', options)),
  diff: (repo, options) => rowsOf(repo.diff('HEAD', 'HEAD', options)),
  diffText: (repo, options) => repo.diffText('', '', options),
  combinedPatches: (repo, options) => rowsOf(repo.combinedPatches('HEAD', options)),
  archive: (repo, options) => rowsOf(repo.archive('HEAD', options)),
  grep: (repo, options) => rowsOf(repo.grep('HEAD', 'x', options)),
  index: (repo, options) => rowsOf(repo.index(options)),
  mailmap: (repo, options) => repo.mailmap('HEAD', options),
  note: (repo, options) => repo.note('HEAD', options),
  notes: (repo, options) => rowsOf(repo.notes(options)),
  submodules: (repo, options) => rowsOf(repo.submodules('HEAD', options)),
  status: (repo, options) => rowsOf(repo.status(options)),
  checkIgnore: (repo, options) => repo.checkIgnore('a', options),
  checkAttr: (repo, options) => repo.checkAttr('a', options),
  blame: (repo, options) => rowsOf(repo.blame('HEAD', 'README.md', options)),
  describe: (repo, options) => repo.describe('HEAD', options),
  nameRev: (repo, options) => repo.nameRev(['HEAD'], options),
  config: (repo, options) => repo.config(options),
  lastModified: (repo, options) => rowsOf(repo.lastModified('HEAD', options)),
  patches: (repo, options) => rowsOf(repo.patches('HEAD', 'HEAD', options)),
  revList: (repo, options) => rowsOf(repo.revList('HEAD', options)),
  revListGraph: (repo, options) => rowsOf(repo.revListGraph('HEAD', options)),
  log: (repo, options) => rowsOf(repo.log('HEAD', options)),
  revListObjects: (repo, options) => rowsOf(repo.revListObjects('HEAD', options)),
  countCommits: (repo, options) => repo.countCommits('HEAD', options),
  countObjects: (repo, options) => repo.countObjects('HEAD', options),
  mergeBase: (repo, options) => repo.mergeBase('HEAD', 'HEAD', options),
  mergeBases: (repo, options) => repo.mergeBases(['HEAD', 'HEAD'], options),
  isAncestor: (repo, options) => repo.isAncestor('HEAD', 'HEAD', options),
  aheadBehind: (repo, options) => repo.aheadBehind('HEAD', ['HEAD'], options),
  'checkPack (of a repository)': (repo, options) => repo.checkPack('pack-1', options),
  storage: (repo, options) => repo.storage(options),
  fsck: (repo, options) => repo.fsck(options),
  'refs.list': (repo, options) => rowsOf(repo.refs.list(options)),
  'refs.pointsAt': (repo, options) => rowsOf(repo.refs.pointsAt('HEAD', options)),
  'refs.containing': (repo, options) => rowsOf(repo.refs.containing('HEAD', options)),
  'refs.get': (repo, options) => repo.refs.get('HEAD', options),
  'refs.resolve': (repo, options) => repo.refs.resolve('HEAD', options),
  'refs.log': (repo, options) => rowsOf(repo.refs.log('HEAD', options)),
  'refs.defaultBranch': (repo, options) => repo.refs.defaultBranch(options),
  'refs.checkAvailable': (repo, options) => repo.refs.checkAvailable(['refs/x'], options),
  'refs.plan': (repo, options) => repo.refs.plan([], options),
  'plan.toPackedRefs': async (repo, options) => (await repo.refs.plan([])).toPackedRefs(options),
  'plan.toReftable': async (repo, options) => (await repo.refs.plan([])).toReftable(options),
}

/** Invalid values of each option, by its name. */
const wrong: Record<string, readonly unknown[]> = {
  home: ['~', true],
  includes: ['no', 1],
  scope: ['global', true],
  signal: [null, {}, 'now', new AbortController()],
  verify: ['OID', 'sha1', true, false, 1, 0, '', null],
  memory: [0, -1, 1.5, Number.NaN, (1 << 20) - 1, 2 ** 33, '64 MB', null],
  baseCache: [-1, 0.5, Number.NaN, '1'],
  objectFormat: ['SHA1', 'sha-1', 'md5', 1, null],
  workers: [-1, 65, 1.5, Number.NaN, '2', true],
  worker: [0, 1, 'yes', null],
  http: [null, 1, 'x', []],
  missing: [null, {}, 'x'],
  filter: [null, 1, {}, [1]],
  filterProvidedObjects: [1, 'yes', null],
  onProgress: [null, {}, 'x'],
  gitDir: [null, 1, '', 'a\0b'],
  commonDir: [null, 1, '', 'a\0b'],
  objectDirectory: [null, 1, '', 'a\0b'],
  alternates: ['x', null, [''], [1], [undefined], {}],
  replace: [0, 'no', null],
  commitGraph: [0, 'no', null],
  collisions: ['trusted', true, null],
  untracked: ['some', true, null, ''],
  ignored: ['all', true, null, ''],
  onListing: [null, 'x'],
  relative: [null, 1, true, ['x']],
  statOnly: [1, null],
  sink: [null, {}, { write() {} }],
  maxInputSize: [0, -1, 0.5, '1'],
  repository: [null, 1, true],
  strict: ['all', 1, null],
  onFinding: [null, 'x'],
  severities: [null, 'badDate=error', [], { badDate: 1 }, { badDate: 'fatal' }],
  skipList: [null, '1'.repeat(40), [1], ['x']],
  format: ['gz', 'TAR', '', null, 1],
  paths: ['', 1, null, [''], ['a', 1], new Uint8Array()],
  mtime: [-1, 1.5, '2020-01-01', null],
  fields: ['all', '', null, 1],
  unordered: [1, 'yes', null],
  lend: [1, null],
  type: ['Blob', '', null, 1, ['blob', 'file']],
  minSize: [-1, Number.NaN, '1', null],
  maxSize: [-1, Number.NaN, '1', null],
  into: [null, 'x', [], new DataView(new ArrayBuffer(9)), new Uint8Array(9)],
  size: [-1, 9, Number.NaN, '1', null],
  order: ['topological', 'packed', '', true, null],
  start: [null, 0, {}, { index: -1, skip: 0 }, { index: 0 }, { index: 0.5, skip: 0 }],
  all: [1, null],
  pathspec: ['', 1, null, [1], [''], new Uint8Array(0)],
  pickaxe: [
    ...[null, 'x', {}, { string: '' }, { string: 'a', pattern: 'b' }, { pattern: 1 }],
    ...[
      { pattern: 'a', regex: true },
      { string: 'a', all: 1 },
      { string: 'a', lines: true },
    ],
  ],
  firstParent: [1, null],
  merges: ['only', 1, null],
  minParents: [-1, 1.5, '1', null],
  maxParents: [-1, 1.5, '1', null],
  sinceAsFilter: [-1, 1.5, '2020-01-01', null],
  author: [1, [1], null],
  committer: [1, [1], null],
  grep: [1, [1], null],
  allMatch: [1, null],
  invertGrep: [1, null],
  ignoreCase: [1, null],
  regexp: ['perl', 1, null],
  fullHistory: [1, null],
  sparse: [1, null],
  simplifyMerges: [1, null],
  simplifyByDecoration: [1, null],
  showPulls: [1, null],
  ancestryPath: ['main', 1, null],
  excludeFirstParentOnly: [1, null],
  leftOnly: [1, null],
  rightOnly: [1, null],
  children: [1, null],
  boundary: [1, null],
  leftRight: [1, null],
  cherryPick: [1, null],
  cherryMark: [1, 'yes', null],
  source: [1, 'yes', null],
  index: ['no', 1, null],
  cached: ['no', 1, null],
  limit: [-5, -1, Number.NaN, 1.5, Number.POSITIVE_INFINITY, '1', null],
  skip: [-5, Number.NaN, 1.5, '1', null],
  since: [-1, Number.NaN, 1.5, '2020-01-01', new Date(Number.NaN), new Date(-1), null],
  until: [-1, Number.NaN, 1.5, '2020-01-01', new Date(Number.NaN), new Date(-1), null],
  useBitmapIndex: [1, null],
  renames: ['renames', 1, null],
  similarity: [0, 101, Number.NaN, '50', null],
  renameLimit: [-1, 1.5, 2 ** 32, '1', null],
  onRenameLimit: [null, 1],
  rewrites: [1, null],
  dense: [1, null],
  moves: [1, null],
  copies: ['all', true, null],
  moveScore: [-1, 0.5, '1', null],
  copyScore: [-1, 0.5, '1', null],
  lines: [null, 1, [1, 2], [[1]], [[0, 1]], [[2, 1]], [[1, 2, 3]]],
  tags: [1, null],
  long: [1, null],
  match: [1, null],
  exclude: [1, null],
  candidates: [-1, 1.5, 2 ** 32, '1', null],
  exactMatch: [1, null],
  always: [1, null],
  reverse: [1, null],
  recursive: [1, 'yes', null],
  trees: [1, null],
  sizes: [1, null],
  octopus: [1, null],
  chunkSize: [0, -1, 1.5, (64 << 20) + 1, '1', null],
  range: [null, 1, [0, 1], { start: -1 }, { end: 0.5 }, { start: 2, end: 1 }, { from: 1 }],
  connectivityOnly: [1, null],
  dangling: [1, null],
  unreachable: [1, null],
  reflogs: [1, null],
  heads: ['HEAD', null, [1]],
  cache: [1, null],
  prefix: [1, null],
  syntax: ['perl', 1, null],
  answer: ['lists', 1, null],
  binary: ['yes', 1, null],
  maxDepth: [-1, 1.5, '1', null],
  maxCount: [-1, 1.5, '1', null],
  columns: [1, null],
  word: [1, null],
  invert: [1, null],
  function: [1, null],
  functionContext: [1, null],
  wordDiff: [1, null, ['x']],
  attributes: [1, null],
  ref: [1, null, {}],
  pattern: [1, null, [1]],
  peel: [1, null],
  direct: [1, null],
  deleting: ['refs/x', null, 1, [1]],
  extra: ['refs/x', null, 1, [1]],
  initial: [1, null],
  deleteFirst: [1, null],
}

const opening = [
  'signal memory baseCache verify objectFormat http worker workers missing onProgress',
  'gitDir commonDir objectDirectory alternates replace commitGraph',
]
const commits = [
  'signal all pathspec firstParent merges minParents maxParents limit skip since until useBitmapIndex order',
  'reverse fullHistory sparse simplifyMerges simplifyByDecoration showPulls ancestryPath',
  'excludeFirstParentOnly leftOnly rightOnly cherryPick sinceAsFilter author committer grep allMatch',
  'invertGrep ignoreCase regexp',
].join(' ')
const read = 'signal'

/** The options of each call; every option of a call's table must be listed. */
const taken: Record<string, string> = {
  open: opening.join(' '),
  openSync: opening.join(' '),
  indexPack:
    'signal memory objectFormat worker workers onProgress collisions sink maxInputSize repository missing strict onFinding severities skipList',
  checkPack: 'signal memory objectFormat worker workers onProgress collisions onListing statOnly',
  showIndex: 'signal memory objectFormat worker',
  readMany: 'signal fields into size order start',
  objects: 'signal unordered fields lend type minSize maxSize',
  walk: 'signal recursive trees sizes',
  diff: 'signal recursive trees renames similarity renameLimit onRenameLimit rewrites path pathspec pickaxe relative attributes',
  diffText:
    'signal algorithm ignoreSpace ignoreBlankLines ignoreLines wordDiff functionContext indentHeuristic context interHunkContext',
  combinedPatches:
    'signal algorithm ignoreSpace indentHeuristic context abbrev dense path pathspec pickaxe attributes',
  archive: 'signal format prefix paths pathspec level mtime',
  index: 'signal path pathspec sparse',
  submodules: 'signal',
  mailmap: 'signal',
  note: 'signal ref',
  notes: 'signal ref',
  checkIgnore: 'signal index',
  checkAttr: 'signal attributes source cached',
  status: 'signal path pathspec untracked ignored complete renames similarity ignoreSubmodules',
  grep: 'signal syntax ignoreCase word invert allMatch answer binary columns before after function functionContext maxCount path pathspec maxDepth attributes',
  blame:
    'signal algorithm ignoreSpace indentHeuristic firstParent exclude since reverse ignore lines moves copies moveScore copyScore',
  describe: 'signal tags all long abbrev match exclude candidates exactMatch firstParent always',
  nameRev: 'signal tags refs exclude',
  config: 'signal scope includes gitDir home',
  lastModified: 'signal path recursive trees exclude',
  patches:
    'signal algorithm ignoreSpace ignoreBlankLines ignoreLines wordDiff functionContext indentHeuristic context interHunkContext abbrev reverse irreversibleDelete binary renames similarity renameLimit onRenameLimit rewrites path pathspec pickaxe relative attributes',
  revList: commits,
  revListGraph: `${commits} children boundary leftRight cherryMark source`,
  log: commits,
  revListObjects: `${commits} filter filterProvidedObjects missing`,
  countCommits: commits,
  countObjects: commits,
  mergeBases: 'signal octopus',
  stream: 'signal chunkSize range',
  'checkPack (of a repository)': 'signal collisions onProgress',
  fsck: 'signal strict connectivityOnly dangling unreachable reflogs heads cache onProgress severities skipList',
  'refs.list': 'signal prefix pattern peel',
  'refs.pointsAt': 'signal direct',
  'refs.containing': 'signal prefix pattern peel',
  'refs.checkAvailable': 'signal deleting extra initial',
  'refs.plan': 'signal deleteFirst',
}

/** Values that are valid for these calls, though not for others with the same option. */
const fine = new Set(['fsck strict null', 'checkAttr source yes'])

/** Every call of both classes. */
const every: [string, string, () => Promise<(options: unknown) => unknown>][] = [
  ...Object.entries(calls).map(([name, call]): (typeof every)[number] => {
    return [name, 'with promises', bound(() => open(folder), call)]
  }),
  ...Object.entries(questions).flatMap(([name, question]): typeof every => [
    [name, 'with promises', bound(() => open(folder), question)],
    [name, 'without promises', bound(() => openSync(folder), question)],
  ]),
]

function bound<Of>(openIt: () => Of | Promise<Of>, call: (repo: Of, options: never) => unknown) {
  return async () => {
    const repo = await openIt()
    return (options: unknown) => call(repo, options as never)
  }
}

describe.each(every)('%s, %s', (name, _, prepare) => {
  const [plain = ''] = name.split(' (')
  const options = (taken[name] ?? taken[plain] ?? read).split(' ')

  test.each(options)('refuses invalid values of `%s`', async (option) => {
    const call = await prepare()
    for (const value of wrong[option] ?? []) {
      if (fine.has(`${name} ${option} ${value}`)) continue
      const error = await errorOf(async () => call({ [option]: value }))
      expect(error.code, `${String(value)}: ${error.message}`).toBe('BAD_INPUT')
      expect(error.message.length).toBeGreaterThan(10)
    }
  })

  test('has no other options, and the error names those it has', async () => {
    const call = await prepare()
    const error = await errorOf(async () => call({ Verify: 1 }))
    expect([error.code, error.subject]).toEqual(['BAD_INPUT', 'Verify'])
    expect(error.message).toContain(`\`${plain}\``)
    for (const option of options) expect(error.message).toContain(option)
    for (const odd of [null, 1, 'x', true]) {
      expect(await codeOf(async () => call(odd))).toBe('BAD_INPUT')
    }
  })

  test('ignores options that are undefined', async () => {
    const call = await prepare()
    const none = Object.fromEntries(options.map((option) => [option, undefined]))
    try {
      await call(none)
    } catch (error) {
      // This pack does not exist, nor does a work tree.
      const ofWorktree = ['status', 'checkIgnore', 'checkAttr'].includes(plain)
      const code = ofWorktree ? 'UNSUPPORTED' : 'NOT_FOUND'
      expect(error).toMatchObject({ code })
    }
  })
})

test('The options of `http` are checked like all others', async () => {
  const cases: [string, unknown][] = [
    ['fetch', 'x'],
    ['gap', -1],
    ['inFlight', 0],
    ['timeout', 0],
    ['minRate', -1],
    ['tries', 0],
    ['pause', -1],
    ['multipart', 1],
    ['alternates', 1],
  ]
  for (const [name, value] of cases) {
    const error = await errorOf(() => open(folder, { http: { [name]: value } } as OpenOptions))
    expect([error.code, error.message]).toEqual([
      'BAD_INPUT',
      expect.stringContaining(`\`http.${name}\``),
    ])
  }
  const error = await errorOf(() => open(folder, { http: { retries: 3 } as never }))
  expect([error.code, error.subject]).toEqual(['BAD_INPUT', 'http.retries'])
})

describe('A revision must be a string:', () => {
  const odd = [undefined, null, 1, {}, ['HEAD'], Symbol('x'), new Uint8Array(3)] as never[]
  const asks: [string, (repo: Repository, spec: never) => unknown][] = [
    ['read', (repo, spec) => repo.read(spec)],
    ['find', (repo, spec) => repo.find(spec)],
    ['info', (repo, spec) => repo.info(spec)],
    ['resolve', (repo, spec) => repo.resolve(spec)],
    ['readMany', (repo, spec) => repo.readMany([spec])],
    ['walk', (repo, spec) => collect(repo.walk(spec))],
    ['stream', (repo, spec) => repo.stream(spec).cancel()],
    ['archive', (repo, spec) => collect(repo.archive(spec))],
    ['grep', (repo, spec) => collect(repo.grep(spec, 'x'))],
    ['revList', (repo, spec) => collect(repo.revList([spec]))],
    ['log', (repo, spec) => collect(repo.log([spec]))],
    ['mergeBase', (repo, spec) => repo.mergeBase('HEAD', spec)],
    ['isAncestor', (repo, spec) => repo.isAncestor(spec, 'HEAD')],
    ['aheadBehind', (repo, spec) => repo.aheadBehind('HEAD', [spec])],
    ['refs.get', (repo, spec) => repo.refs.get(spec)],
    ['refs.resolve', (repo, spec) => repo.refs.resolve(spec)],
    ['refs.log', (repo, spec) => collect(repo.refs.log(spec))],
    ['refs.pointsAt', (repo, spec) => collect(repo.refs.pointsAt(spec))],
    ['refs.containing', (repo, spec) => collect(repo.refs.containing(spec))],
    ['refs.checkAvailable', (repo, spec) => repo.refs.checkAvailable([spec])],
    ['checkPack', (repo, spec) => repo.checkPack(spec)],
  ]
  test.each(asks)('%s', async (_, ask) => {
    using repo = await open(folder)
    for (const spec of odd) expect(await codeOf(async () => ask(repo, spec))).toBe('BAD_INPUT')
  })

  test('and so must each revision of a list', async () => {
    using repo = await open(folder)
    const error = await errorOf(() => repo.readMany('HEAD'))
    expect([error.code, error.message]).toEqual(['BAD_INPUT', expect.stringContaining('array')])
    for (const specs of [undefined, null, 5, {}] as never[]) {
      expect(await codeOf(() => repo.readMany(specs))).toBe('BAD_INPUT')
      expect(await codeOf(() => collect(repo.revList(specs)))).toBe('BAD_INPUT')
      expect(await codeOf(() => repo.mergeBases(specs))).toBe('BAD_INPUT')
      expect(await codeOf(() => repo.refs.plan(specs))).toBe('BAD_INPUT')
    }
  })
})

test('Dates are a Date or seconds', async () => {
  using repo = openSync(folder)
  const all = [...repo.revList('HEAD')]
  const dates = repo.readMany(all)
  const seconds = [...dates].map((row) => {
    const object = row.type === 'commit' ? row.object() : null
    return object?.type === 'commit' ? (object.committer.seconds ?? 0) : 0
  })
  const middle = [...seconds].sort((a, b) => a - b)[Math.floor(seconds.length / 2)] ?? 0
  const counted = repo.countCommits('HEAD', { since: middle })
  expect(counted).toBeGreaterThan(0)
  expect(counted).toBeLessThan(all.length)
  const date = new Date(middle * 1000)
  expect(repo.countCommits('HEAD', { since: date })).toBe(counted)
  expect(repo.countCommits('HEAD', { since: new Date(middle * 1000 + 999) })).toBe(counted)
  const until = repo.countCommits('HEAD', { until: middle })
  expect(repo.countCommits('HEAD', { until: date })).toBe(until)
  expect(repo.countCommits('HEAD', { until: new Date() })).toBe(all.length)
})
