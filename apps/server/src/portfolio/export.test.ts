import { ManualClock } from '@tradewright/core/clock'
import { expect, it } from 'vitest'
import { exportAccount } from './export.ts'

const booked = {
  id: 7,
  recorded_at: new Date('2026-03-02T15:00:00Z'),
  deployment: 'Sixty, forty',
  entry_type: 'DIVIDEND',
  direction: 'in',
  amount: '12.5000',
  currency: 'USD',
  note: null,
  cash_after: '112.50',
  equity_after: '10112.50',
}

it('has each figure of the ledger below its heading', async () => {
  const account = { id: 1, userId: 1, name: 'Main', broker: 'paper', isDefault: true, status: 'verified' }
  const deps = {
    clock: new ManualClock(new Date('2026-03-02T16:00:00Z')),
    accounts: { list: async () => [account], find: async () => account },
    rows: {
      async *ledger() {
        yield [booked]
      },
    },
  } as unknown as Parameters<typeof exportAccount>[0]
  const { pieces } = await exportAccount(deps, 1, 1, 'ledger')
  const [header, row] = (await Array.fromAsync(pieces)).join('').trim().split(/\r?\n/)
  expect(header).toBe('Id,Recorded at,Deployment,Type,Direction,Amount,Currency,Note,Cash after,Equity after')
  expect(row).toBe('7,2026-03-02T15:00:00.000Z,"Sixty, forty",DIVIDEND,in,12.5,USD,,112.5,10112.5')
})
