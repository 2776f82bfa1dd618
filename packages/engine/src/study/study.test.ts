import { withNumbers } from '@tradewright/core/rules/numbers'
import { describe, expect, it } from 'vitest'
import { planBacktest } from '../backtest/plan.ts'
import { runBacktest } from '../backtest/run-backtest.ts'
import { prepareStudy, evaluateVariant, type VariantFigures } from './evaluate.ts'
import { planStudy, studySeries, valuesOf, variantOf } from './plan.ts'
import {
  noise,
  planted,
  plantedRequest,
  SIGNAL_WINDOW,
  studyOf,
  timingRequest,
  TOLERANCE,
  WINDOW,
} from './test-support/markets.ts'

describe('a variant', () => {
  it('has the figures of an ordinary backtest with its numbers', async () => {
    const request = timingRequest({ holdOutPct: 0 })
    const data = noise(1)
    const plan = planStudy(request)
    const market = prepareStudy(request, data)
    for (const cell of [0, 7, 24]) {
      const tree = variantOf(plan, cell)
      const figures = evaluateVariant(market, tree) as VariantFigures
      const { metrics } = await runBacktest(
        planBacktest({ ...request.backtest, strategy: { kind: 'rules', tree } }),
        data,
      )
      expect(figures.inSample).toEqual({
        sharpe: metrics.sharpe,
        cagr: metrics.cagr,
        calmar: metrics.calmar,
        maxDrawdown: metrics.maxDrawdown.depth,
      })
      expect(figures.holdOut).toBeNull()
    }
  })

  it('is chosen without the hold-out: other prices there change no figure before it', () => {
    const request = timingRequest()
    const data = noise(2)
    const market = prepareStudy(request, data)
    const first = market.conditions.table.prices.timestamps[market.holdOutBar]!
    const target = data.series.get('TGT')!
    const doubled = (column: Float64Array) =>
      column.map((value, row) => (target.timestamps[row]! >= first ? 2 * value : value))
    const columns = Object.fromEntries(Object.entries(target.columns).map(([name, column]) => [name, doubled(column)]))
    const other = prepareStudy(request, { series: new Map([...data.series, ['TGT', { ...target, columns }]]) })
    const tree = request.backtest.strategy.tree
    const [a, b] = [market, other].map((one) => evaluateVariant(one, tree) as VariantFigures)
    expect(b!.inSample).toEqual(a!.inSample)
    expect(b!.activeSharpe).toBe(a!.activeSharpe)
    expect(b!.holdOut).not.toEqual(a!.holdOut)
  })

  it('that cannot be run says why, and the others go on', () => {
    const request = timingRequest()
    const path = 'root.yes.rows.0.pct'
    const tree = withNumbers(request.backtest.strategy.tree, [[path, 150]])
    expect(evaluateVariant(prepareStudy(request, noise(1)), tree)).toEqual({ problem: expect.stringMatching(/100/) })
  })
})

it('a variant has no figures where trading a deposit costs more than the account was worth', () => {
  const request = timingRequest()
  const flows = { startValue: 100, cashflow: 1e7, cashflowFrequency: 'monthly', tradingCostBps: 10 } as const
  const market = prepareStudy({ ...request, backtest: { ...request.backtest, ...flows } }, noise(2))
  expect(evaluateVariant(market, request.backtest.strategy.tree)).toEqual({
    problem: expect.stringContaining('there is no return to measure'),
  })
})

