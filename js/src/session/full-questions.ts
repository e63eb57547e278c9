/** Makes the questions known that only the full module answers. */
import { FULL_QUESTIONS } from '../base/protocol-full.js'
import { addQuestions } from './question.js'

addQuestions(FULL_QUESTIONS)
