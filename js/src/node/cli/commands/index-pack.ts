/** `index-pack`: makes the index of a pack, or verifies the pack against it. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import type { MaybePromise } from '../../../base/maybe.js'
import type { PackFacts, RecordReceiver } from '../../../objects/pack-records.js'
import type { IndexPackRequest } from '../../../packs/pack-answers.js'
import { fatal } from '../base/exit.js'
import type { Command } from '../opening/command.js'
import { refuseCollisions } from '../packs/collisions.js'
import { parseIndexPack } from '../packs/index-pack-args.js'
import { indexPackFromStdin } from '../packs/index-pack-stdin.js'
import { hasRepository, StrictReport } from '../packs/index-pack-strict.js'
import { formatOfIds, readPack } from '../packs/pack-session.js'
import { linesOfSeverities } from '../packs/severities.js'
import { renamed, Written, writeBeside } from '../packs/written.js'
import { threadsFor, together } from '../repository/threads.js'
import { toBytes } from '../text/bytes.js'

export function indexPack(command: Command, args: readonly string[]): MaybePromise<number> {
  const parsed = parseIndexPack(args)
  const { pack, index, reverse, verify, keep, format, threads: given, collisions } = parsed
  if (parsed.stdin || pack === undefined) return indexPackFromStdin(command, parsed)
  const idx = index ?? renamed(pack, '.pack', '.idx')
  const rev = reverse ? renamed(idx, '.idx', '.rev') : undefined
  const { io } = command
  const inFolder = (file: string) => path.resolve(io.cwd, file)
  if (!fs.existsSync(inFolder(pack))) {
    throw fatal(`could not open '${pack}' for reading: No such file or directory`)
  }
  const ids = formatOfIds(command, format)
  const threads = parsed.strict !== 'no' ? 1 : threadsFor(command, pack, given)
  const report = new StrictReport(command)
  const read = (
    request: IndexPackRequest,
    receiver: RecordReceiver,
    files: { readonly idx?: string } = {},
  ) => {
    const beside = parsed.strict !== 'no' && hasRepository(command)
    try {
      const all = { ...receiver, finding: report.finding }
      const rules = toBytes(linesOfSeverities(parsed.severities, io.cwd))
      const asked = { ...request, collisions, strict: parsed.strict, rules }
      return readPack(command, { pack, beside, ...files }, ids, asked, all)
    } catch (error) {
      throw report.ended(error)
    }
  }
  if (verify) {
    if (!fs.existsSync(inFolder(idx))) {
      throw fatal(`Cannot open existing pack idx file for '${idx}'`)
    }
    if (threads > 1) {
      return together(command, threads, ids, async ({ checkPack }, options) => {
        await checkPack(inFolder(pack), inFolder(idx), { ...options, collisions })
        return 0
      })
    }
    read({ verify: true }, {}, { idx })
    report.printMissing()
    return 0
  }
  const written = new Written()
  const inRepository = hasRepository(command)
  const indexed: Uint8Array[] = []
  const files: RecordReceiver = {
    index: (bytes) => {
      if (inRepository) indexed.push(bytes.slice())
      written.write(inFolder(idx), bytes)
    },
    reverse: (bytes) => written.write(inFolder(rev ?? ''), bytes),
  }
  const publish = ({ oid }: PackFacts) => {
    if (inRepository) refuseCollisions(command, Buffer.concat(indexed), ids)
    if (keep !== undefined) writeBeside(inFolder(renamed(pack, '.pack', '.keep')), keep)
    written.publish()
    io.write(Buffer.from(`${oid}\n`))
    report.printMissing()
    return 0
  }
  if (threads > 1) {
    return together(command, threads, ids, async ({ indexPack: make }, options) => {
      try {
        const made = await make(inFolder(pack), { ...options, collisions })
        files.index?.(made.idx)
        if (rev !== undefined) files.reverse?.(made.rev)
        return publish(made)
      } finally {
        written.discard()
      }
    })
  }
  try {
    return publish(read({ index: true, reverse: rev !== undefined }, files))
  } finally {
    written.discard()
  }
}
