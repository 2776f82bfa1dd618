import { type BacktestComparison, BacktestAnswer, compareBacktests } from '@tradewright/contract/backtests'
import { beforeAll, describe, expect, it } from 'vitest'
import { allocationForm, mlForm, postBacktest } from '../../../test-support/backtest-form.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'
import { headersOf, register, type RegisteredUser } from '../../../test-support/visitor.ts'

let server: TestServer
let ann: RegisteredUser
let bob: RegisteredUser
beforeAll(async () => {
  server = await sharedTestApp()
  ann = await register(server)
  bob = await register(server)
})

type Fields = typeof allocationForm

async function run(fields: Fields) {
  const answer = await postBacktest(server, ann, fields)
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
  return BacktestAnswer.parse(answer.json())
}
const saved = async (name: string, fields: Fields = {}) => {
  const form = { ...allocationForm, ...fields, saveBacktest: 'true', backtestName: name }
  return { id: (await run(form)).backtest_id! }
}
const compare = (backtests: object[], user = ann) =>
  server.app.inject({
    method: 'POST',
    url: compareBacktests.path,
    headers: headersOf({ token: user.token }),
    payload: { backtests },
  })
async function compared(backtests: object[]): Promise<BacktestComparison> {
  const answer = await compare(backtests)
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
  return compareBacktests.answer.parse(answer.json())
}

const FIGURES = ['total_return', 'cagr', 'sharpe', 'sortino', 'volatility', 'calmar'] as const

