/** Replaces `lazy.ts` in scripts of one file: returns the same modules without loading. */

import { bundleStore } from '../opening/bundle.js'
import { checkPrerequisites } from '../opening/prerequisites.js'
import { addFullQuestions } from '../session/full-questions.js'
import { wholeBeside } from '../session/rest-beside.js'
import * as foldersFile from './folders.js'
import * as fullFile from './full.js'
import * as serversFile from './servers.js'

export const folders = async () => foldersFile

export const servers = async () => serversFile

// Workers open bundles, and have no other code of the full module.
export const bundles = () => {
  addFullQuestions()
  return { bundleStore, checkPrerequisites }
}

export const restLoader = () => ({ wholeBeside })

export const full = () => {
  addFullQuestions()
  return fullFile
}

export const loadedFull = full
