import { describe, expect, it } from 'vitest'
import { dailyBlock } from '../test-support/series-store-suite.ts'
import { mergeByPrecedence } from './ingest.ts'
import { byPrecedence, providerPrecedence } from './rows.ts'

const gap = Number.NaN

describe('silver to gold', () => {
  it('takes the best provider and fills its gaps from the next', () => {
    const yahoo = dailyBlock('AAPL', [1, gap, 3])
    const alpaca = dailyBlock('AAPL', [1, 2, 9, 4], { provider: 'alpaca' })
    const { blocks, conflicts } = mergeByPrecedence([yahoo, alpaca])
    expect(blocks.map(({ provider, columns }) => [provider, columns['close']])).toEqual([
      ['yahoo', Float64Array.of(1, 3)],
      ['alpaca', Float64Array.of(2, 4)],
    ])
    expect(blocks[1]?.timestamps).toEqual(alpaca.timestamps.filter((_, row) => row === 1 || row === 3))
    expect(conflicts).toBe(1)
  })

  it('takes the prices of a bar whole', () => {
    const yahoo = dailyBlock('AAPL', [5], { columns: { close: Float64Array.of(5) } })
    const columns = { open: Float64Array.of(4), close: Float64Array.of(5), volume: Float64Array.of(100) }
    const { blocks, conflicts } = mergeByPrecedence([yahoo, dailyBlock('AAPL', [5], { provider: 'alpaca', columns })])
    expect(blocks.map(({ provider, columns }) => [provider, Object.keys(columns)])).toEqual([
      ['yahoo', ['close']],
      ['alpaca', ['volume']],
    ])
    expect(conflicts).toBe(0)
  })

  it('takes what is told about the release of a value from the provider of the value', () => {
    const [uploaded, fred] = [Float64Array.of(4, gap), Float64Array.of(4.1, 4.2)]
    const csv = dailyBlock('UNRATE', [1, 1], { provider: 'csv', columns: { value: uploaded } })
    const columns = { value: fred, revisions: Float64Array.of(2, 0) }
    const { blocks } = mergeByPrecedence([csv, dailyBlock('UNRATE', [1, 1], { provider: 'fred', columns })])
    expect(blocks.map(({ provider, columns }) => [provider, columns])).toEqual([
      ['csv', { value: Float64Array.of(4) }],
      ['fred', { value: Float64Array.of(4.2), revisions: Float64Array.of(0) }],
    ])
  })

  it('does not call rounding a conflict', () => {
    const other = dailyBlock('AAPL', [100.000_5], { provider: 'alpaca' })
    expect(mergeByPrecedence([dailyBlock('AAPL', [100]), other])).toMatchObject({ conflicts: 0 })
  })

  it('leaves out a provider that won nothing', () => {
    const { blocks } = mergeByPrecedence([dailyBlock('AAPL', [1]), dailyBlock('AAPL', [1], { provider: 'alpaca' })])
    expect(blocks.map(({ provider }) => provider)).toEqual(['yahoo'])
  })

  it('does not change what it was given', () => {
    const other = dailyBlock('AAPL', [2], { provider: 'alpaca' })
    mergeByPrecedence([dailyBlock('AAPL', [1]), other])
    expect(other.columns['close']).toEqual(Float64Array.of(2))
  })
})

it('ranks uploads first and providers without a rank after the known ones', () => {
  const providers = ['zeta', 'alpaca', 'alpha', 'coinbase', 'csv', 'yahoo']
  expect(providers.sort(byPrecedence(providerPrecedence('crypto')))).toEqual([
    'csv',
    'coinbase',
    'yahoo',
    'alpaca',
    'alpha',
    'zeta',
  ])
})
