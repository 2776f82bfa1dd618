import { BacktestAnswer } from '@tradewright/contract/backtests'
import { FactorFile, regressOnFactors } from '@tradewright/contract/factors'
import { beforeAll, describe, expect, it } from 'vitest'
import { allocationForm, postBacktest } from '../../../test-support/backtest-form.ts'
import { importDaily } from '../../../test-support/import-prices.ts'
import { sharedTestApp, type TestServer } from '../../../test-support/test-app.ts'
import { headersOf, post, register, type RegisteredUser } from '../../../test-support/visitor.ts'

let server: TestServer
let ann: RegisteredUser
let id: number
beforeAll(async () => {
  server = await sharedTestApp()
  ann = await register(server)
  const form = { ...allocationForm, startDate: '2016-01-04', endDate: '2019-12-31' }
  id = BacktestAnswer.parse((await postBacktest(server, ann, form)).json()).result_id
})

const regress = (body: object, user = ann) => post(server, `/api/backtests/${id}/factors`, body, headersOf(user))

async function upload(text: string, user = ann) {
  const boundary = 'factors'
  const payload =
    `--${boundary}\r\ncontent-disposition: form-data; name="name"\r\n\r\nFrench\r\n` +
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="f.csv"\r\ncontent-type: text/csv\r\n\r\n${text}\r\n--${boundary}--\r\n`
  return server.app.inject({
    method: 'POST',
    url: '/api/factor-files',
    headers: { ...headersOf(user), 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload,
  })
}

/** Months of the result with made-up factors. */
const monthly = Array.from({ length: 48 }, (_, i) => {
  const month = `${2016 + Math.floor(i / 12)}${String((i % 12) + 1).padStart(2, '0')}`
  return `${month}, ${((i * 7) % 9) - 4}, ${((i * 5) % 7) - 3}, 0.05`
})
const french = `This file was made up.\n\n,Mkt-RF,HML,RF\n${monthly.join('\n')}\n\n Annual Factors\n,Mkt-RF,HML,RF\n2016, 1, 2, 3\n`

describe('a factor regression', () => {
  it('explains a result by tickers and by changes of a rate, with what is left as alpha', async () => {
    const answer = await regress({
      series: [
        { symbol: 'SPY', kind: 'return' },
        { symbol: 'tlt', kind: 'return' },
      ],
    })
    const { regression } = regressOnFactors.answer.parse(answer.json())
    expect(regression).toMatchObject({ frequency: 'daily', synthetic: true })
    expect(regression!.loadings.map(({ name }) => name)).toEqual(['SPY', 'TLT'])
    expect(regression!.r_squared).toBeGreaterThan(0.5)
    expect(regression!.rolling!.loadings).toHaveLength(2)
    const long = await regress({ series: [{ symbol: 'SPY', kind: 'return' }], window_months: 120 })
    expect(regressOnFactors.answer.parse(long.json()).regression).toMatchObject({
      rolling: null,
      rolling_note: 'the period is no longer than a window of 2520 observations',
    })
  })

  it('is marked as synthetic as soon as one of its factors is', async () => {
    const own = await register(server)
    await importDaily(server, { headers: headersOf(own) }, 'OWNFUND', '2016-01-04', '2019-12-31')
    const form = { ...allocationForm, dataProvider: 'auto', startDate: '2016-01-04', endDate: '2019-12-31' }
    const ownResult = BacktestAnswer.parse((await postBacktest(server, own, form)).json()).result_id
    const of = async (...symbols: string[]) => {
      const series = symbols.map((symbol) => ({ symbol, kind: 'return' }))
      const answer = await post(server, `/api/backtests/${ownResult}/factors`, { series }, headersOf(own))
      return regressOnFactors.answer.parse(answer.json()).regression!.synthetic
    }
    expect([await of('OWNFUND'), await of('OWNFUND', 'TLT')]).toEqual([false, true])
  })

  it('explains one ticker over the days of the result', async () => {
    const itself = await regress({ ticker: 'tlt', series: [{ symbol: 'TLT', kind: 'return' }] })
    const { regression } = regressOnFactors.answer.parse(itself.json())
    expect(regression!.r_squared).toBeGreaterThan(0.999)
    expect(regression!.start_date).toBe('2016-01-05')
    expect(regression!.loadings[0]!.coefficient).toBeCloseTo(1, 2)
    const other = await regress({ ticker: 'TLT', series: [{ symbol: 'SPY', kind: 'return' }] })
    expect(regressOnFactors.answer.parse(other.json()).regression!.r_squared).toBeLessThan(0.9)
    const refused = await regress({ ticker: 'CASHX', series: [{ symbol: 'SPY', kind: 'return' }] })
    expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining('CASHX cannot be a factor')])
  })

  it.each(['DGS10?M=10', 'TLT?FB=IEF', 'SPY?L=2'])(
    'refuses %s, of which it would only use the symbol',
    async (symbol) => {
      const asked = [
        { series: [{ symbol, kind: 'return' }] },
        { ticker: symbol, series: [{ symbol: 'SPY', kind: 'return' }] },
      ]
      for (const body of asked) {
        const refused = await regress(body)
        expect([refused.statusCode, refused.body]).toEqual([
          400,
          expect.stringContaining(`${symbol} cannot be a factor`),
        ])
      }
    },
  )

  it('by a file in the form of Kenneth French, which its owner alone can use and delete', async () => {
    const sent = await upload(french)
    const file = FactorFile.parse(sent.json<{ file: unknown }>().file)
    expect(file).toMatchObject({ name: 'French', frequency: 'monthly', factors: ['Mkt-RF', 'HML', 'RF'], rows: 48 })
    const answer = await regress({ file: { id: file.id, factors: ['Mkt-RF', 'HML'] } })
    expect(regressOnFactors.answer.parse(answer.json()).regression).toMatchObject({
      frequency: 'monthly',
      risk_free: 'RF of the file',
    })
    const bob = await register(server)
    expect((await regress({ file: { id: file.id, factors: [] } }, bob)).statusCode).toBe(404)
    const remove = (user: RegisteredUser) =>
      server.app.inject({ method: 'DELETE', url: `/api/factor-files/${file.id}`, headers: headersOf(user) })
    expect((await remove(bob)).statusCode).toBe(404)
    expect((await remove(ann)).statusCode).toBe(200)
    expect((await server.app.inject({ url: '/api/factor-files', headers: headersOf(ann) })).json()).toEqual({
      files: [],
    })
  })

  it('says why there is none, and refuses what makes no sense with a sentence', async () => {
    expect((await regress({})).json()).toEqual({ regression: null, not_available: 'no factor was chosen' })
    const spy = { symbol: 'SPY', kind: 'return' }
    expect((await regress({ series: [spy, spy] })).json()).toMatchObject({ regression: null })
    expect((await regress({ series: [{ symbol: 'CASHX', kind: 'return' }] })).statusCode).toBe(400)
    expect((await regress({ series: [{ symbol: 'SPY', kind: 'level' }] })).statusCode).toBe(400)
    expect((await upload('no dates here')).json()).toMatchObject({ code: 'factors.file' })
  })
})
