import { Problem } from '@tradewright/core/problem'
import { beforeAll, describe, expect, it } from 'vitest'
import type { MarketData } from '../backtest/market-data.ts'
import { isAvailable } from '../performance/figure.ts'
import { defaultBoostingSettings } from '../models/settings.ts'
import { choiceOf } from '../models/catalogue.ts'
import { evaluate } from './evaluate.ts'
import { judgeHoldOut } from './report.ts'
import {
  deflatedWinner,
  overfitting,
  judgeAll,
  judgeDeflated,
  judgeOverfitting,
  judgeStability,
  featureStability,
  stabilityOf,
} from './verdicts.ts'
import { planSearch } from './plan.ts'
import { prepareSearch } from './prepare.ts'
import type { SearchRequest } from './request.ts'
import { evaluateHere, rulesOf, runSearch, bestFitness, type Generation, knownEvaluations, winnerOf } from './search.ts'
import { madeUpMarket, searchRequest } from './test-support/made-up-search.ts'
import { detailWinner, predictHoldOut } from './winner.ts'

const walkForward = { trainPct: 50, testPct: 10, stepPct: 10 }

async function search(data: MarketData, more: Partial<SearchRequest> = {}, history?: readonly Generation[]) {
  const plan = planSearch(searchRequest(more))
  const prepared = prepareSearch(plan, data)
  const evaluated: number[] = []
  const generations = await runSearch(plan, prepared, {
    ...(history && { history }),
    evaluateAll: async (individuals) => {
      evaluated.push(individuals.length)
      return evaluateHere(plan, prepared, individuals)
    },
  })
  const { member } = winnerOf(generations)
  const details = await detailWinner(prepared.searches[member.target]!, rulesOf(plan), member)
  return { plan, prepared, generations, evaluated, winner: member, details }
}

describe('a search on a market with a planted signal', () => {
  let found: Awaited<ReturnType<typeof search>>
  beforeAll(async () => {
    found = await search(madeUpMarket(1, 0.7))
  })

  it('finds the feature that knows tomorrow', () => {
    const labels = found.winner.genes.map((gene) => found.plan.candidates[gene]!.label)
    expect(labels).toContain('Percent change (SIG, window 1)')
    expect(found.winner.evaluation.accuracy).toBeGreaterThan(0.7)
    expect(found.details.holdOut!.accuracy).toBeGreaterThan(0.65)
  })

  it('believes it: luck is unlikely, and the hold-out agrees', () => {
    const deflated = judgeDeflated(deflatedWinner(found.generations, found.details))
    expect(deflated).toMatchObject({ verdict: 'good', words: 'Unlikely to be luck' })
    const holdOut = judgeHoldOut(found.details, 'accuracy')
    expect(holdOut.verdict).toBe('good')
  })

  it('says that the models rely on it in every window', () => {
    const features = featureStability(found.generations, found.details)
    const planted = features.find(({ gene }) => found.plan.candidates[gene]!.ticker === 'SIG')!
    expect(planted.importance).toBeGreaterThan(0.3)
    expect(planted.windowShare).toBe(1)
    expect(judgeStability(features, stabilityOf(features, found.generations.length)).verdict).not.toBe('unknown')
  })

  it('never gets worse from one generation to the next', () => {
    const best = found.generations.map(bestFitness)
    expect(best.toSorted((a, b) => a - b)).toEqual(best)
  })

  it('evaluates equal individuals once', () => {
    const distinct = knownEvaluations(found.generations).size
    expect(found.evaluated.reduce((sum, one) => sum + one, 0)).toBe(distinct)
    expect(distinct).toBeLessThan(12 * 4)
    expect(found.generations.map(({ newEvaluations }) => newEvaluations)).toEqual(found.evaluated)
  })

  it('finds the same winner again with the same seed, to the last digit', async () => {
    const again = await search(madeUpMarket(1, 0.7))
    expect(again.generations).toEqual(found.generations)
    expect(again.details).toEqual(found.details)
  })

  it('goes on after any generation, kept as JSON, as if nothing had happened', async () => {
    for (const length of [0, 1, 3, 4]) {
      const kept = JSON.parse(JSON.stringify(found.generations.slice(0, length))) as Generation[]
      expect((await search(madeUpMarket(1, 0.7), {}, kept)).generations).toEqual(found.generations)
    }
  })

  it('ends early when nothing gets better', async () => {
    const breeding = { ...searchRequest().breeding, generations: 30 }
    const early = await search(madeUpMarket(1, 0.7), { breeding, earlyStopping: { patience: 2, minImprovement: 0.05 } })
    expect(early.generations.length).toBeLessThan(10)
    expect(early.generations.length).toBeGreaterThan(2)
  })

  it('gives seed features their place and their fitness', async () => {
    const seedFeatures = [{ id: 1, params: { ticker: 'SIG', window: 1 } }]
    const { generations, plan } = await search(madeUpMarket(1, 0.7), { seedFeatures })
    const key = plan.seeds[0]!.genes.join(',')
    expect(generations[0]!.members.some(({ genes }) => genes.join(',') === key)).toBe(true)
  })
})

