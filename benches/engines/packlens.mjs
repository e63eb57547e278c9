// packlens: the built package of a folder, by its API.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { inRoot } from '../../scripts/lib/paths.mjs'
import { javascript } from './javascript.mjs'

const MIB = 1 << 20

/** The default of `open`. */
const DEFAULT_CEILING = 64 * MIB

/** The memory for whole packs, and for single objects: C git maps the pack besides. */
const AMPLE = 320 * MIB

const checks = [
  { variant: "verify 'none'", verify: 'none' },
  { variant: "verify 'oid'", verify: 'oid' },
]
const insideToo = (options) => [
  options,
  { ...options, variant: `${options.variant}, inside`, inside: true },
]
const whole = [
  ...checks.flatMap((options) => insideToo({ ...options, memory: AMPLE })),
  { variant: "64 MiB, verify 'none'", verify: 'none', memory: DEFAULT_CEILING },
  // The worker has a memory limit of its own, so each gets half.
  ...checks.flatMap(({ variant, verify }) =>
    insideToo({ variant: `two threads, ${variant}`, verify, memory: AMPLE / 2, workers: 1 }),
  ),
]
const indexing = [
  { variant: '', memory: AMPLE },
  { variant: "collisions 'trust'", memory: AMPLE, collisions: 'trust' },
  { variant: 'two threads', memory: AMPLE / 2, workers: 1 },
  {
    variant: "two threads, collisions 'trust'",
    memory: AMPLE / 2,
    workers: 1,
    collisions: 'trust',
  },
]
const readMany = { form: 'readMany', memory: 160 * MIB }
const inPackOrder = { order: 'pack', anyOrder: true }
const many = checks.flatMap((options) => [
  ...insideToo({ ...options, ...readMany, variant: `readMany, ${options.variant}` }),
  ...insideToo({
    ...options,
    ...readMany,
    ...inPackOrder,
    variant: `readMany, order 'pack', ${options.variant}`,
  }),
])
const each = [96, 32].flatMap((cache) =>
  checks.map((options) => ({
    ...options,
    variant: `read, base cache ${cache} MiB, ${options.variant}`,
    form: 'read',
    memory: AMPLE,
    baseCache: cache * MIB,
  })),
)
const requests = [...many, ...each.flatMap(insideToo)]
const walk = [{ variant: '' }, { variant: 'inside', inside: true }]
const commits = checks.flatMap(insideToo)
const counting = [
  ...commits,
  ...insideToo({ variant: "two threads, verify 'oid'", verify: 'oid', workers: 1 }),
]

const names = [
  ...walk,
  { variant: 'name by name', form: 'each' },
  { variant: 'name by name, inside', form: 'each', inside: true },
]

const variants = {
  'first-blob': [{ variant: '' }],
  'whole-pack': whole,
  blobs: requests,
  mixed: requests,
  'one-by-one': checks,
  'ls-tree': walk,
  'rev-list': commits,
  'rev-list-graph': commits,
  'rev-list-all': commits,
  count: counting,
  'count-graph': commits,
  'merge-base-easy': commits,
  'merge-base-easy-graph': commits,
  'merge-base-hard': commits,
  'merge-base-hard-graph': commits,
  refs: walk,
  available: names,
  'refs-reftable': walk,
  'available-reftable': names,
  'index-pack': indexing,
}

/** The exports that a job needs; jobs without an entry need those of all packages. */
const needs = {
  'rev-list': 'revList',
  count: 'countCommits',
  'merge-base': 'mergeBase',
  available: 'checkAvailable',
  'index-pack': 'indexPack',
}

/** Returns the engine of the package in `folder`; a `brief` one runs fewer variants. */
export async function packlens(name, folder, brief = false) {
  const settings = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
  const { version } = settings
  const entry = path.join(folder, settings.exports['.'].node.default)
  const api = await import(pathToFileURL(entry).href)
  const repo = api.openSync({ packs: [] })
  const has = (what) => what in api || what in repo || what in repo.refs
  const jobOf = (job) => (task) => {
    const need = Object.entries(needs).find(([prefix]) => job.startsWith(prefix))?.[1]
    if (need && !has(need)) return { missing: `there is no ${need}` }
    const chosen = variants[job].filter(
      ({ inside, verify }) => !brief || !(inside || verify === 'oid'),
    )
    return chosen.map(({ variant, inside, anyOrder, ...options }) => ({
      variant,
      inside,
      anyOrder,
      ceiling: (options.memory ?? DEFAULT_CEILING) * (1 + (options.workers ?? 0)),
      ...javascript(
        'packlens-jobs.mjs',
        job,
        { ...task, entry: pathToFileURL(entry).href },
        options,
      ),
    }))
  }
  return {
    name,
    version: () => `packlens ${version}`,
    jobs: Object.fromEntries(Object.keys(variants).map((job) => [job, jobOf(job)])),
  }
}

/** Returns the package of this checkout. */
export const ownFolder = inRoot()
