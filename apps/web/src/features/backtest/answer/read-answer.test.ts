import { expect, it } from 'vitest'
import { readers } from './read-answer.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text).buffer

it('hands back the beginning of what is no JSON [BT-156]', () => {
  const page = `<html>${'x'.repeat(400)}</html>`
  expect(readers.run(bytesOf(page))).toEqual({ is: 'no JSON', text: page.slice(0, 300) })
})

it('says what is wrong with an answer of another shape', () => {
  for (const kind of ['run', 'saved'] as const) {
    expect(readers[kind](bytesOf('{"strategy":1}'))).toMatchObject({ is: 'another shape', why: expect.any(String) })
  }
})
