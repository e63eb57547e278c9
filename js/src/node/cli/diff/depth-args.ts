/** `--max-depth`: how many directories below each path of the command line are compared. */

import type { Option } from '../args/options.js'
import { Exit } from '../base/exit.js'

export interface DepthArgs {
  /** `null` if it was not asked for; -1 for no limit, which enters directories, too. */
  maxDepth: number | null
}

export function depthOption(args: DepthArgs): Option {
  return {
    ...{ long: 'max-depth', value: 'required' },
    set(value = '') {
      if (!/^[-+]?\d{1,9}$/.test(value)) {
        throw new Exit(129, `error: invalid value for '--max-depth': '${value}'\n`)
      }
      args.maxDepth = Math.max(Number(value), -1)
    },
  }
}

/** Returns the depth as the core takes it. */
export function depthAsked({ maxDepth }: DepthArgs): number | undefined {
  return maxDepth === null || maxDepth < 0 ? undefined : maxDepth
}
