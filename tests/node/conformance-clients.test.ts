/** File systems with the functions of Node: all answers as git's. */
import { answerAsGit } from './conformance.ts'

answerAsGit('clients')
