/** Paths, stores and lists of files: all answers as git's. */
import { answerAsGit } from './conformance.ts'

answerAsGit('files')
