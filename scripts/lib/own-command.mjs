// Runs commands of packlens in this process, for scripts that compare their answers with git's.
import { COMMANDS } from '../../dist/node/cli/commands.js'
import * as help from '../../dist/node/cli/help/help.js'
import { main } from '../../dist/node/cli/main.js'
import * as pager from '../../dist/node/cli/pager.js'

class Enough extends Error {}

/**
 * Runs a command with `input` on its standard input; returns its exit code, output and messages.
 * The code is `null` if the command throws, or prints more than `most` bytes, where it ends.
 */
export function ownCommand(gitDir, args, options) {
  return ownCommandIn(process.cwd(), ['--git-dir', gitDir, ...args], options)
}

/** As `ownCommand`, in the repository that a folder is in. */
export async function ownCommandIn(cwd, args, { input = '', most = Infinity } = {}) {
  const writes = []
  const rest = Buffer.from(input)
  let [at, size, error] = [0, 0, '']
  const io = {
    env: { GIT_CONFIG_NOSYSTEM: '1' },
    cwd,
    read(into) {
      const count = rest.copy(into, 0, at)
      at += count
      return count
    },
    write(bytes) {
      writes.push(Buffer.from(bytes))
      size += bytes.byteLength
      if (size > most) throw new Enough()
    },
    writeError(text) {
      error += text
    },
  }
  let exit = null
  try {
    exit = await main(args, io, {
      commands: COMMANDS,
      help: () => help,
      pager: () => pager,
    })
  } catch (thrown) {
    if (!(thrown instanceof Enough)) error = `${thrown.stack}`
  }
  return { exit, output: Buffer.concat(writes), error }
}
