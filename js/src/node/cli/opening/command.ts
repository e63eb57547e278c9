/** The context of a command: its environment, and the repository, which it opens on demand. */
import type { MaybePromise } from '../../../base/maybe.js'
import type { FileStore } from '../../../source/store.js'
import { pathStore } from '../../path-store.js'
import { type Environment, environmentOf } from '../base/environment.js'
import type { Io } from '../base/io.js'
import { type ModuleName, moduleOf } from '../base/module.js'
import { configFiles } from '../config/config-files.js'
import { configVariables, Settings } from '../config/settings.js'
import { Names } from '../repository/names.js'
import type { Place } from '../repository/place.js'
import { findPlace } from '../repository/place.js'
import { openReader, type Reader } from '../repository/reader.js'
import { hasHighBytes, quotePath } from '../text/bytes.js'
import { AttributeSource } from './attributes.js'
import { commandSettings } from './command-config.js'
import { allVariables, configuredStore, textOf } from './user-config.js'

export interface Opened {
  readonly io: Io
  readonly place: Place
  readonly reader: Reader
  readonly names: Names
  readonly attributes: AttributeSource
  /** The configuration, also that of the user, which is read at the first use. */
  readonly settings: Settings
  /** Quotes a path where needed, as `core.quotePath` says, which is read for the first one that it is about. */
  readonly quote: (path: string) => string
}

/** A repository with the configuration of the user. */
export interface Configured extends Opened {
  /** The path that `core.excludesFile` has, or that it has by default; `null` if it has none. */
  readonly excludesFile: string | null
}

/** Runs a command; returns the exit code, or its promise if other threads take part. */
export type Run = (command: Command, args: readonly string[]) => MaybePromise<number>

/** One run of the command line. */
export class Command {
  readonly io: Io
  /** The git directory, as `--git-dir` or `GIT_DIR` names it. */
  readonly gitDir: string | undefined
  #opened: Opened | undefined

  constructor(io: Io, gitDir: string | undefined) {
    this.io = io
    this.gitDir = gitDir
  }

  /**
   * Returns the repository; finds and opens it at the first call. A command that asks little names
   * the reader: should a question need the full module, that is loaded and answers from then on.
   */
  open(module: ModuleName = 'full'): Opened {
    this.#opened ??= this.#open(module)
    return this.#opened
  }

  /** As {@link Command.open}, with what the configuration of the user says of files. */
  openConfigured(): Configured {
    const { place, environment } = this.#find()
    const { store, excludesFile } = configuredStore(place, this.io, environment)
    this.#opened = this.#read(place, store, environment, 'full')
    return Object.assign(this.#opened, { excludesFile })
  }

  close(): void {
    this.#opened?.reader.close()
  }

  #open(module: ModuleName): Opened {
    const { place, environment } = this.#find()
    const store = pathStore(place.gitDir, environment.directories)
    const suited = module === 'full' ? module : moduleOf(textOf(store), module)
    return this.#read(place, store, environment, suited)
  }

  #find(): { readonly place: Place; readonly environment: Environment } {
    const environment = environmentOf(this.io)
    const place = findPlace(this.io, this.gitDir, environment.directories)
    // The git directory of a linked worktree leads to the common one.
    const directories = { ...environment.directories, worktree: place.isBare ? null : place.top }
    return { place, environment: { ...environment, directories } }
  }

  #read(place: Place, store: FileStore, environment: Environment, module: ModuleName): Opened {
    const reader = openReader(store, this.io, environment, module)
    const names = new Names(this.io, reader, place)
    const attributes = new AttributeSource(this.io, place, reader)
    const { io } = this
    let settings: Settings | undefined
    const variables = () =>
      configFiles(io).length > 0 || commandSettings(io).length > 0
        ? allVariables(place, io, environment)
        : configVariables({ io, place, reader })
    const settled = () => {
      settings ??= new Settings(variables())
      return settings
    }
    return {
      ...{ io, place, reader, names, attributes },
      get settings() {
        return settled()
      },
      quote(path) {
        return quotePath(path, !hasHighBytes(path) || (settled().flag('core.quotePath') ?? true))
      },
    }
  }
}
