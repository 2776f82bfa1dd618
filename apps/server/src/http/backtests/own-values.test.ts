import { Random } from '@tradewright/core/random'
import { dateOf, formatDate } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { beforeAll, describe, expect, it } from 'vitest'
import { allocationForm, postBacktest } from '../../../test-support/backtest-form.ts'
import { importCsv } from '../../../test-support/import-prices.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'
import { headersOf, register, type RegisteredUser } from '../../../test-support/visitor.ts'

/** The last close of each month before the first one after it: what a survey would have to know to be worth a fortune. */
function monthlyReturns(closes: ReadonlyMap<number, number>): [string, number][] {
  const days = [...closes.keys()]
  const starts = days.filter((day, i) => i > 0 && formatDate(day).slice(0, 7) !== formatDate(days[i - 1]!).slice(0, 7))
  return starts
    .slice(0, -1)
    .map((day, i) => [`${formatDate(day).slice(0, 7)}-01`, closes.get(starts[i + 1]!)! / closes.get(day)! - 1])
}

/** SPY while the last value is above zero, else cash. */
const follow = (feature: object) =>
  JSON.stringify({
    version: 1,
    check: 'daily',
    cash: 'CASHX',
    root: {
      kind: 'if',
      id: 'root',
      condition: {
        kind: 'compare',
        id: 'up',
        left: { kind: 'feature', ...feature },
        is: 'above',
        right: { kind: 'number', value: 0 },
      },
      yes: { kind: 'hold', id: 'in', rows: [{ ticker: 'UPDN', pct: 100 }] },
      no: { kind: 'cash', id: 'out' },
    },
  })

describe("values of a file of one's own", () => {
  let server: TestServer
  let user: RegisteredUser
  let csv: string
  beforeAll(async () => {
    server = await sharedTestApp()
    user = await register(server)
    const days = [...nyse.sessionsBetween(dateOf('2016-01-01'), dateOf('2022-01-01'))]
    const random = new Random(40)
    let close = 100
    const closes = new Map(days.map((day) => [day, (close *= 1 + 0.04 * (random.float() - 0.5))]))
    const prices = [...closes].map(([day, close]) => `${formatDate(day)},${close}`)
    const stored = await importCsv(server, { headers: headersOf(user) }, 'UPDN', `date,close\n${prices.join('\n')}\n`)
    expect(stored.statusCode, stored.body).toBe(200)
    csv = `date,value\n${monthlyReturns(closes)
      .map((row) => row.join(','))
      .join('\n')}\n`
  })

  const run = async (feature: object) => {
    const form = {
      ...allocationForm,
      strategyType: 'Rules',
      dataProvider: 'auto',
      startDate: '2018-01-02',
      endDate: '2021-12-30',
    }
    const answer = await postBacktest(server, user, {
      ...form,
      'ticker[]': undefined,
      'allocation[]': undefined,
      rules: follow(feature),
    })
    expect(answer.statusCode, answer.body).toBe(200)
    const { notes, cagr } = answer.json<{ notes: string[]; cagr: number }>()
    return { notes, cagr }
  }
  const store = async (ticker: string, more: Record<string, string> = {}) => {
    const answer = await importCsv(server, { headers: headersOf(user) }, ticker, csv, more)
    expect(answer.statusCode, answer.body).toBe(200)
  }

  it('are used from their publication on, under any name the same, and said with the result', async () => {
    const results = []
    for (const ticker of ['NAPM', 'PAYEMS']) {
      await store(ticker)
      const level = await run({ feature: 'economic_level', params: { ticker } })
      const change = await run({ feature: 'economic_change', params: { ticker, window: 12 } })
      const average = await run({ feature: 'sma', params: { ticker, window: 6 } })
      expect(level.notes.join(' ')).toContain(
        `The values of ${ticker} come from a file of yours: each is taken as published 59 to 62 days after its date`,
      )
      results.push([level.cagr, change.cagr, average.cagr])
    }
    expect(results[1]).toEqual(results[0])
  })

  it('make a fortune only where they are said to be known at once', async () => {
    await store('LATER')
    await store('ATONCE', { known_after_days: '1' })
    const params = (ticker: string) => ({ feature: 'economic_level', params: { ticker } })
    expect((await run(params('ATONCE'))).cagr).toBeGreaterThan(2 * Math.abs((await run(params('LATER'))).cagr))
  })

  it('do not share a name with prices', async () => {
    const values = await importCsv(server, { headers: headersOf(user) }, 'UPDN', csv)
    expect(values.json()).toMatchObject({
      error: expect.stringContaining('UPDN has prices in this data store.') as string,
    })
    await store('SURVEY')
    const prices = await importCsv(server, { headers: headersOf(user) }, 'SURVEY', 'date,close\n2020-01-02,5\n')
    expect(prices.json()).toMatchObject({ error: expect.stringContaining('values that are no prices') as string })
  })

  it('may be columns of any name, beside prices or without, and are never known at their own stamp', async () => {
    // Daily: the return of the next day, which a column beside prices must not give away.
    const days = [...nyse.sessionsBetween(dateOf('2016-01-01'), dateOf('2022-01-01'))].map(formatDate)
    const random = new Random(41)
    let close = 100
    const closes = days.map(() => (close *= 1 + 0.04 * (random.float() - 0.5)))
    const tips = closes.map((price, i) => (closes[i + 1] ?? price) / price - 1)
    const columns = JSON.stringify({ Tip: 'tip' })
    const beside = days.map((day, i) => `${day},${closes[i]},${tips[i]}`).join('\n')
    const alone = days.map((day, i) => `${day},${tips[i]}`).join('\n')
    const stored = [
      await importCsv(server, { headers: headersOf(user) }, 'UPDN', `date,close,Tip\n${beside}\n`, { columns }),
      await importCsv(server, { headers: headersOf(user) }, 'TIPS', `date,Tip\n${alone}\n`, { columns }),
    ]
    for (const answer of stored) expect(answer.statusCode, answer.body).toBe(200)
    const own = (ticker: string) => run({ feature: 'own_column', params: { ticker, column: 'tip' } })
    const [withPrices, withoutPrices] = [await own('UPDN'), await own('TIPS')]
    // Knowing the next day is worth thousands of percent a year.
    expect(withPrices.cagr).toBeLessThan(1)
    expect(withoutPrices.cagr).toBeLessThan(1)
    expect(withPrices.cagr).toBeCloseTo(withoutPrices.cagr, 10)
    await expect(own('NAPM')).rejects.toThrow('NAPM has no column tip')
  })

  it('may be what a model learns to predict', async () => {
    const form = {
      ...allocationForm,
      strategyType: 'ML',
      dataProvider: 'auto',
      startDate: '2018-01-02',
      endDate: '2021-12-30',
      'ticker[]': undefined,
      'allocation[]': undefined,
      mlModelType: 'Linear Regression',
      features: JSON.stringify([{ id: 'own_column', params: { ticker: 'TIPS', column: 'tip' } }]),
      target: JSON.stringify({ id: 'own_column_above', params: { ticker: 'TIPS', column: 'tip', horizon: 1 } }),
      'signal1_ticker[]': ['UPDN'],
      'signal1_allocation[]': ['100'],
      'signal0_ticker[]': ['CASHX'],
      'signal0_allocation[]': ['100'],
    }
    const answer = await postBacktest(server, user, form)
    expect(answer.statusCode, answer.body).toBe(200)
  })
})
