/**
 * Runs a command whose output is for a terminal, although it is a pipe here: Node makes no
 * terminals. Prints its exit code to standard error.
 *
 *   node paged-command.mjs ARGUMENTS...
 */

import { processIo } from '../../dist/node/cli/base/io.js'
import { COMMANDS } from '../../dist/node/cli/commands.js'
import * as help from '../../dist/node/cli/help/help.js'
import { main } from '../../dist/node/cli/main.js'
import * as pager from '../../dist/node/cli/pager.js'

const io = { ...processIo(), toTerminal: true, errorsToTerminal: process.env.ERRORS === 'yes' }
const chunks = { commands: COMMANDS, help: () => help, pager: () => pager }
process.exitCode = await main(process.argv.slice(2), io, chunks)
