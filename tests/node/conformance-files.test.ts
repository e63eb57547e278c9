/** Paths, stores and lists of files: all answers equal git's. */
import { answerAsGit } from './conformance.ts'

answerAsGit('files')
