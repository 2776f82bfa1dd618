import { BacktestAnswer, SavedBacktest } from '@tradewright/contract/backtests'
import { parsed } from '../../../lib/http.ts'
import { type StudioAnswer, type StudioBacktest, withoutRepeats } from './studio-result.ts'

export interface Answers {
  run: StudioAnswer
  saved: StudioBacktest
}

/** `file` is the whole result, to be downloaded. */
export type Reading<Answer> =
  { is: 'answer'; answer: Answer; file: Blob } | { is: 'no JSON'; text: string } | { is: 'another shape'; why: string }

const FIRST_CHARS = 300

export const readers: { [Kind in keyof Answers]: (bytes: ArrayBuffer) => Reading<Answers[Kind]> } = {
  run: (bytes) =>
    read(bytes, (value) => {
      const { success, data, error } = BacktestAnswer.safeParse(value)
      return success ? { answer: withoutRepeats(data), file: jsonFile(bytes) } : error.message
    }),
  saved: (bytes) =>
    read(bytes, (value) => {
      const { success, data, error } = SavedBacktest.safeParse(value)
      if (!success) return error.message
      const result = data.result_data
      return { answer: { ...data, result_data: withoutRepeats(result) }, file: jsonFile(JSON.stringify(result)) }
    }),
}

function read<Answer>(
  bytes: ArrayBuffer,
  check: (value: unknown) => { answer: Answer; file: Blob } | string,
): Reading<Answer> {
  const text = new TextDecoder().decode(bytes)
  const value = parsed(text)
  if (value === undefined) return { is: 'no JSON', text: text.slice(0, FIRST_CHARS) }
  const found = check(value)
  return typeof found === 'string' ? { is: 'another shape', why: found } : { is: 'answer', ...found }
}

const jsonFile = (content: BlobPart) => new Blob([content], { type: 'application/json' })
