// Shows where packlens spends its time in a job: shares by Node's profiler.
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { run } from './measure.mjs'

const UNKNOWN = 'other WebAssembly'

/** The first match counts. Names are those of functions, and of their files. */
const parts = [
  ['collecting garbage', /^\(garbage collector\)/],
  ['inflate', /zlib_rs|sirocco|inflate|adler32|flate2|miniz/],
  ['hash', /sha1|sha2|sha256|packlens_base::hash/],
  ['delta', /pack::delta|odb::deltas|odb::bases|base_cache/],
  ['memory of the instance', /dlmalloc|__rust_\w*alloc|appender|memcpy|memmove|memset|raw_vec/],
  ['look-up', /packlens_\w+::(index|id_table|odb|pack|batch|repository|history)|memcmp/],
  [
    'bytes in',
    /packlens_base::block|^(read|readSync|part|run|decodeNeed) |path-store|provider|parts\.js/,
  ],
  ['hand-over', /dist\/(?!wasm)|packlens-jobs|deliver\.mjs/],
  [UNKNOWN, /\.wasm|wasm-function|wasm:/],
]

/**
 * Runs a contender once with the profiler on; returns `[part, share]`, the largest
 * first. Names are needed: a module made by `npm run build` has none.
 */
export async function profileOf(contender, settings) {
  const name = 'job.cpuprofile'
  const [node, ...args] = contender.command
  const flags = ['--cpu-prof', '--cpu-prof-dir', settings.folder, '--cpu-prof-name', name]
  await run({ ...contender, inside: false, command: [node, ...flags, ...args] }, settings)
  const profile = JSON.parse(readFileSync(path.join(settings.folder, name), 'utf8'))
  rmSync(path.join(settings.folder, name))
  return named(sharesOf(profile))
}

/**
 * Returns the shares.
 *
 * @throws if they say nothing: most functions of the module have no name that `parts` knows
 */
export function named(shares) {
  const [largest] = shares
  if (largest?.[0] !== UNKNOWN || largest[1] < 0.5) return shares
  throw new Error(`${shareText(largest)}: the functions of the module have no names that are known`)
}

/** Returns the share of each part in the time of a profile, without idle time. */
export function sharesOf({ nodes, samples, timeDeltas }) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const shares = new Map()
  let all = 0
  samples.forEach((id, at) => {
    const { functionName, url } = frames.get(id)
    if (functionName === '(idle)') return
    const part = partOf(`${functionName} ${url}`)
    shares.set(part, (shares.get(part) ?? 0) + timeDeltas[at])
    all += timeDeltas[at]
  })
  return [...shares].map(([part, time]) => [part, time / all]).sort((a, b) => b[1] - a[1])
}

export function shareText([part, share]) {
  return `${part} ${Math.round(share * 100)} %`
}

function partOf(frame) {
  return parts.find(([, pattern]) => pattern.test(frame))?.[0] ?? 'Node'
}
