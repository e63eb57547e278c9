/** `fsck`: checks the objects of a repository, and the links between them. */
import * as path from 'node:path'
import type { FsckQuestion } from '../../../base/protocol.js'
import type { Finding } from '../../../objects/findings.js'
import { decodeFindings } from '../../../objects/findings.js'
import { parseOptions } from '../args/options.js'
import { Exit, fatal } from '../base/exit.js'
import { safeOutput } from '../base/terminal.js'
import type { Command } from '../opening/command.js'
import { fromBytes, textOfBytes, toBytes } from '../text/bytes.js'

type Flag = Exclude<keyof FsckQuestion, 'kind' | 'rules' | 'heads' | 'role'>

export function fsck(command: Command, args: readonly string[]): number {
  const flags: { -readonly [name in Flag]: boolean } = {
    full: true,
    dangling: true,
    reflogs: true,
    references: true,
    unreachable: false,
    tags: false,
    root: false,
    cache: false,
    connectivityOnly: false,
    strict: false,
    nameObjects: false,
  }
  const flag = (long: string, name: Flag) => ({
    long,
    negatable: true,
    set: (_: string | undefined, negated: boolean) => {
      flags[name] = !negated
    },
  })
  const lacking = (long: string) => ({
    long,
    negatable: true,
    set: () => {
      throw fatal(`packlens fsck does not support --${long}`)
    },
  })
  const rest = parseOptions(
    [
      flag('unreachable', 'unreachable'),
      flag('dangling', 'dangling'),
      flag('tags', 'tags'),
      flag('root', 'root'),
      flag('cache', 'cache'),
      flag('reflogs', 'reflogs'),
      flag('full', 'full'),
      flag('connectivity-only', 'connectivityOnly'),
      flag('strict', 'strict'),
      flag('name-objects', 'nameObjects'),
      { long: 'progress', negatable: true, set: () => {} },
      ...['verbose', 'lost-found'].map(lacking),
      flag('references', 'references'),
    ],
    args,
  )
  const { reader, io, place, names } = command.open()
  const heads = rest.map((name) => (names.isRelative(name) ? (names.find(name) ?? name) : name))
  const folder = path.relative(io.cwd, place.gitDir) || '.'
  let code = 0
  const receiver = {
    progress: () => {},
    finding: (finding: Finding) => {
      if (code === GIVES_UP) return
      code |= finding.exit
      if (FATAL.has(finding.id) && finding.exit === GIVES_UP) code = GIVES_UP
      const { out = '', error = '' } = linesOf(finding, folder, reader.hexLength)
      if (out !== '') io.write(toBytes(safeOutput(io, out)))
      if (error !== '') io.writeError(textOfBytes(error))
    },
  }
  reader.pages({ kind: 'fsck', heads: reader.specs(heads), ...flags }, (page) => {
    decodeFindings(page as Uint8Array<ArrayBuffer>, receiver, fromBytes)
  })
  if (code !== 0) throw new Exit(code, '')
  return 0
}

/** The findings after which git reports nothing more. */
const FATAL: ReadonlySet<string> = new Set([
  'shortIndexFile',
  'badIndexFile',
  'badIndexEntries',
  'corruptObject',
])
const GIVES_UP = 128

interface Lines {
  readonly out?: string
  readonly error?: string
}

