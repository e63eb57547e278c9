/** All scenarios of faulty servers. */
import type { Scenario } from './faults.ts'
import { busyScenarios } from './scenarios/busy.ts'
import { connectionScenarios } from './scenarios/connection.ts'
import { filesScenarios } from './scenarios/files.ts'
import { multipartScenarios } from './scenarios/multipart.ts'
import { rangesScenarios } from './scenarios/ranges.ts'
import { versionsScenarios } from './scenarios/versions.ts'
import type { Scene } from './scene.ts'

export function scenariosOf(scene: Scene): Scenario[] {
  return [
    ...busyScenarios,
    ...filesScenarios,
    ...rangesScenarios(scene),
    ...connectionScenarios,
    ...versionsScenarios,
    ...multipartScenarios(scene),
  ]
}
