import { Construction } from '@tradewright/contract/construction'
import { constructionMethodIds } from '@tradewright/core/construction-catalogue'
import { beforeAll, describe, expect, it } from 'vitest'
import { constructionForm, constructionsOf } from '../../../test-support/constructions.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'
import { register, type RegisteredUser } from '../../../test-support/visitor.ts'

let server: TestServer
let ann: RegisteredUser
beforeAll(async () => {
  server = await sharedTestApp()
  ann = await register(server)
})

const FUNDS = ['SPY', 'TLT', 'GLD', 'QQQ', 'IWM', 'EFA', 'EEM', 'LQD', 'AGG', 'VNQ']

describe('a portfolio construction', () => {
  it('finds weights by every method on compute threads, tests them and is kept', async () => {
    const own = constructionsOf(server, ann)
    const methods = constructionMethodIds.filter((id) => id !== 'equal').map((id) => ({ id }))
    const id = await own.start({
      ...constructionForm,
      methods,
      max_pct: 70,
      groups: [{ name: 'Refuge', tickers: ['TLT', 'GLD'], min_pct: 20, max_pct: 80 }],
      turnover_pct: 20,
      views: [{ ticker: 'GLD', against: 'TLT', expected_pct: 3 }],
    })
    const done = Construction.strict().parse(await own.ended(id))
    expect(done).toMatchObject({ status: 'completed', error_message: null, tickers: ['GLD', 'SPY', 'TLT'] })
    const results = done.results!
    expect(results.portfolios.map((one) => one.id)).toEqual([...constructionMethodIds, 'own'])
    expect(results.test_start > '2018-12-20').toBe(true)
    for (const { id: method, weights, current, growth, metrics } of results.portfolios) {
      expect(weights).toHaveLength(results.rebalance_dates.length)
      expect(current.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 8)
      if (method !== 'own') expect(Math.max(...weights.flat())).toBeLessThan(0.7 + 1e-8)
      expect(growth).toHaveLength(results.dates.length)
      expect(metrics.sharpe).toEqual(expect.any(Number))
    }
    expect(results.frontier.points.length).toBeGreaterThan(10)
    expect((await own.list())[0]).toMatchObject({ id, name: 'Three funds' })
    const bob = constructionsOf(server, await register(server))
    expect(await bob.get(id)).toMatchObject({ code: 'construction.missing' })
    expect((await bob.remove(id)).statusCode).toBe(404)
    expect((await own.remove(id)).statusCode).toBe(200)
    expect(await own.get(id)).toMatchObject({ code: 'construction.missing' })
  })

  it('stops when it is cancelled while it computes, and has no results', async () => {
    const own = constructionsOf(server, ann)
    // Minutes of work: it ends only because it is told to.
    const long = {
      ...constructionForm,
      backtest: { ...constructionForm.backtest, startDate: '2005-01-03', 'ticker[]': FUNDS, 'allocation[]': [] },
      methods: ['min_cvar', 'min_variance', 'max_diversification', 'risk_parity'].map((id) => ({ id })),
      rebalance: 'monthly',
    }
    const id = await own.start(long)
    await expect.poll(async () => (await own.get(id)).progress?.note).toMatch(/method \d of 5/)
    expect((await own.cancel(id)).statusCode).toBe(200)
    expect(await own.ended(id)).toMatchObject({ status: 'cancelled', results: null, error_message: null })
  })

  it('needs no percentages: without them there are no own weights to compare with', async () => {
    const own = constructionsOf(server, ann)
    const { 'allocation[]': _, ...backtest } = constructionForm.backtest
    const { results } = await own.ended(await own.start({ ...constructionForm, backtest }))
    expect(results!.portfolios.map(({ id }) => id)).toEqual(['equal', 'min_variance', 'risk_parity'])
  })

  it('that cannot be computed fails with a sentence', async () => {
    const own = constructionsOf(server, ann)
    const long = await own.start({ ...constructionForm, window_months: 60 })
    expect((await own.ended(long)).error_message).toMatch(/too short for estimates over 60 months/)
    const tight = await own.start({ ...constructionForm, max_pct: 30 })
    expect((await own.ended(tight)).error_message).toBe('The maximum weights add up to 90%: they must allow 100%.')
  })

  it.each([
    [{ methods: [] }, 'methods'],
    [{ methods: [{ id: 'magic' }] }, 'methods'],
    [{ methods: [{ id: 'min_cvar', parameters: { confidence_pct: 10 } }] }, 'Confidence must be from 50'],
    [{ window_months: 1 }, 'window_months'],
    [{ min_pct: 50, max_pct: 40 }, 'must lie between a minimum and a maximum'],
    [{ bounds: [{ ticker: 'QQQ', min_pct: 0, max_pct: 10 }] }, 'QQQ, which is not among the tickers'],
    [{ views: [{ ticker: 'SPY', expected_pct: 4, confidence_pct: 100 }] }, 'confidence_pct'],
    [{ backtest: { ...constructionForm.backtest, strategyType: 'ML' } }, ''],
    [{ backtest: { ...constructionForm.backtest, dataGranularity: 'hourly' } }, 'daily prices alone'],
  ])('is refused with a sentence: %j', async (more, sentence) => {
    const answer = await constructionsOf(server, ann).send({ ...constructionForm, ...more })
    expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining(sentence)])
  })
})
