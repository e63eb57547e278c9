/**
 * Runs commands of the command line on repositories, one after the other, and prints a line of
 * JSON for each: its exit code and its standard error. Runs in a process of its own, so that a
 * hanging one can be ended; starting one for each command takes longer than most commands.
 *
 *   node run-commands.mjs COMMANDS FOLDER...
 */
import { writeSync } from 'node:fs'
import { COMMANDS } from '../../../dist/node/cli/commands.js'
import * as help from '../../../dist/node/cli/help/help.js'
import { main } from '../../../dist/node/cli/main.js'
import * as pager from '../../../dist/node/cli/pager.js'

const [commands, ...folders] = process.argv.slice(2)
for (const folder of folders) for (const command of JSON.parse(commands)) await run(folder, command)

async function run(folder, command) {
  let stderr = ''
  const io = {
    env: {},
    cwd: process.cwd(),
    toTerminal: false,
    read: () => 0,
    write() {},
    writeError(text) {
      if (stderr.length < 1 << 20) stderr += text
    },
  }
  let code = null
  try {
    code = await main(['--git-dir', folder, ...command], io, {
      commands: COMMANDS,
      help: () => help,
      pager: () => pager,
    })
  } catch (error) {
    // What a process would print if nothing caught the error.
    stderr += `${error?.stack ?? error}\n`
  }
  writeSync(1, `${JSON.stringify({ folder, code, stderr })}\n`)
}
