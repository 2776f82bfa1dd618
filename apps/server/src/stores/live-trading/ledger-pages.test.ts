import { Random } from '@tradewright/core/random'
import type { EntryType } from '@tradewright/engine/trading/ledger/entry'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type LiveWorld, liveWorld } from '../../../test-support/live/live-world.ts'
import { ledgerPage } from './ledger-pages.ts'

const TYPES: readonly EntryType[] = ['TRADE_BUY', 'TRADE_BUY', 'TRADE_BUY', 'FEE', 'FEE', 'SNAPSHOT']
const ENTRIES = 60

let world: LiveWorld
let id: number
/** Newest first. */
let booked: { id: number; type: EntryType }[]

beforeAll(async () => {
  world = await liveWorld()
  const [own, other] = [await world.deployed(), await world.deployed({ name: 'Another' })]
  id = own.id
  const random = new Random(5)
  for (let n = 0; n < ENTRIES; n++) {
    await append(random.float() < 0.3 ? other.id : own.id, TYPES[Math.floor(random.float() * TYPES.length)]!, n)
  }
  const rows = await world.database.database
    .selectFrom('ledger_entries')
    .select(['id', 'entry_type'])
    .where('deployment_id', '=', id)
    .orderBy('id', 'desc')
    .execute()
  booked = rows.map((row) => ({ id: row.id, type: row.entry_type as EntryType }))
})
afterAll(() => world.close())

const append = (deploymentId: number, type: EntryType, n: number) =>
  world.database.database
    .insertInto('ledger_entries')
    .values({
      account_id: world.accountId,
      deployment_id: deploymentId,
      entry_type: type,
      key: `test:${n}`,
      recorded_at: new Date(n),
      direction: 'none',
      amount: '0',
      legs: '[]',
      cash_after: '0',
      equity_after: '0',
      positions_after: '{}',
    })
    .execute()

const filters: readonly { types: readonly EntryType[] | undefined }[] = [
  { types: undefined },
  { types: ['FEE'] },
  { types: ['SNAPSHOT', 'CONTRIBUTION'] },
  { types: ['FEE', 'TRADE_BUY', 'SNAPSHOT', 'DIVIDEND'] },
  { types: ['DIVIDEND'] },
  { types: [] },
]

it.each(filters)('pages of $types are those of a filtered list', async ({ types }) => {
  const shown = booked.filter(({ type }) => !types || types.includes(type)).map((entry) => entry.id)
  for (const size of [1, 7, 50]) {
    for (let page = 1; page <= Math.ceil(shown.length / size) + 1; page++) {
      const { entries, total } = await ledgerPage(world.database.database, id, page, size, { types, search: undefined })
      expect(total).toBe(shown.length)
      expect(entries.map((entry) => entry.id)).toEqual(shown.slice((page - 1) * size, page * size))
    }
  }
})