/** Returns the lines that git prints for a finding. */
function linesOf(finding: Finding, folder: string, hexLength: number): Lines {
  const { id, message, severity } = finding
  const type = finding.type ?? 'unknown'
  const toType = finding.toType ?? 'unknown'
  const [name, toName] = finding.names
  const oid = described(finding.oid, name)
  const to = described(finding.to, toName)
  const place = finding.place ?? ''
  const file = `${folder}/${place}`
  const indexFile = folder === '.' ? place : file
  switch (id) {
    case 'dangling':
    case 'unreachable':
    case 'missing':
      return { out: `${id} ${type} ${oid}\n` }
    case 'root':
      return { out: `root ${oid}\n` }
    case 'tagged':
      return { out: `tagged ${toType} ${to} (${message}) in ${oid}\n` }
    case 'brokenLink':
      return {
        out: `broken link from ${type.padStart(7)} ${oid}\n              to ${toType.padStart(7)} ${to}\n`,
      }
    case 'invalidRef': {
      const pointer = finding.oid ?? '0'.repeat(hexLength)
      return { error: `error: ${place}: invalid sha1 pointer ${pointer}\n` }
    }
    case 'invalidHead':
      return { error: `error: ${message}, got '${place}'\n` }
    case 'notACommit':
      return { error: `error: ${place}: not a commit\n` }
    case 'invalidReflog':
      return { error: `error: ${place}: invalid reflog entry ${finding.oid}\n` }
    case 'shortIndexFile':
      return { error: `fatal: ${indexFile}: ${message}\n` }
    case 'badIndexFile':
      return { error: `error: ${message}\nfatal: index file corrupt\n` }
    case 'badIndexEntries':
      return { error: `fatal: ${message}\n` }
    case 'badResolveUndo':
      return { error: `error: ${message}\n` }
    case 'invalidCacheTree':
    case 'invalidResolveUndo':
      return { error: `error: ${finding.oid}: ${message} of ${indexFile}\n` }
    case 'wrongTypeInIndex':
      return { error: `error: object ${finding.oid} is a ${type}, not a blob\n` }
    case 'noRefs':
      return { error: 'notice: No default references\n' }
    case 'corruptLoose':
      return { error: `error: ${finding.oid}: object corrupt or missing: ${file}\n` }
    case 'corruptObject': {
      if (finding.exit !== GIVES_UP) return { error: `error: Could not read ${finding.oid}\n` }
      const kind = place.endsWith('.pack') ? 'packed' : 'loose'
      return { error: `fatal: ${kind} object ${finding.oid} (stored in ${file}) is corrupt\n` }
    }
    case 'packedRefUnsorted':
      return { error: `error: ${place} ${message.replace(':', `: ${id}:`)}\n` }
    case 'hashMismatch':
      return { error: `error: ${finding.to}: hash-path mismatch, found at: ${file}\n` }
    case 'badLooseFile':
      return { error: `bad sha1 file: ${file}\n` }
    case 'unparsable': {
      const why = message === '' ? '' : `error: ${message}${finding.oid}\n`
      if (place === '') return { error: why }
      const what = place.endsWith('.pack')
        ? 'object corrupt or missing'
        : `object could not be parsed: ${file}`
      return { error: `${why}error: ${finding.oid}: ${what}\n` }
    }
    case 'packChecksum':
      return { error: `error: ${file} pack checksum mismatch\n` }
    case 'packIndexMismatch':
      return { error: `error: ${file} pack checksum does not match its index\n` }
    case 'packIndexChecksum':
      return { error: `error: Packfile index for ${file} hash mismatch\n` }
    case 'packCrc': {
      const [, offset] = /offset (\d+)/.exec(message) ?? []
      return {
        error: `error: index CRC mismatch for object ${finding.oid} from ${file} at offset ${offset}\n`,
      }
    }
    case 'cannotUnpack': {
      const [, offset] = /offset (\d+)/.exec(message) ?? []
      return { error: `error: cannot unpack ${finding.oid} from ${file} at offset ${offset}\n` }
    }
    case 'corruptPacked':
      return { error: `error: packed ${finding.oid} from ${file} is corrupt\n` }
    case 'badPack':
      return { error: `error: packfile ${file} cannot be accessed\n` }
    case 'badPackIndex': {
      const pack = file.replace(/idx$/, 'pack')
      const order = `error: unable to load rev-index for pack '${pack}'\n`
      const opening = finding.exit & 4 ? `error: packfile ${pack} index not opened\n` : ''
      return { error: `${opening}${order}` }
    }
    case 'badReverseIndex':
      return { error: reverseIndexLine(message, file) }
    case 'badBitmap':
      return { error: `error: bitmap file '${file}' has invalid checksum\n` }
    case 'badMultiPackIndex':
    case 'badCommitGraph':
      return { error: `${message}\n` }
    case 'unusableMultiPackIndex':
    case 'unusableCommitGraph':
      return { error: `error: ${message}\n` }
    case 'brokenMultiPackIndex':
    case 'brokenCommitGraph':
      return { error: `fatal: ${message}\n` }
    case 'inexactGeneration':
      return {}
    case 'brokenLinks':
    case 'wrongType':
      return { error: `error in ${type} ${oid}: ${message}\n` }
    default: {
      const what = severity === 'error' ? 'error' : 'warning'
      return { error: `${what} in ${type} ${oid}: ${id}: ${message}\n` }
    }
  }
}

function reverseIndexLine(message: string, file: string): string {
  if (message.endsWith(' rev-index')) {
    return `error: ${message} for pack '${file.replace(/rev$/, 'pack')}'\n`
  }
  return `error: ${message.replace('index file', `index file ${file}`)}\n`
}

function described(oid: string | null, name: string): string {
  return name === '' ? `${oid}` : `${oid} (${name})`
}
