import { whenReady } from '../../base/maybe.js'
import { processIo } from './base/io.js'
import { COMMANDS } from './commands.js'
import { main } from './main.js'

// No top-level await: this file is bundled as CommonJS.
const chunks = {
  commands: COMMANDS,
  help: () => import('./help/help.js'),
  pager: () => import('./pager.js'),
}
whenReady(main(process.argv.slice(2), processIo(), chunks), (code) => {
  process.exitCode = code
})
