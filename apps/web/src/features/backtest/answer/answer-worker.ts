import { type Answers, readers, type Reading } from './read-answer.ts'

export interface Question {
  kind: keyof Answers
  bytes: ArrayBuffer
}

// A thread of its own for long answers: reading a hundred thousand rows would freeze the page.
addEventListener('message', ({ data }: MessageEvent<Question>) => {
  const reading: Reading<Answers[keyof Answers]> = readers[data.kind](data.bytes)
  postMessage(reading)
})
