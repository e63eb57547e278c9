// Measures the cost of delivering objects, in Node and in Chromium, form by form.
import { readFileSync } from 'node:fs'
import * as packlens from '../../dist/node/packlens.js'
import { openServedPage } from '../../scripts/lib/served-page.mjs'
import { spread } from '../lib/spread.mjs'
import { forms, makeRunner, measure } from './forms.mjs'

/** The number of objects: the first ones of the pack, in its order. */
const OBJECTS = 8500

/** Runs every form in turn, `rounds` times; returns rows for the record. */
export async function handOver({ pack: file, rounds }) {
  const given = {
    pack: new Uint8Array(readFileSync(file)),
    idx: new Uint8Array(readFileSync(file.replace(/\.pack$/, '.idx'))),
  }
  const oids = firstOf(given)
  const served = await openServedPage({ '/pack': given.pack, '/idx': given.idx })
  try {
    await served.page.evaluate(prepare, { oids })
    const runners = {
      Node: makeRunner(packlens, { ...given, oids }),
      [`Chromium ${served.version.split('.')[0]}`]: (name) =>
        served.page.evaluate((name) => globalThis.run(name), name),
    }
    const rows = []
    for (const [where, run] of Object.entries(runners))
      rows.push(...(await compare(where, run, rounds)))
    return rows
  } finally {
    await served.close()
  }
}

/** In the page: opens the same pack there. */
async function prepare({ oids }) {
  const [packlens, { makeRunner }] = await Promise.all([
    import('/dist/index.js'),
    import('/benches/hand-over/forms.mjs'),
  ])
  const bytes = async (name) => new Uint8Array(await (await fetch(name)).arrayBuffer())
  await packlens.load()
  const pack = await bytes('/pack')
  globalThis.run = makeRunner(packlens, { pack, idx: await bytes('/idx'), oids })
}

function firstOf({ pack, idx }) {
  const repo = packlens.openSync({ packs: [{ pack, idx }] })
  const oids = []
  for (const row of repo.objects({ unordered: true, fields: 'info' })) {
    oids.push(row.oid)
    if (oids.length === OBJECTS) break
  }
  repo.close()
  return oids
}

/** A first round compiles everything and is discarded; then each form in turn. */
async function compare(where, run, rounds) {
  const names = Object.keys(forms)
  const taken = new Map(names.map((name) => [name, []]))
  const expected = await run(measure)
  for (let round = -1; round < rounds; round++) {
    for (let at = 0; at < names.length; at++) {
      const name = names[(round + 1 + at) % names.length]
      const { seconds, seen, inflated } = await run(name)
      const nobodyLooked = name.includes('nobody')
      if (inflated !== expected.inflated || (!nobodyLooked && seen !== expected.seen)) {
        throw new Error(`${where}, ${name}: not what ${measure} handed over`)
      }
      if (round >= 0) taken.get(name).push(seconds)
    }
  }
  return names.map((name) => ({
    id: `${where}: ${name}`,
    wall: spread(taken.get(name)),
    ratio: spread(taken.get(name).map((seconds, at) => seconds / taken.get(measure)[at])),
  }))
}
