import { dateOf } from '@tradewright/core/time'
import { listedInWords } from '@tradewright/engine/market/provider'
import { afterEach, expect, it } from 'vitest'
import { startAlpacaDataStandIn } from '../../../test-support/stand-ins/alpaca-data.ts'
import { officialActions } from '../../../test-support/stand-ins/official-corporate-actions.ts'
import type { StandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { testSurroundings } from '../../../test-support/test-surroundings.ts'
import { alpacaDataProvider } from './provider.ts'

const keys = { keyId: 'PKTESTKEY', secretKey: 'very-secret-key' }
const days = { from: dateOf('2023-01-01'), last: dateOf('2025-12-31') }

let standIn: StandIn
afterEach(() => standIn.close())

async function listed(actions: unknown, tickers: readonly string[]) {
  const surroundings = testSurroundings()
  standIn = await startAlpacaDataStandIn(() => surroundings.timing.now(), { ...keys, actions })
  const provider = alpacaDataProvider(standIn.url, keys, surroundings)
  return (await provider.listedActions!(tickers, days, new AbortController().signal)).map(listedInWords)
}

it('reads the official examples of actions that change what a holding consists of', async () => {
  expect(await listed(officialActions, ['AAPL', 'BRK-B'])).toEqual([
    'each BSAQ became 1 VFS on 2023-08-15',
    'each GLOP became $5.37 on 2023-07-17',
    'each LSI became 0.895 EXR on 2023-07-20',
    'each MLVF became 0.7733 FRBA and $7.8 on 2023-07-18',
    'each JUPW brought 0.05168 SRM on 2023-08-15',
    'each IFN brought 1 IFN-RTWI on 2024-04-19',
    'each ORPHY became $0.141134 on 2023-06-13',
    'each BLPH became nothing on 2024-12-19',
    'each TPBAU became 1 LVRO and 0.3333 LVROW on 2023-03-01',
  ])
  const { query } = standIn.requests[0]!
  expect(Object.fromEntries(query)).toEqual({
    symbols: 'AAPL,BRK.B',
    types:
      'name_change,stock_merger,cash_merger,stock_and_cash_merger,spin_off,rights_distribution,redemption,worthless_removal,unit_split,reorganization',
    start: '2023-01-01',
    end: '2025-12-31',
    limit: '1000',
  })
})

it('leaves out what it cannot read, and what changes the name alone', async () => {
  const merger = officialActions.stock_mergers[0]!
  const [change] = officialActions.name_changes
  const actions = {
    stock_mergers: [
      { ...merger, acquiree_rate: 0 },
      { ...merger, acquirer_rate: -1 },
      { ...merger, acquirer_rate: 'NaN' },
      { ...merger, acquirer_symbol: 'X'.repeat(1_000) },
      { ...merger, process_date: 'tomorrow' },
      null,
      merger,
    ],
    name_changes: [{ ...change, new_symbol: 'BSAQ' }],
    dragon_mergers: [{ id: 'new' }],
  }
  expect(await listed(actions, ['LSI'])).toEqual(['each LSI became 0.895 EXR on 2023-07-20'])
})

it('asks nothing about coins', async () => {
  expect(await listed(officialActions, ['BTC-USD'])).toEqual([])
  expect(standIn.requests).toEqual([])
})

it.each([
  ['a list that is none', { name_changes: 'many' }],
  ['no lists at all', []],
])('refuses %s as a failure of the provider', async (_, actions) => {
  await expect(listed(actions, ['LSI'])).rejects.toMatchObject({ failure: 'malformed' })
})

it('gives up pages that do not end', async () => {
  await expect(listed('endless', ['LSI'])).rejects.toThrow('it has more than 10 pages of /v1/corporate-actions')
})