describe('a study', () => {
  it('finds a planted optimum, and says that it is not luck', () => {
    const report = studyOf(plantedRequest(), planted(1))
    const [tolerance, window] = valuesOf(planStudy(plantedRequest()), report.best!)
    expect([tolerance, window]).toEqual([20, 5])
    expect(report.luck.deflated).toMatchObject({ verdict: 'good', words: 'Unlikely to be luck' })
    expect(report.luck.holdOut.verdict).toBe('good')
    expect(report.luck.summary.words).toBe('Looks genuine')
    expect(report.trials).toBe(36)
    expect(report.luck.deflated.sentence).toMatch(/^36 variants were tried/)
  })

  // Seeds 1 to 4; `npm run campaign` takes 40.
  it('says that the best of noise may be luck', () => {
    for (let seed = 1; seed <= 4; seed++) {
      expect(studyOf(timingRequest(), noise(seed)).luck.summary.words, `seed ${seed}`).toMatch(/luck/)
    }
  })

  it('puts the present numbers beside the best: on the grid by their cell, and by their figures', () => {
    const onGrid = studyOf(plantedRequest(), planted(2))
    expect(valuesOf(planStudy(plantedRequest()), onGrid.presentCell!)).toEqual([30, 5])
    expect(onGrid.present).toHaveProperty('holdOut.sharpe')
    const beside = planStudy(
      plantedRequest({
        numbers: [
          { path: TOLERANCE, from: 1, to: 41, step: 20 },
          { path: SIGNAL_WINDOW, from: 3, to: 9, step: 2 },
        ],
      }),
    )
    expect(beside.cells).toHaveLength(12)
  })

  it('asks the cells beside the best of a random search, which may not have been drawn', () => {
    const report = studyOf(plantedRequest({ method: 'random', count: 6, seed: 3 }), planted(1))
    expect(report.trials).toBe(6)
    expect(report.neighbours.values.length).toBeGreaterThanOrEqual(2)
    expect(report.luck.neighbourhood.verdict).not.toBe('unknown')
  })

  it('fetches the history of the longest window', () => {
    const long = planStudy(timingRequest({ numbers: [{ path: WINDOW, from: 20, to: 400, step: 20 }] }))
    const short = planStudy(timingRequest({ numbers: [{ path: WINDOW, from: 20, to: 60, step: 20 }] }))
    const first = (plan: typeof long) =>
      Math.min(...studySeries(plan).flatMap(({ symbol, from }) => (symbol === 'TGT' ? [from] : [])))
    expect(first(long)).toBeLessThan(first(short) - 400)
  })
})

describe('a plan', () => {
  it('draws distinct variants by the seed, the same for every process', () => {
    const plan = (seed: number) => planStudy(timingRequest({ method: 'random', count: 10, seed })).cells
    expect(plan(3)).toEqual(plan(3))
    expect(plan(3)).not.toEqual(plan(4))
    expect(new Set(plan(3)).size).toBe(10)
    expect(Math.max(...plan(3))).toBeLessThan(25)
    expect(planStudy(timingRequest({ method: 'random', count: 1000 })).cells).toHaveLength(25)
  })

  it.each([
    [[], 'Choose at least one number to vary.'],
    [[{ path: 'root.nothing', from: 1, to: 2, step: 1 }], 'The rules have no number at root.nothing.'],
    [[{ path: WINDOW, from: 50, to: 20, step: 1 }], /must go up/],
    [[{ path: WINDOW, from: 20, to: 50, step: 0 }], /must go up/],
    [[{ path: WINDOW, from: 20.5, to: 50, step: 1 }], /whole number/],
    [[{ path: WINDOW, from: 1, to: 9000, step: 1 }], /9,000 values; at most 200/],
    [[{ path: WINDOW, from: 1, to: 9000, step: 1e-300 }], /has more than 1,000,000 values; at most 200/],
    [[{ path: WINDOW, from: -1e308, to: 1e308, step: 1 }], /has more than 1,000,000 values; at most 200/],
    [[{ path: WINDOW, from: -5, to: 50, step: 1 }], /must be from 1 to/],
    [[{ path: WINDOW, from: 20, to: 20, step: 1 }], 'A study needs at least 2 variants.'],
    [
      [
        { path: WINDOW, from: 1, to: 200, step: 1 },
        { path: 'root.condition.of.1.right.value', from: 1, to: 100, step: 1 },
      ],
      /20,000 variants are too many: at most 10,000/,
    ],
    [
      [
        { path: WINDOW, from: 20, to: 50, step: 1 },
        { path: WINDOW, from: 20, to: 50, step: 1 },
      ],
      /named twice/,
    ],
  ])('refuses %j', (numbers, sentence) => {
    expect(() => planStudy(timingRequest({ numbers }))).toThrow(sentence)
  })
})
