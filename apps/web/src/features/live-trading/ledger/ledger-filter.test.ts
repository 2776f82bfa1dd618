import type { LedgerEntry } from '@tradewright/contract/live-trading-fields'
import { LedgerQuery } from '@tradewright/contract/live-trading'
import { describe, expect, it } from 'vitest'
import { isFiltered, ledgerQuery, matching, NO_FILTER, pageRange, positionTexts, toggled } from './ledger-filter.ts'

const TYPES = ['CONTRIBUTION', 'TRADE_BUY', 'FEE'] as const
const entry = (entry_type: LedgerEntry['entry_type'], note: string | null = null) =>
  ({ entry_type, note, direction: 'in' }) as LedgerEntry

describe('the types of entries', () => {
  it('are excluded and included again, one by one [LIVE-065, LIVE-067]', () => {
    const without = toggled(NO_FILTER, 'FEE')
    expect([isFiltered(NO_FILTER), isFiltered(without), isFiltered(toggled(without, 'FEE'))]).toEqual([
      false,
      true,
      false,
    ])
  })

  it('are asked for by name only where some are excluded [LIVE-214]', () => {
    expect(ledgerQuery(NO_FILTER, TYPES, 2)).toEqual({ page: 2, page_size: 50 })
    const query = ledgerQuery({ excluded: ['FEE'], search: ' first ' }, TYPES, 1)
    expect(LedgerQuery.parse(query)).toMatchObject({ entry_types: ['CONTRIBUTION', 'TRADE_BUY'], search: 'first' })
  })

  it('filter what is in sight at once', () => {
    const entries = [entry('CONTRIBUTION', 'First money'), entry('FEE'), entry('TRADE_BUY', 'SPY')]
    expect(matching(entries, { excluded: ['FEE'], search: '' })).toHaveLength(2)
    expect(matching(entries, { excluded: [], search: 'money' })).toHaveLength(1)
    expect(matching(entries, { excluded: [], search: 'trade_b' })).toHaveLength(1)
  })
})

describe('the foot', () => {
  it('counts from 1, and has at least one page [LIVE-071, LIVE-072]', () => {
    expect(pageRange(1, 0)).toEqual({ from: 0, to: 0, total: 0, page: 1, pages: 1 })
    expect(pageRange(3, 101)).toEqual({ from: 101, to: 101, total: 101, page: 3, pages: 3 })
    expect(pageRange(1, 50)).toMatchObject({ from: 1, to: 50, pages: 1 })
  })
})

it('quantities show up to four decimals [LIVE-218]', () => {
  expect(positionTexts({ SPY: 12.50001, TLT: 3, QQQ: 0 })).toEqual(['SPY 12.5', 'TLT 3'])
  expect(positionTexts({})).toEqual([])
})
