// Asks a program that answers as `cat-file --batch` does, one question at a time.
import { BatchReader } from './digest.mjs'

const ignored = { object() {}, content() {}, end() {} }

/** Each question waits for the answer to the one before. */
export async function converse({ stdin, stdout }, questions, digest) {
  // Without a digest the answers are followed all the same, to know where they end.
  const reader = digest ?? new BatchReader(ignored)
  // A program that fails early is told of by its exit code.
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
