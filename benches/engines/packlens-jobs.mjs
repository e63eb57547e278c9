// The jobs of packlens, inside its process.

const { readFileSync } = process.getBuiltinModule('node:fs')

/** The buffer that `readMany` reuses, in the second run as in the first. */
let into

/** The default size of the package. */
const BATCH = { pack: 12 << 20, asked: 8 << 20 }

export async function start({ entry, job, repository, ...task }) {
  const { file, list, pair, pack, form, order, verify, memory, baseCache, workers } = task
  const packlens = await import(entry)
  const promises = workers || job === 'one-by-one'
  const oids = list ? readFileSync(list, 'latin1').trimEnd().split('\n') : []
  /** Each run opens the repository again, so that nothing is cached. */
  const opened = (work) => async (to) => {
    const options = { verify, memory, baseCache }
    const repo = promises
      ? await packlens.open(repository, workers ? { ...options, workers } : options)
      : packlens.openSync(repository, options)
    await work(promises ? repo : withoutSuffix(repo), to)
    repo.close()
  }
  const { collisions } = task
  const indexPack = async (to) => {
    const { idx } = await packlens.indexPack(pack, { memory, workers, collisions })
    to.text(idx)
  }
  const mergeBase = (repo, to) => to.text(`${repo.mergeBase(...pair)}\n`)
  const works = {
    'first-blob': (repo, to) => to.text(repo.read(file).data),
    'whole-pack': (repo, to) => {
      const options = { unordered: true, lend: true }
      if (workers) return deliverAwaited(repo.objects(options), to)
      deliver(repo.objects(options), to)
    },
    blobs: (repo, to) => forms[form](repo, oids, to, order),
    mixed: (repo, to) => forms[form](repo, oids, to, order),
    'one-by-one': (repo, to) => readAwaited(repo, oids, to),
    'ls-tree': lsTree,
    'rev-list': (repo, to) => revList(repo.revList('HEAD'), to),
    'rev-list-graph': (repo, to) => revList(repo.revList('HEAD'), to),
    'rev-list-all': (repo, to) => revList(repo.revList([], { all: true }), to),
    count: async (repo, to) => to.text(`${await repo.countCommits('HEAD')}\n`),
    'count-graph': (repo, to) => to.text(`${repo.countCommits('HEAD')}\n`),
    'merge-base-easy': mergeBase,
    'merge-base-easy-graph': mergeBase,
    'merge-base-hard': mergeBase,
    'merge-base-hard-graph': mergeBase,
    refs: listRefs,
    available: (repo, to) => available(repo, namesIn(list), form === 'each', to),
    'refs-reftable': listRefs,
    'available-reftable': (repo, to) => available(repo, namesIn(list), form === 'each', to),
  }
  return job === 'index-pack' ? indexPack : opened(works[job])
}

/**
 * Returns a synchronous repository with today's method names: before 0.1.0 they ended with
 * `Sync`, in a class that also had methods with promises.
 */
function withoutSuffix(repo) {
  if (!('readSync' in repo)) return repo
  const named = (of, names) =>
    Object.fromEntries(names.map((name) => [name, of[`${name}Sync`]?.bind(of)]))
  const objects = ['read', 'readMany', 'objects', 'walk']
  return {
    ...named(repo, [...objects, 'revList', 'countCommits', 'mergeBase']),
    refs: named(repo.refs, ['list', 'checkAvailable']),
    close: () => repo.close(),
  }
}

const forms = { readMany, read: readEach }

function deliver(rows, to) {
  for (const row of rows) deliverRow(row, to)
}

async function deliverAwaited(rows, to) {
  for await (const row of rows) deliverRow(row, to)
}

function deliverRow(row, to) {
  if (row.type === 'failed') throw row.error
  if (row.type === 'missing' || row.type === 'ambiguous') throw new Error(row.type)
  to.object(row, row.data, row.dataOffset === 0, !row.more)
}

function readMany(repo, oids, to, order) {
  into ??= new ArrayBuffer(BATCH[order ?? 'asked'])
  for (let start; start !== null; ) {
    const batch = repo.readMany(oids, { into, start, order })
    deliver(order ? asAsked(batch, oids, to) : batch, to)
    start = batch.next
  }
}

/** In another order, each row names its request; a check compares that. */
function* asAsked(batch, oids, to) {
  for (const row of batch) {
    if (to.checks && row.oid !== oids[row.index]) throw new Error(`${row.oid} is another's row`)
    yield row
  }
}

function readEach(repo, oids, to) {
  for (const oid of oids) {
    const object = repo.read(oid)
    to.object(object, object.data)
  }
}

async function readAwaited(repo, oids, to) {
  for (const oid of oids) {
    const object = await repo.read(oid)
    to.object(object, object.data)
  }
}

function lsTree(repo, to) {
  for (const entry of repo.walk('HEAD', { recursive: true, trees: false })) {
    to.text(`${entry.mode.toString(8).padStart(6, '0')} ${entry.type} ${entry.oid}\t`)
    to.text(entry.pathBytes)
    to.text('\0')
  }
}

function listRefs(repo, to) {
  for (const { oid, name } of repo.refs.list()) to.text(`${oid} ${name}\n`)
}

/** Returns the names that a list of git's commands creates. */
function namesIn(list) {
  const lines = readFileSync(list, 'latin1').split('\n')
  return lines.filter((line) => line.startsWith('create ')).map((line) => line.split(' ')[1])
}

/** Prints the same as git for a list that can be created, and nothing else. */
function available(repo, names, each, to) {
  const answers = each
    ? names.map((name) => repo.refs.checkAvailable([name]).get(name))
    : [...repo.refs.checkAvailable(names).values()]
  const refused = answers.find(({ ok }) => !ok)
  to.text('start: ok\n')
  to.text(refused ? `${refused.message}\n` : 'prepare: ok\nabort: ok\n')
}

function revList(oids, to) {
  for (const oid of oids) to.text(`${oid}\n`)
}
