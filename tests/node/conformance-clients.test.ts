/** File systems with the functions of Node: all answers equal git's. */
import { answerAsGit } from './conformance.ts'

answerAsGit('clients')