describe('a search on pure noise', () => {
  it('says over 20 seeds that its winners could be luck', async () => {
    const verdicts: string[] = []
    const overfitted: number[] = []
    for (let seed = 1; seed <= 20; seed++) {
      const { generations, details, winner } = await search(madeUpMarket(100 + seed, 0), { seed })
      verdicts.push(judgeDeflated(deflatedWinner(generations, details)).verdict)
      const { probability } = overfitting(generations, winner)
      if (isAvailable(probability)) overfitted.push(probability)
    }
    // A test at 95 % may be wrong once in twenty.
    expect(verdicts.filter((verdict) => verdict === 'good').length).toBeLessThanOrEqual(2)
    expect(verdicts.filter((verdict) => verdict === 'bad').length).toBeGreaterThanOrEqual(14)
    expect(overfitted.reduce((sum, one) => sum + one, 0) / overfitted.length).toBeGreaterThan(0.25)
  })
})

describe('an evaluation', () => {
  const data = madeUpMarket(3, 0.4)

  it.each([
    ['forest', searchRequest().model],
    ['boosting', { kind: 'boosting', settings: { ...defaultBoostingSettings, rounds: 10 } }],
    ['linear', { kind: 'linear' }],
    ['extra trees', choiceOf('extra-trees', { trees: 15 })],
  ] as const)('by shared columns is what the learner of the backtest says: %s', async (_, model) => {
    for (const more of [{}, { walkForward }]) {
      const plan = planSearch(searchRequest({ model, ...more }))
      const { searches } = prepareSearch(plan, data)
      const individual = { target: 0, genes: [3, 8, 17] }
      const { accuracy, f1, sharpe, cagr } = evaluate(searches[0]!, rulesOf(plan), individual)
      const { overall } = await detailWinner(searches[0]!, rulesOf(plan), individual)
      expect({ accuracy, f1, sharpe, cagr }).toEqual(overall)
    }
  })

  it('takes its fitness from the test windows alone', async () => {
    for (const metric of ['accuracy', 'sharpe', 'cagr'] as const) {
      const fitness = { ...searchRequest().fitness, metric }
      const plan = planSearch(searchRequest({ walkForward, fitness }))
      const { searches } = prepareSearch(plan, data)
      const individual = { target: 0, genes: [0, 12] }
      const { windows } = await detailWinner(searches[0]!, rulesOf(plan), individual)
      expect(windows.length).toBeGreaterThan(3)
      const mean = windows.reduce((sum, window) => sum + window[metric]!, 0) / windows.length
      expect(evaluate(searches[0]!, rulesOf(plan), individual).fitness).toBeCloseTo(mean, 12)
    }
  })

  it('learns for the hold-out from no label that looks into it', async () => {
    const plan = planSearch(searchRequest())
    const searchData = prepareSearch(plan, data).searches[0]!
    const { horizon, holdOutFrom } = searchData
    const turned = (from: number, to: number) => {
      const labels = searchData.labels.slice()
      for (let row = from; row < to; row++) labels[row] = 1 - labels[row]!
      return predictHoldOut({ ...searchData, labels }, rulesOf(plan), { target: 0, genes: [3, 8, 17] })
    }
    const predicted = await turned(0, 0)
    expect(await turned(holdOutFrom - horizon, holdOutFrom)).toEqual(predicted)
    expect(await turned(holdOutFrom - horizon - 40, holdOutFrom - horizon)).not.toEqual(predicted)
  })

  it('does not change with anything that happens in the hold-out', async () => {
    const changed = { series: new Map([...data.series].map(([ticker, table]) => [ticker, rotten(table)])) }
    const [before, after] = [await search(data, { walkForward }), await search(changed, { walkForward })]
    expect(after.generations).toEqual(before.generations)
    expect(after.details.holdOut).not.toEqual(before.details.holdOut)
  })
})

