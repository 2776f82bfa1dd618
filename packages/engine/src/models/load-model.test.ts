import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { loadModel } from './catalogue.ts'

const read = (name: string) => readFileSync(new URL(`../../../../fixtures/models/${name}`, import.meta.url))

interface Expected {
  readonly columns: number[][]
  readonly probabilities: Record<string, number[]>
}

/** These files were written when format version 1 was introduced. They must load, and predict the same, for ever. */
it.each(['forest', 'boosting', 'linear'])('a %s saved in format version 1 still predicts the same', (kind) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- our own file
  const expected = JSON.parse(read('version-1.json').toString()) as Expected
  const model = loadModel(read(`${kind}-version-1.twml`))
  expect(model.kind).toBe(kind)
  const columns = expected.columns.map((column) => Float64Array.from(column))
  expect([...model.predict(columns)]).toEqual(expected.probabilities[kind])
})
