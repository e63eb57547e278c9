/**
 * Makes every call on a repository, and returns the outcome of each: `ok`, the code
 * of an error, or `raw` and the error if it is not from packlens.
 */

/** The number of rows after which an endless listing is left. */
const MOST = 100_000

/** The number of refs whose trees are walked: the trees of ten thousand refs are the same. */
const WALKED = 500

async function some(items) {
  let count = 0
  for await (const _ of items) if (++count === MOST) break
  return count
}

async function drained(stream) {
  const reader = stream.getReader()
  for (;;) if ((await reader.read()).done) return
}

const name20 = 'q'.repeat(20 << 20)

const calls = {
  read: (repo) => fields(repo.read('HEAD')),
  'read of a path': (repo) => repo.read('HEAD:README.md'),
  'read far back': (repo) => repo.read('main~10000000'),
  'read of a tag': (repo) => repo.read('deep^{}'),
  'read of a long name': (repo) => repo.read(name20),
  'read by message': (repo) => repo.read(':/message'),
  'read by reflog': (repo) => repo.read('HEAD@{1}'),
  'read from the index': (repo) => repo.read(':README.md'),
  find: (repo) => repo.find('1'.repeat(40)),
  'find of a short id': (repo) => repo.find('12345'),
  info: (repo) => repo.info('HEAD'),
  resolve: (repo) => repo.resolve('main^{tree}'),
  readMany: (repo, known) => repo.readMany(['HEAD', 'nope', name20, 'q'.repeat(300), known]),
  'readMany in pack order': (repo, known) =>
    repo.readMany(['HEAD', 'nope', known], { order: 'pack' }),
  objects: (repo) => some(repo.objects()),
  'objects, unordered': (repo) => some(repo.objects({ unordered: true })),
  'objects, info': (repo) => some(repo.objects({ fields: 'info' })),
  walk: (repo) => some(repo.walk('HEAD', { recursive: true, sizes: true })),
  'walk of all': async (repo, _, { isPacklensError }) => {
    let count = 0
    for await (const { name } of repo.refs.list()) {
      if (count++ === WALKED) break
      await some(repo.walk(name, { recursive: true })).catch((error) => {
        if (!isPacklensError(error)) throw error
      })
    }
  },
  stream: (repo) => drained(repo.stream('HEAD')),
  revList: (repo) => some(repo.revList('HEAD')),
  'revList of all': (repo) => some(repo.revList([], { all: true, order: 'topo' })),
  log: (repo) => some(repo.log('HEAD')),
  'log of all': (repo) => some(repo.log([], { all: true })),
  revListObjects: (repo) => some(repo.revListObjects([], { all: true })),
  countCommits: (repo) => repo.countCommits([], { all: true }),
  mergeBase: (repo) => repo.mergeBase('HEAD', 'main'),
  isAncestor: (repo) => repo.isAncestor('HEAD', 'main'),
  storage: (repo) => repo.storage(),
  checkPack: (repo) => repo.checkPack('pack-1'),
  fsck: (repo) => repo.fsck(),
  'refs.list': (repo) => some(repo.refs.list({ peel: true })),
  'refs.pointsAt': (repo) => some(repo.refs.pointsAt('HEAD')),
  'refs.containing': (repo) => some(repo.refs.containing('HEAD')),
  'refs.get': (repo) => repo.refs.get('HEAD'),
  'refs.resolve': (repo) => repo.refs.resolve('main'),
  'refs.log': (repo) => some(repo.refs.log('HEAD')),
  'refs.defaultBranch': (repo) => repo.refs.defaultBranch(),
  'refs.checkAvailable': (repo) => repo.refs.checkAvailable(['refs/heads/main/next', name20]),
  'refs.plan': async (repo, known) => {
    const changes = [{ type: 'create', name: 'refs/heads/new', oid: known }]
    return (await repo.refs.plan(changes)).toPackedRefs()
  },
}

/** Ends questions to a repository with endless walks by a signal. */
const endless = { countObjects: (repo, signal) => repo.countObjects([], { all: true, signal }) }

async function fields(reading) {
  const object = await reading
  for (const field of [
    'tree',
    'parents',
    'author',
    'committer',
    'message',
    'encoding',
    'entries',
  ]) {
    void object[field]
  }
}

function shown({ isPacklensError }, error) {
  if (isPacklensError(error)) return error.code
  return `raw ${error?.stack ?? error}`
}

/**
 * `opened` opens the repository, `known` is an object that each has, `before` the
 * instance's memory without it.
 */
export async function askAll(packlens, opened, known, before) {
  const outcomes = {}
  const times = {}
  let repo
  let most = 0

  async function ask(name, call) {
    const started = performance.now()
    try {
      repo ??= await opened()
      await call(repo, known, packlens)
      outcomes[name] = 'ok'
    } catch (error) {
      outcomes[name] = shown(packlens, error)
    }
    times[name] = Math.round(performance.now() - started)
  }

  for (const [name, call] of Object.entries(calls)) {
    await ask(name, call)
    most = Math.max(most, (repo?.stats().instanceMemory ?? 0) - before)
    await ask(`${name}, then a known object`, (repo) => repo.read(known))
  }
  for (const [name, call] of Object.entries(endless)) {
    await ask(name, (repo) => call(repo, AbortSignal.timeout(200)))
  }
  repo?.close()
  const [slow, ms] = Object.entries(times).sort(([, a], [, b]) => b - a)[0]
  return { outcomes, most, slowest: { slow, ms } }
}
