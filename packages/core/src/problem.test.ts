import { expect, it } from 'vitest'
import { Problem, sentenceFor } from './problem.ts'

it('shows the sentence of a Problem, and nothing of any other failure', () => {
  expect(sentenceFor(new Problem('conflict', 'x', 'The store is full.', { cause: new Error('at /srv/data') }))).toBe(
    'The store is full.',
  )
  const strange = [new Error("ENOENT: no such file or directory, open '/srv/data/x'"), '/srv/data', undefined]
  for (const error of strange) expect(sentenceFor(error)).not.toContain('/srv')
})
