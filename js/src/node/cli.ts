#!/usr/bin/env node
import { whenReady } from '../maybe.js'
import { processIo } from './cli/io.js'
import { main } from './cli/main.js'

// Nothing is awaited here: the files that this becomes are CommonJS.
const others = () => import('./cli/commands.js').then(({ COMMANDS }) => COMMANDS)
whenReady(main(process.argv.slice(2), processIo(), others), (code) => {
  process.exitCode = code
})
