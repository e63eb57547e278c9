import { commands, window } from 'vscode'
import type { Adapter } from '../types'
import { PlatformName } from '../types'
import { GitDataSource } from './data-source.ts'
import { Repositories } from './repositories.ts'
import { GitRouterParser } from './router-parser.ts'

/** What github1s shows of a repository; it has no code reviews, and needs no settings. */
const VIEWS = [
  'github1s:views:commitList:visible',
  'github1s:views:fileHistory:visible',
  'github1s:features:gutterBlame:enabled',
]

/**
 * An adapter of github1s for git repositories on a server of files. `urlOf` returns the URL of a
 * bare repository by its name in addresses of the page, which is `owner/name`.
 */
export class PacklensAdapter implements Adapter {
  readonly scheme = 'packlens'
  readonly platformName = PlatformName.OfficialPage
  readonly #source: GitDataSource
  readonly #parser: GitRouterParser

  constructor(urlOf: (repo: string) => string) {
    const repositories = new Repositories(urlOf)
    this.#source = new GitDataSource(repositories)
    this.#parser = new GitRouterParser(urlOf, (repo, revision) =>
      // github1s is not activated by an error here, and shows nothing.
      repositories.hasCommit(repo, revision).catch((error: unknown) => {
        window.showErrorMessage(`${repo}: ${error instanceof Error ? error.message : error}`)
        return true
      }),
    )
  }

  resolveDataSource(): GitDataSource {
    return this.#source
  }

  resolveRouterParser(): GitRouterParser {
    return this.#parser
  }

  activateAsDefault(): void {
    setContexts(true)
  }

  deactivateAsDefault(): void {
    setContexts(false)
  }
}

function setContexts(value: boolean): void {
  for (const name of VIEWS) commands.executeCommand('setContext', name, value)
}
