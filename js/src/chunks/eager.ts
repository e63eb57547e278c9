/** Replaces `lazy.ts` in scripts of one file: returns the same modules without loading. */

import * as changesFile from './changes.js'
import * as foldersFile from './folders.js'
import * as serversFile from './servers.js'
import * as upkeepFile from './upkeep.js'

export const folders = async () => foldersFile

export const changes = async () => changesFile

export const servers = async () => serversFile

export const upkeep = async () => upkeepFile
