/** A process that asks hostile repositories one after the other, so that a hanging one can be ended. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { PROCESS_TIMEOUT } from '../../support/timeouts.ts'
import { root } from '../support.ts'

/** What a line of the script says about a repository. */
interface Line {
  readonly folder: string
}

interface Ended {
  readonly stderr: string
  readonly code: number | null
}

/** Prints lines of JSON, each with the folder of the repository that it is about and an answer. */
export class Script<Answer = object> {
  readonly #child: ChildProcess
  readonly #lines: AsyncIterator<string>
  readonly #ended: Promise<Ended>
  readonly #found = new Map<string, (Line & Answer)[]>()

  constructor(args: readonly string[]) {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    this.#lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    let stderr = ''
    child.stderr.on('data', (text) => {
      if (stderr.length < 1 << 20) stderr += text
    })
    this.#ended = new Promise((resolve) => {
      child.on('close', (code) => resolve({ stderr, code }))
    })
  }

  /** Returns the first lines about a repository; rejects if the process ends before, or hangs. */
  linesAbout(folder: string, count: number): Promise<readonly (Line & Answer)[]> {
    return this.#unlessHung(async () => {
      for (;;) {
        const found = this.#found.get(folder) ?? []
        if (found.length === count) return found
        const { value, done } = await this.#lines.next()
        if (done) {
          const why = JSON.stringify(await this.#ended)
          throw new Error(`the process ended after ${found.length} lines about ${folder}: ${why}`)
        }
        const line = JSON.parse(value) as Line & Answer
        this.#found.set(line.folder, [...(this.#found.get(line.folder) ?? []), line])
      }
    })
  }

  /** Returns how the process ended; its other output is skipped. */
  ended(): Promise<Ended> {
    return this.#unlessHung(async () => {
      while (!(await this.#lines.next()).done);
      return this.#ended
    })
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }

  async #unlessHung<T>(wait: () => Promise<T>): Promise<T> {
    const end = setTimeout(() => this.kill(), PROCESS_TIMEOUT)
    try {
      return await wait()
    } finally {
      clearTimeout(end)
    }
  }
}
