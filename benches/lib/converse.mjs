// Asks a program in the format of `cat-file --batch`, one question at a time.
import { BatchReader } from './digest.mjs'

const ignored = { object() {}, content() {}, end() {} }

/** Each question waits for the answer to the previous one. */
export async function converse({ stdin, stdout }, questions, digest) {
  // Without a digest the answers are parsed too, to find their ends.
  const reader = digest ?? new BatchReader(ignored)
  // The exit code reports a program that fails early.
  stdin.on('error', () => {})
  let at = 0
  const ask = () => {
    if (at === questions.length) stdin.end()
    else stdin.write(`${questions[at++]}\n`)
  }
  ask()
  for await (const chunk of stdout) {
    reader.write(chunk)
    if (reader.between && !stdin.writableEnded) ask()
  }
  if (at < questions.length)
    throw new Error(`it ended after ${at} of ${questions.length} questions`)
}