/** The same until the hold-out begins, then something else. */
function rotten<Table extends { timestamps: Float64Array; columns: Readonly<Record<string, Float64Array>> }>(
  table: Table,
): Table {
  const plan = planSearch(searchRequest())
  const { searches } = prepareSearch(plan, madeUpMarket(3, 0.4))
  const { usableRows, holdOutFrom, prices } = searches[0]!
  const from = prices.timestamps[usableRows[holdOutFrom]!]!
  const columns = Object.entries(table.columns).map(
    ([name, column]) =>
      [
        name,
        column.map((value, row) => (table.timestamps[row]! < from ? value : value * (1 + (row % 7) / 50))),
      ] as const,
  )
  return { ...table, columns: Object.fromEntries(columns) }
}

describe('what is too little to search in', () => {
  const refusal = (more: Partial<SearchRequest>): string => {
    try {
      prepareSearch(planSearch(searchRequest(more)), madeUpMarket(1, 0))
    } catch (error) {
      if (error instanceof Problem) return error.message
      throw error
    }
    return ''
  }

  it('is a range of a few weeks', () => {
    expect(refusal({ from: searchRequest().to - 30 })).toContain('at least 40 are needed')
  })

  it('is a walk-forward window larger than the data', () => {
    expect(refusal({ walkForward: { trainPct: 80, testPct: 30, stepPct: undefined } })).toContain('at most 100%')
    expect(refusal({ walkForward: { trainPct: 0.1, testPct: 0.1, stepPct: undefined } })).toContain('too small')
  })

  it('is a target ticker without data', () => {
    const targets = [{ asset: 'NIX', selection: { id: 1, params: { ticker: 'NIX' } }, relatedAssets: [] }]
    expect(refusal({ targets })).toContain('There is no data for NIX')
  })

  it('is a target that always comes out the same', () => {
    const selection = { id: 3, params: { ticker: 'TGT', threshold: 900 } }
    const targets = [{ ...searchRequest().targets[0]!, selection }]
    expect(refusal({ targets })).toContain('nothing to learn')
  })
})

describe('verdicts', () => {
  it('are all said in words a newcomer understands, numbers included', () => {
    const nothing = { accuracy: null, f1: null, sharpe: 1, cagr: null }
    const unknown = judgeHoldOut({ holdOut: undefined, overall: nothing, holding: nothing }, 'sharpe')
    expect(unknown).toMatchObject({ value: null, verdict: 'unknown' })
    expect(unknown.sentence).toBe('It could not be computed because no part of the data was held back.')
    const trial = { probability: 0.3, trials: 500, sharpePerBar: 0.1, luckySharpePerBar: 0.2 }
    expect(judgeDeflated(trial).sentence).toContain('500 feature sets were tried')
    expect(judgeOverfitting({ probability: 0.61, trials: 10 })).toMatchObject({ verdict: 'bad' })
    const all = { holdOut: unknown, deflated: judgeDeflated(trial), overfitting: unknown, stability: unknown }
    expect(judgeAll(all, undefined)).toMatchObject({ verdict: 'bad', words: 'Do not trust it yet' })
  })
})
