/** `rev-list --disk-usage`: how many bytes the listed objects take where they are stored. */
import type { RevListQuestion } from '../../../base/protocol.js'
import { fatal } from '../base/exit.js'
import type { Opened } from '../opening/command.js'
import { walkSlowly } from '../repository/walk.js'
import { fromBytes } from '../text/bytes.js'
import { humanBytes } from '../text/sizes.js'

/** The id of a commit or object; lines that begin otherwise are about objects that are not listed. */
const LISTED = /^[-<>=+]?([0-9a-f]{40,})/gm

const OTHER = /^[~?].*\n/gm

export class DiskUsage {
  #format: 'bytes' | 'human' | null = null
  #sum = 0

  /** Takes an option; returns 0, or `null` if it is another one. */
  take(arg: string): number | null {
    const [, , format] = /^--disk-usage(=(.*))?$/s.exec(arg) ?? []
    if (format === undefined && arg !== '--disk-usage') return null
    if (format !== undefined && format !== 'human') {
      const what = `invalid value for '--disk-usage=<format>': '${format}'`
      throw fatal(`${what}, the only allowed format is 'human'`)
    }
    this.#format = format === undefined ? 'bytes' : 'human'
    return 0
  }

  get isWanted(): boolean {
    return this.#format !== null
  }

  /** Prints the sum, after lines about objects that filters omit or that are missing. */
  print(opened: Opened, request: RevListQuestion): void {
    const { io } = opened
    walkSlowly(opened, { ...request, count: false }, (page) => {
      const text = fromBytes(page)
      for (const [, id = ''] of text.matchAll(LISTED)) this.add(opened, id)
      const others = text.match(OTHER)
      if (others) io.write(Buffer.from(others.join('')))
    })
    // git counts no commits then.
    const count = request.count ? '0\n' : ''
    io.write(Buffer.from(`${count}${this.total}\n`))
  }

  /** Adds an object to the sum. */
  add({ reader }: Opened, oid: string): void {
    this.#sum += reader.storage(oid)?.diskSize ?? 0
  }

  /** The sum as it is printed. */
  get total(): string {
    return this.#format === 'human' ? humanBytes(this.#sum) : `${this.#sum}`
  }
}
