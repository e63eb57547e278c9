/** Runs in a dedicated worker: makes the calls of the page tests there, and checks handles. */
import { placeOf, questions } from '../support/conformance.ts'
import type { Expected } from '../support/expected.ts'
import * as scenes from './access-handle-scenes.ts'

export type Job =
  | { readonly question: string; readonly of: Expected; readonly folder: FileSystemDirectoryHandle }
  | {
      readonly scene: keyof typeof scenes
      readonly folder: FileSystemDirectoryHandle
      readonly args: readonly unknown[]
    }

type Scene = (...args: readonly unknown[]) => Promise<unknown>

async function answer(job: Job): Promise<unknown> {
  if ('scene' in job) {
    const scene = Object.entries(scenes).find(([name]) => name === job.scene)?.[1] as Scene
    return scene(job.folder, ...job.args)
  }
  const question = questions.find(({ name }) => name === job.question)
  return question?.ask(await placeOf(() => job.folder), job.of)
}

addEventListener('message', async ({ data, ports }: MessageEvent<Job>) => {
  try {
    ports[0]?.postMessage({ answer: await answer(data) })
  } catch (error) {
    ports[0]?.postMessage({ error })
  }
})