describe('backtests side by side', () => {
  it('have the figures that a run of the common period has', async () => {
    const flows = { cashflow: '500', cashflowFreq: 'Monthly', tradingCostBps: '0' }
    const backtests = [
      await saved('Long', { ...flows, rebalanceFrequency: 'daily' }),
      await saved('Late', { startDate: '2020-01-02', endDate: '2021-12-31', 'allocation[]': ['20', '80'] }),
    ]
    const comparison = await compared(backtests)
    expect(comparison).toMatchObject({
      start_date: '2020-01-02',
      end_date: '2021-12-31',
      compared: [
        { name: 'Long', own_start_date: '2018-01-02', own_end_date: '2022-12-30' },
        { name: 'Late', own_start_date: '2020-01-02', own_end_date: '2021-12-31' },
      ],
    })
    // Rebalanced every day and without costs, a run that begins later does the same from its first close on.
    const same = { ...allocationForm, tradingCostBps: '0', rebalanceFrequency: 'daily' }
    const period = { startDate: '2020-01-02', endDate: '2021-12-31' }
    const own = await run({ ...same, ...period })
    const [long] = comparison.compared
    for (const figure of FIGURES) expect(long!.metrics[figure], figure).toBeCloseTo(own.metrics[figure]!, 9)
    expect(long!.metrics.max_drawdown).toMatchObject({ trough_date: own.metrics.max_drawdown.trough_date })
    expect([long!.dates[0], long!.growth[0], long!.dates.at(-1)]).toEqual(['2020-01-02', 1, '2021-12-31'])
  })

  it("count the first session's return where all of them include it, and where one does not, for none of them", async () => {
    const daily = { tradingCostBps: '0', rebalanceFrequency: 'daily', startDate: '2020-01-02', endDate: '2021-12-31' }
    const fromCloseBefore = await saved('Close before', { ...daily, includeFirstReturn: 'true' })
    const other = await saved('Other', { ...daily, includeFirstReturn: 'true', 'allocation[]': ['20', '80'] })
    const fromFirstClose = await saved('First close', daily)
    const all = await compared([fromCloseBefore, other])
    expect([all.start_date, all.compared[0]!.dates[0]]).toEqual(['2019-12-31', '2019-12-31'])
    const own = await run({ ...allocationForm, ...daily, includeFirstReturn: 'true' })
    for (const figure of FIGURES) expect(all.compared[0]!.metrics[figure], figure).toBeCloseTo(own.metrics[figure]!, 9)

    const one = await compared([fromCloseBefore, fromFirstClose])
    expect(one.start_date).toBe('2020-01-02')
    const [left, right] = one.compared
    for (const figure of FIGURES) expect(left!.metrics[figure], figure).toBeCloseTo(right!.metrics[figure]!, 9)
    const later = await run({ ...allocationForm, ...daily })
    expect(left!.metrics.total_return).toBeCloseTo(later.metrics.total_return, 9)
  })

  it('have the figures of their own result page where they cover the same days', async () => {
    const forms: Fields[] = [
      { ...allocationForm, cashflow: '-30', cashflowFreq: 'Monthly', adjustInflation: 'true' },
      { ...allocationForm, 'ticker[]': ['BTC-USD'], 'allocation[]': ['100'] },
      { ...mlForm, walkForwardEnabled: 'false' },
    ]
    for (const form of forms) {
      const result = await run({ ...form, runId: `same ${JSON.stringify(form).length}` })
      const reference = { run_id: `same ${JSON.stringify(form).length}` }
      const { compared: both } = await compared([reference, reference])
      for (const { metrics, figure_notes } of both) {
        expect(figure_notes).toEqual({})
        for (const figure of FIGURES) expect(metrics[figure], figure).toBeCloseTo(result.metrics[figure]!, 9)
        expect(metrics.max_drawdown).toEqual({
          ...result.metrics.max_drawdown,
          depth: expect.closeTo(result.metrics.max_drawdown.depth, 9),
        })
      }
    }
  })

  it('say what each holds, and whose first price the common period begins with', async () => {
    const long = await saved('Long', { startDate: '2004-01-02', 'ticker[]': ['SPY', 'AGG'] })
    const late = await saved('Late', {
      startDate: '2004-01-02',
      'ticker[]': ['SPY?L=2', 'DBC'],
      rebalanceFrequency: 'none',
    })
    const both = await compared([long, late])
    expect(both.start_ticker).toBe('DBC')
    expect(both.end_ticker).toBeNull()
    expect(both.start_date > '2004-01-02').toBe(true)
    expect(both.compared).toMatchObject([
      { ...long, holdings: '60% SPY, 40% AGG', rebalance_frequency: 'yearly' },
      { ...late, holdings: '60% SPY?L=2, 40% DBC', rebalance_frequency: 'none' },
    ])
    const asked = await saved('Asked', { startDate: both.start_date, 'ticker[]': ['SPY', 'AGG'] })
    expect((await compared([asked, asked])).start_ticker).toBeNull()
    expect((await compared([asked, late])).start_ticker).toBe('DBC')
  })

  it('are refused without a common period, with a sentence', async () => {
    const early = await saved('Early', { startDate: '2012-01-03', endDate: '2013-12-31' })
    const answer = await compare([early, await saved('Later')])
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([
      400,
      '“Early” ends on 2013-12-31, before “Later” begins on 2018-01-02: they have no period in common to compare.',
    ])
  })

  it('are those of the user, and of results that are still kept', async () => {
    const own = await saved('Own')
    const foreign = await compare([own, own], bob)
    expect([foreign.statusCode, foreign.json<{ error: string }>().error]).toEqual([404, 'There is no such backtest.'])
    const gone = await compare([own, { run_id: 'never' }])
    expect([gone.statusCode, gone.json<{ error: string }>().error]).toEqual([
      404,
      'This result is no longer kept. Run the backtest again, or save it.',
    ])
    expect((await compare([own])).statusCode).toBe(400)
  })

  it('say that a Sharpe ratio is not known where a result was saved without its risk-free returns', async () => {
    const old = await saved('Old')
    await server.database.pool.query(
      `UPDATE backtests SET report = report #- '{result,curve,riskFree}' WHERE id = ${old.id}`,
    )
    const { compared: both } = await compared([old, await saved('New')])
    expect(both.map(({ metrics }) => metrics.sharpe)).toEqual([null, expect.any(Number)])
    expect(both[0]!.figure_notes['sharpe']).toBe(
      'the result was saved without the risk-free return of each day; run it again',
    )
    expect(both[0]!.metrics.cagr).toEqual(expect.any(Number))
  })
})
