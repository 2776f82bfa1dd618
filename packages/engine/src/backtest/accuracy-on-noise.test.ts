import { beforeAll, describe, expect, it } from 'vitest'
import { noiseOf, predictNoise, shareBelow, studiedTargets } from './test-support/noise-study.ts'
import { nearestMean } from './test-support/nearest-mean.ts'

const WALKS = 100

// Seeds 1 to 100. `npm run campaign` repeats it with forests, whole backtests and 200 walks a target.
describe('on random walks, where nothing can be predicted', () => {
  let walks: ReturnType<typeof noiseOf>[]
  beforeAll(() => {
    walks = Array.from({ length: WALKS }, (_, i) => noiseOf(i + 1, 5))
  })

  it.each(studiedTargets)('about one accuracy in twenty is significant at 0.05: %s', async (_, target) => {
    const found = []
    for (const walk of walks) found.push(await predictNoise(walk, target, nearestMean))
    expect(shareBelow(0.05, found)).toBeGreaterThanOrEqual(0.01)
    expect(shareBelow(0.05, found)).toBeLessThanOrEqual(0.09)
    expect(shareBelow(0.01, found)).toBeLessThanOrEqual(0.04)
  })

  it('a volatility regime is predictable from the level of volatility, which is shown beside the accuracy', async () => {
    const [, target] = studiedTargets.find(([, { id }]) => id === 'volatility_regime')!
    const naive = []
    for (const walk of walks.slice(0, 20)) naive.push((await predictNoise(walk, target, nearestMean)).naive!)
    expect(naive[0]!.by).toBe('volatility_level')
    expect(naive.reduce((sum, { accuracy }) => sum + accuracy, 0) / naive.length).toBeGreaterThan(0.6)
  })
})
