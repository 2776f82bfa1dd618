import { expect, it } from 'vitest'
import { noise, studyOf, timingRequest } from './test-support/markets.ts'

// Seeds 1 to 40; study.test.ts takes 4.
it('says that the best of noise may be luck in at least 95 of 100 studies', () => {
  const genuine = []
  for (let seed = 1; seed <= 40; seed++) {
    const { summary } = studyOf(timingRequest(), noise(seed)).luck
    if (!/luck/.test(summary.words)) genuine.push(seed)
  }
  expect(genuine.length).toBeLessThanOrEqual(2)
})
