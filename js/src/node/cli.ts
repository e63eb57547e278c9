#!/usr/bin/env node
import { then } from '../maybe.js'
import { processIo } from './cli/io.js'
import { main } from './cli/main.js'

// Nothing is awaited here: the one file that this becomes is CommonJS.
then(main(process.argv.slice(2), processIo()), (code) => {
  process.exitCode = code
})
