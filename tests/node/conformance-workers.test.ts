/** Repositories in a worker: all answers equal git's. */
import { answerAsGit } from './conformance.ts'

answerAsGit('workers')
