import type { FoundTicker, TickerLookup } from '@tradewright/contract/tickers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Caller, caller } from '../../../test-support/caller.ts'
import { importDaily } from '../../../test-support/import-prices.ts'
import { NOWHERE, providersAt } from '../../../test-support/providers-at.ts'
import { startSecStandIn } from '../../../test-support/stand-ins/sec.ts'
import type { StandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { startYahooStandIn } from '../../../test-support/stand-ins/yahoo.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'

let server: TestApp
let user: Caller
let other: Caller
let standIns: StandIn[]
beforeAll(async () => {
  const [yahoo, sec] = await Promise.all([startYahooStandIn(Date.now), startSecStandIn()])
  standIns = [yahoo, sec]
  const environment = { ...providersAt(NOWHERE), YAHOO_URL: yahoo.url, SEC_URL: sec.url, SEC_CONTACT: 'op@example.com' }
  server = await createTestApp({ environment })
  user = await caller(server)
  other = await caller(server)
  await importDaily(server, user, 'MYFUND', '2001-05-02', '2001-05-10')
})
afterAll(async () => {
  await server.close()
  for (const standIn of standIns) await standIn.close()
})

const search = async (q: string, by = user) =>
  (await by.get(`/api/tickers/search?q=${encodeURIComponent(q)}`)).json<{ tickers: FoundTicker[] }>().tickers
const lookUp = async (ticker: string) =>
  (await user.get(`/api/tickers/lookup?ticker=${encodeURIComponent(ticker)}`)).json<TickerLookup>()

it('finds tickers by symbol and by name, the exact symbol first', async () => {
  expect((await search('spy'))[0]).toEqual({
    ticker: 'SPY',
    name: 'S&P 500 ETF',
    source: 'catalogue',
    provider: 'Yahoo Finance',
    data_since: '1993',
  })
  expect((await search('treasury')).map(({ ticker }) => ticker)).toContain('TLT')
  expect((await search('bitcoin'))[0]).toMatchObject({ ticker: 'BTC-USD' })
  expect(await search('no such words')).toEqual([])
})

it('offers stored series with their first day and source, to their owner alone', async () => {
  expect(await search('MYF')).toEqual([
    { ticker: 'MYFUND', name: 'MYFUND', source: 'stored', provider: 'your CSV', data_since: '2001-05-02' },
  ])
  expect(await search('MYF', other)).toEqual([])
  expect((await search(''))[0]).toMatchObject({ ticker: 'MYFUND' })
})

it("knows companies of the SEC's list once it is there", async () => {
  await expect.poll(() => search('COMPANY ')).not.toEqual([])
})

it('says where the data of a ticker comes from, since when, and what a run would use otherwise', async () => {
  expect(await lookUp('SPY?L=2')).toMatchObject({ ticker: 'SPY', state: 'available', provider: 'Yahoo Finance' })
  expect(await lookUp('MYFUND')).toMatchObject({ state: 'stored', provider: 'your CSV', data_since: '2001-05-02' })
  expect(await lookUp('ZZZZQ')).toMatchObject({
    state: 'missing',
    provider: 'Yahoo Finance',
    sample: false,
    name: null,
  })
  expect(await lookUp('AGG')).toMatchObject({ state: 'missing', sample: true })
  expect(await lookUp('DGS10')).toMatchObject({ state: 'unchecked', provider: 'FRED' })
  expect(await lookUp('CASHX')).toMatchObject({ state: 'computed', provider: null })
  expect((await user.get('/api/tickers/lookup?ticker=A%20B')).statusCode).toBe(400)
})

it('tells a provider that does not answer from a ticker that it does not know', async () => {
  standIns[0]!.misbehave('down')
  expect(await lookUp('MSFT')).toMatchObject({ state: 'unreachable', provider: 'Yahoo Finance', sample: true })
  standIns[0]!.behave()
})

it('asks a provider about a ticker once, and about few a minute for one user', async () => {
  const asked = () => standIns[0]!.requests.length
  const before = asked()
  await lookUp('SPY')
  expect(asked()).toBe(before)
  for (let n = 0; n < 25; n++) await lookUp(`QQ${String.fromCharCode(65 + n)}`)
  expect(asked() - before).toBeLessThan(25)
  expect(await lookUp('QQXYZ')).toMatchObject({ state: 'unchecked' })
})
