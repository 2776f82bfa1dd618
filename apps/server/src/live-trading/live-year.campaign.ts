import { expect, it } from 'vitest'
import { liveYear } from '../../test-support/live/live-year.ts'

/** `SEED`, `ACCOUNTS` and `SESSIONS` take another year, or a smaller one. */
const numberOf = (name: string, otherwise: number) => Number(process.env[name] ?? otherwise)
const SIZE = {
  seed: numberOf('SEED', 2026),
  accounts: numberOf('ACCOUNTS', 40),
  sessions: numberOf('SESSIONS', 252),
}

it(
  `${SIZE.accounts} accounts go through ${SIZE.sessions} sessions with every order wanted once, every dollar explained and every fault said`,
  async () => {
    const { broken, done, orders, alerts } = await liveYear(SIZE)
    const what = Object.entries(done).map(([name, count]) => `${count} ${name}`)
    process.stdout.write(`seed ${SIZE.seed}: ${orders} orders, ${alerts} alerts; ${what.join(', ')}\n`)
    expect(broken).toEqual([])
  },
  12 * 3_600_000,
)
