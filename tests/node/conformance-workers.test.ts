/** Repositories in a worker: all answers as git's. */
import { answerAsGit } from './conformance.ts'

answerAsGit('workers')
