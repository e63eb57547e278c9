#!/usr/bin/env node
import { whenReady } from '../../base/maybe.js'
import { processIo } from './io.js'
import { main } from './main.js'

// No top-level await: this file is bundled as CommonJS.
const others = () => import('./commands.js').then(({ COMMANDS }) => COMMANDS)
whenReady(main(process.argv.slice(2), processIo(), others), (code) => {
  process.exitCode = code
})
