#!/usr/bin/env node
import { whenReady } from '../maybe.js'
import { processIo } from './cli/io.js'
import { main } from './cli/main.js'

// No top-level await: this file is bundled as CommonJS.
const others = () => import('./cli/commands.js').then(({ COMMANDS }) => COMMANDS)
whenReady(main(process.argv.slice(2), processIo(), others), (code) => {
  process.exitCode = code
})
