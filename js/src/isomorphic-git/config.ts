/** Reads the configuration of a repository. */
import { configBoolean, configInteger } from '../base/config-values.js'
import type { Config, Repository } from '../index.js'
import { answered } from './calls.js'
import type { Place, RepositoryParameters } from './parameters.js'

/** The parameters of {@link getConfig} and {@link getConfigAll}. */
export interface ConfigParameters extends RepositoryParameters {
  /** The name of a variable, such as `remote.origin.url`. */
  readonly path: string
}

/** A value: text, or what isomorphic-git makes of some variables of `core`. */
export type ConfigValue = string | boolean | number

/** A remote, as {@link listRemotes} lists it. */
export interface ListedRemote {
  remote: string
  url: string
}

/** Returns the last value of a variable; `undefined` if it is not set. */
export async function getConfig(parameters: ConfigParameters): Promise<ConfigValue | undefined> {
  const values = await valuesFor('getConfig', parameters)
  return values.at(-1)
}

/** Returns all values of a variable. */
export function getConfigAll(parameters: ConfigParameters): Promise<ConfigValue[]> {
  return valuesFor('getConfigAll', parameters)
}

/** Lists the remotes, each with its last URL. */
export function listRemotes(parameters: RepositoryParameters): Promise<ListedRemote[]> {
  return answered('listRemotes', parameters, [], async (repo, place) => {
    const config = await configOf(repo, place)
    return config.remotes().map(({ name }) => {
      // isomorphic-git has `undefined` for a remote without one, whatever its type says.
      const [url] = valuesOf(config, `remote.${name}.url`).slice(-1) as [string]
      return { remote: name, url }
    })
  })
}

function valuesFor(name: string, parameters: ConfigParameters): Promise<ConfigValue[]> {
  return answered(name, parameters, ['path'], async (repo, place) => {
    return valuesOf(await configOf(repo, place), parameters.path)
  })
}

function configOf(repo: Repository, { gitdir }: Place): Promise<Config> {
  return repo.config(gitdir.startsWith('/') ? { gitDir: gitdir } : {})
}

function valuesOf(config: Config, path: string): ConfigValue[] {
  const names = path.split('.')
  const at = (index: number) => names.at(index)?.toLowerCase() ?? ''
  const name = [at(0), ...names.slice(1, -1), at(-1)].slice(0, names.length).join('.')
  const convert = CONVERTED.get(name) ?? String
  const variables = config.list().filter((variable) => variable.name === name)
  return variables.map(({ value }) => convert(value ?? 'true'))
}

const toBoolean = (value: string) => configBoolean(value) ?? value

/** Variables that are not text, unless git refuses their values. */
const CONVERTED = new Map<string, (value: string) => ConfigValue>([
  ['core.bare', toBoolean],
  ['core.filemode', toBoolean],
  ['core.ignorecase', toBoolean],
  ['core.logallrefupdates', toBoolean],
  ['core.symlinks', toBoolean],
  ['core.bigfilethreshold', (value) => configInteger(value, Number.MAX_SAFE_INTEGER) ?? value],
])
