import { Problem } from '@tradewright/core/problem'
import { describe, expect, it } from 'vitest'
import { planSearch } from './plan.ts'
import type { SearchRequest } from './request.ts'
import { searchRequest } from './test-support/made-up-search.ts'

const breeding = searchRequest().breeding
const refusal = (more: Partial<SearchRequest>): string => {
  try {
    planSearch(searchRequest(more))
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
  return ''
}

describe('the plan of a search', () => {
  it('has every combination of features, assets and values once', () => {
    const { candidates, targets } = planSearch(searchRequest())
    // 4 assets × (3 windows + 2 window sizes + 2 window sizes).
    expect(candidates).toHaveLength(28)
    expect(new Set(candidates.map(({ label }) => label)).size).toBe(28)
    expect(targets[0]!.genes).toEqual([...candidates.keys()])
  })

  it('shares the candidates that two targets have in common', () => {
    const [target] = searchRequest().targets
    const other = { ...target!, asset: 'SIG', selection: { id: 1, params: { ticker: 'SIG' } }, relatedAssets: ['NO1'] }
    const { candidates, targets } = planSearch(searchRequest({ targets: [target!, other] }))
    expect(candidates).toHaveLength(28)
    expect(targets[1]!.genes).toHaveLength(14)
  })

  it('never pairs a ticker with itself', () => {
    const { candidates } = planSearch(
      searchRequest({ features: [{ feature: 'correlation', choices: { window: [20] } }] }),
    )
    expect(candidates).toHaveLength(12)
    expect(candidates.every(({ ticker, otherTicker }) => ticker !== otherTicker)).toBe(true)
  })

  it('makes one individual of the seed features', () => {
    const seedFeatures = [
      { id: 1, params: { ticker: 'SIG', window: 1 } },
      { id: 7, params: { ticker: 'TGT', window: 14 } },
    ]
    const { seeds, candidates } = planSearch(searchRequest({ seedFeatures }))
    expect(seeds.map(({ genes }) => genes.map((gene) => candidates[gene]!.label))).toEqual([
      ['Percent change (SIG, window 1)', 'RSI (TGT, window 14)'],
    ])
  })

  it.each([
    [{ breeding: { ...breeding, populationSize: 1 } }, 'population size must be a whole number from 2 to 500, was 1.'],
    [{ breeding: { ...breeding, populationSize: 10_000 } }, 'from 2 to 500, was 10000.'],
    [{ breeding: { ...breeding, generations: 0 } }, 'generations must be a whole number from 1 to 200, was 0.'],
    [{ breeding: { ...breeding, generations: 10_000 } }, 'from 1 to 200, was 10000.'],
    [{ breeding: { ...breeding, mutationRate: 1.5 } }, 'The mutation rate must be from 0 to 1, was 1.5.'],
    [{ breeding: { ...breeding, maxFeatures: 0 } }, 'Max features must be a whole number'],
    [{ features: [] }, 'Select at least one feature type'],
    [{ targets: [] }, 'Add at least one target ticker before running the optimizer.'],
    [{ features: [{ feature: 'rsi', choices: { window: [] } }] }, 'RSI: enter at least one value for window.'],
    [{ features: [{ feature: 'rsi', choices: { window: ['soon'] } }] }, 'window must be a whole number'],
    [{ features: [{ feature: 'nonsense', choices: {} }] }, 'There is no feature "nonsense".'],
    [
      { seedFeatures: [{ id: 1, params: { ticker: 'AAPL', window: 1 } }] },
      'Percent change (AAPL, window 1) does not fit',
    ],
    [{ seedFeatures: [{ id: 1, params: { ticker: 'SIG', window: 99 } }] }, 'does not fit'],
    [{ holdOutPct: 90 }, 'The hold-out must be from 0% to 50%'],
    [{ windowSizes: [0.5] }, 'A window size must be a whole number above 0, was 0.5.'],
  ] as [Partial<SearchRequest>, string][])('refuses %j', (more, sentence) => {
    expect(refusal(more)).toContain(sentence)
  })

  it('refuses more seed features than an individual may have', () => {
    const seedFeatures = [1, 5, 20].map((window) => ({ id: 1, params: { ticker: 'SIG', window } }))
    expect(refusal({ seedFeatures, breeding: { ...breeding, maxFeatures: 2 } })).toContain('3 seed features are more')
  })

  it('refuses ranges that would take for ever', () => {
    const window = Array.from({ length: 3000 }, (_, i) => i + 2)
    expect(refusal({ features: [{ feature: 'rsi', choices: { window } }] })).toContain('too many combinations')
  })

  it('says what a feature of two tickers needs where there is one asset only', () => {
    const [target] = searchRequest().targets
    const features = [{ feature: 'correlation', choices: {} }]
    expect(refusal({ targets: [{ ...target!, relatedAssets: [] }], features })).toContain('add related assets')
  })
})
