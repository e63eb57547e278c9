/** The questions that only the full module answers. */
import { FULL_QUESTIONS } from '../base/protocol-full.js'
import { addQuestions } from './question.js'

let isAdded = false

/** Makes these questions known. */
export function addFullQuestions(): void {
  if (!isAdded) addQuestions(FULL_QUESTIONS)
  isAdded = true
}
