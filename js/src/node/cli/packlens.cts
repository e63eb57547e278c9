#!/usr/bin/env node
/**
 * Starts the program. Node 22 and later keep its compiled code from run to run, in the cache of the
 * user. This file is small, because it is compiled each time.
 */
import fs = require('node:fs')
import loader = require('node:module')
import path = require('node:path')

/** Variables that name a folder of the user, and where caches are in it. */
const PLACES = [
  ['XDG_CACHE_HOME', '.'],
  ['HOME', '.cache'],
  ['LOCALAPPDATA', '.'],
] as const

function keepCompiledCode(): void {
  // `NODE_COMPILE_CACHE` and `NODE_DISABLE_COMPILE_CACHE` go before the folder given here.
  const { enableCompileCache } = loader as { enableCompileCache?: (folder: string) => unknown }
  const [name, caches] = PLACES.find(([name]) => path.isAbsolute(process.env[name] ?? '')) ?? []
  if (!enableCompileCache || name === undefined || caches === undefined) return
  const folder = process.env[name] ?? ''
  if (isOwn(folder)) enableCompileCache(path.join(folder, caches, 'packlens'))
}

/** What is kept is run: another user, whose home is used under `sudo`, could have written it. */
function isOwn(folder: string): boolean {
  try {
    const { uid } = fs.statSync(folder)
    return uid === (process.getuid?.() ?? uid)
  } catch {
    return false
  }
}

keepCompiledCode()
require('./packlens-program.cjs')
