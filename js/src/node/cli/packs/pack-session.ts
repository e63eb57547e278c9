/** Opens and reads a pack that a command indexes or verifies. */
import * as path from 'node:path'
import type { PackFacts, RecordReceiver } from '../../../objects/pack-records.js'
import { dispatchRecords } from '../../../objects/pack-records.js'
import type { IndexPackRequest } from '../../../packs/pack-answers.js'
import { PACK_PAGE, packQuestion } from '../../../packs/pack-answers.js'
import { questionCall } from '../../../session/question.js'
import { Session } from '../../../session/session.js'
import { expectSync, Task } from '../../../session/task.js'
import { packFilesStore } from '../../../source/pack-files.js'
import type { FileStore } from '../../../source/store.js'
import { fileAt, pathStore } from '../../path-store.js'
import { environmentOf } from '../base/environment.js'
import { Exit, fatal } from '../base/exit.js'
import { loadModule } from '../base/module.js'
import type { Command } from '../opening/command.js'
import { memoryOf } from '../repository/reader.js'

/** Opens a session for a question about files, which need no repository. */
export function openSession(
  { io }: Command,
  store: FileStore,
  objectFormat: ObjectFormat,
): Session {
  loadModule()
  const memory = memoryOf(io.env.PACKLENS_MEMORY)
  const { environment } = environmentOf(io)
  const session = new Session(store, {
    memory,
    baseCache: memory / 2,
    verify: 'oid',
    objectFormat,
    environment: { ...environment, replaceBase: '' },
    inOneTurn: true,
  })
  try {
    expectSync(session.prepare({}))
    return session
  } catch (error) {
    session.close()
    throw error
  }
}

export type ObjectFormat = 'sha1' | 'sha256'

/**
 * Reads a whole pack; `receiver` gets the requested records. `beside` also opens the repository,
 * for packs that may lack bases which the repository has.
 */
export function readPack(
  command: Command,
  files: { readonly pack: string; readonly idx?: string; readonly beside?: boolean },
  objectFormat: ObjectFormat,
  request: IndexPackRequest,
  receiver: RecordReceiver,
): PackFacts {
  const { cwd } = command.io
  const absoluteFiles = {
    pack: path.resolve(cwd, files.pack),
    ...(files.idx && { idx: path.resolve(cwd, files.idx) }),
  }
  const { directories } = environmentOf(command.io)
  const ofRepository = () => pathStore(command.open().place.gitDir, directories)
  const repository = files.beside ? true : undefined
  const store = expectSync(packFilesStore({ ...absoluteFiles, repository }, fileAt, ofRepository))
  const session = openSession(command, store, objectFormat)
  try {
    return runTask(session, request, receiver)
  } finally {
    session.close()
  }
}

function runTask(session: Session, request: IndexPackRequest, receiver: RecordReceiver): PackFacts {
  const start = questionCall(packQuestion(request))
  const task = expectSync(Task.start(session, start, {}))
  for (;;) {
    const facts = expectSync(task.fill(PACK_PAGE, (page) => dispatchRecords(page, receiver), {}))
    if (facts) return facts
    if (task.done) throw fatal('the answer about a pack ends too early')
  }
}

/** Returns the format of ids: the named one, else that of the repository, else SHA-1. */
export function formatOfIds(command: Command, named: string | undefined): ObjectFormat {
  if (named === 'sha1' || named === 'sha256') return named
  if (named !== undefined) throw fatal(`unknown hash algorithm '${named}'`)
  try {
    return command.open().reader.hexLength === 64 ? 'sha256' : 'sha1'
  } catch (error) {
    // A pack need not be in a repository.
    if (error instanceof Exit) return 'sha1'
    throw error
  }
}
