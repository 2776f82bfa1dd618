import { emptyBooks } from '@tradewright/engine/trading/ledger/books'
import type { Broker } from '@tradewright/engine/trading/broker'
import { expect, it } from 'vitest'
import { strategyOf } from '../../../test-support/live/fake-signal-service.ts'
import { settingsOf } from '../../../test-support/live/live-world.ts'
import type { LiveDatabase } from '../ports/database.ts'
import { refuseShorts } from './refuse-shorts.ts'

/** An account without deployments and positions at a broker that lends these. */
async function refusalOf(tickerMapping: Record<string, string>, lent: readonly string[]): Promise<unknown> {
  const database = {
    deployments: { onAccount: async () => [] },
    books: { books: async () => emptyBooks },
  } as unknown as LiveDatabase
  const broker = {
    account: async () => ({ isShortingAllowed: true }),
    asset: async (ticker: string) => (lent.includes(ticker) ? { ticker, isShortable: true } : undefined),
  } as unknown as Broker
  const strategy = strategyOf({ SPY: 100, TLT: -30 })
  return refuseShorts({ database }, broker, {
    id: undefined,
    accountId: 1,
    strategy,
    settings: settingsOf({ tickerMapping }),
  }).then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  )
}

it('sells short what the broker lends', async () => {
  expect(await refusalOf({}, ['TLT'])).toBeUndefined()
})

it('refuses what the broker does not know, and a coin that stands for a share', async () => {
  expect(await refusalOf({}, ['SPY'])).toBe('The strategy sells TLT short, and the broker does not lend it.')
  expect(await refusalOf({ TLT: 'BTC-USD' }, ['SPY', 'TLT', 'BTC-USD'])).toBe(
    'The strategy sells BTC-USD short, and the broker does not lend it.',
  )
})
