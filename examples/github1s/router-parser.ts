import type { RouterState } from '../types'
import { PageType, RouterParser } from '../types'

/** The addresses of the page: `/owner/name/tree/branch/folder`, as GitHub's are. */
export class GitRouterParser extends RouterParser {
  readonly #urlOf: (repo: string) => string
  readonly #hasCommit: (repo: string, revision: string) => Promise<boolean>

  constructor(
    urlOf: (repo: string) => string,
    hasCommit: (repo: string, revision: string) => Promise<boolean>,
  ) {
    super()
    this.#urlOf = urlOf
    this.#hasCommit = hasCommit
  }

  override async parsePath(path: string): Promise<RouterState> {
    const { pathname, searchParams, hash } = new URL(path, 'https://page.invalid')
    const [owner = '', name = '', kind = '', ...rest] = pathname
      .split('/')
      .filter(Boolean)
      .map(decoded)
    const repo = owner && name && `${owner}/${name}`
    const all = { repo, ref: rest.join('/') || 'HEAD' }
    if (kind === 'commits') return { ...all, pageType: PageType.CommitList }
    if (kind === 'commit') return { ...all, pageType: PageType.Commit, commitSha: all.ref }
    if (kind === 'search') {
      const isSet = (option: string) => searchParams.get(option) === 'yes'
      return {
        ...{ repo, ref: 'HEAD', pageType: PageType.Search },
        query: searchParams.get('q') ?? '',
        isRegex: isSet('regex'),
        isCaseSensitive: isSet('case'),
        matchWholeWord: isSet('whole'),
        filesToInclude: searchParams.get('files-to-include') ?? '',
        filesToExclude: searchParams.get('files-to-exclude') ?? '',
      }
    }
    const at = await this.#split(repo, rest)
    if (kind !== 'blob') return { repo, ...at, pageType: PageType.Tree }
    const [, first, last = first] = /^#L(\d+)(?:-L(\d+))?/.exec(hash) ?? []
    const lines = first && last ? { startLine: Number(first), endLine: Number(last) } : {}
    return { repo, ...at, ...lines, pageType: PageType.Blob }
  }

  override buildTreePath(repo: string, ref?: string, filePath = '/'): string {
    return ref ? `/${repo}/tree/${ref}${filePath === '/' ? '' : filePath}` : `/${repo}`
  }

  override buildBlobPath(
    repo: string,
    ref: string,
    filePath: string,
    startLine?: number,
    endLine?: number,
  ): string {
    const lines = [startLine, endLine].filter((line) => line).map((line) => `L${line}`)
    return `/${repo}/blob/${ref}${filePath}${lines.length > 0 ? `#${lines.join('-')}` : ''}`
  }

  override buildCommitListPath(repo: string): string {
    return `/${repo}/commits`
  }

  override buildCommitPath(repo: string, commitSha: string): string {
    return `/${repo}/commit/${commitSha}`
  }

  /** The repository is all that its server shows. */
  override buildExternalLink(path: string): string {
    const [owner, name] = path.split('/').filter(Boolean)
    return this.#urlOf(`${owner}/${name}`)
  }

  /** Divides what follows `tree` in a revision and a path: names of branches have slashes, too. */
  async #split(repo: string, rest: readonly string[]): Promise<{ ref: string; filePath: string }> {
    if (repo === '' || rest.length === 0) return { ref: 'HEAD', filePath: '/' }
    for (let count = 1; count <= rest.length; count++) {
      const ref = rest.slice(0, count).join('/')
      const filePath = `/${rest.slice(count).join('/')}`
      if (await this.#hasCommit(repo, ref)) return { ref, filePath }
    }
    return { ref: rest[0] as string, filePath: `/${rest.slice(1).join('/')}` }
  }
}

/** github1s passes the first address decoded, the later ones encoded. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
