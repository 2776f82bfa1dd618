import { describe, expect, it } from 'vitest'
import { firstSeed, tellShare } from '../../../../scripts/campaign-seeds.ts'
import { defaultForestSettings } from '../models/settings.ts'
import { modelLearner } from './model-learner.ts'
import type { MlResult } from './result.ts'
import { backtestNoise, shareBelow, studiedTargets } from './test-support/noise-study.ts'

const WALKS = 200
const learn = modelLearner({ kind: 'forest', settings: { ...defaultForestSettings, trees: 60, minSamplesLeaf: 5 } })

/** Whole backtests on seeds 1 to 200; FIRST_SEED=201 takes the 200 after them. */
describe.each(studiedTargets)('on 200 random walks, %s', (name, target) => {
  const study = async (years: number, walkForward: boolean): Promise<MlResult[]> => {
    const results: MlResult[] = []
    for (let seed = firstSeed; seed < firstSeed + WALKS; seed++) {
      results.push(await backtestNoise(target, seed, { learn, years, walkForward }))
    }
    return results
  }

  it.each([4, 9])('accuracies over %d years: 2 to 8 in 100 are significant at 0.05', async (years) => {
    const results = await study(years, false)
    const share = shareBelow(
      0.05,
      results.map(({ accuracy }) => accuracy),
    )
    const failed = results.filter(({ honesty }) => !honesty.shuffledLabels.passed).length
    tellShare(
      `${name}, ${years} years: p < 0.05 in ${(share * 100).toFixed(1)} %, shuffled labels failed ${failed} times`,
    )
    expect(share).toBeGreaterThanOrEqual(0.02)
    expect(share).toBeLessThanOrEqual(0.08)
    // The check fails below 0.01.
    expect(failed).toBeLessThanOrEqual(8)
  })

  it('walk-forward windows: 2 to 8 in 100 are significant at 0.05', async () => {
    const results = await study(9, true)
    // Every fourth window: neighbours share three quarters of their rows.
    const windows = results.flatMap(({ walkForward }) => walkForward!.windows.filter((_, i) => i % 4 === 0))
    const share = shareBelow(
      0.05,
      windows.map(({ accuracy }) => accuracy),
    )
    tellShare(`${name}, windows: p < 0.05 in ${(share * 100).toFixed(1)} % of ${windows.length}`)
    expect(share).toBeGreaterThanOrEqual(0.02)
    expect(share).toBeLessThanOrEqual(0.08)
  })
})
