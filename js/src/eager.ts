/** What `lazy.ts` loads, without loading: takes its place in scripts of one file. */
import * as foldersFile from './folders.js'
import * as serversFile from './servers.js'
import * as upkeepFile from './upkeep.js'

export const folders = async () => foldersFile

export const servers = async () => serversFile

export const upkeep = async () => upkeepFile
