import { Decimal } from '@tradewright/core/decimal'
import type { LotOrder } from './lots-task.ts'
import type { ComputeLots } from './tax-lots.ts'

interface Services {
  readonly run: (order: LotOrder, owner: string) => Promise<unknown>
  /** Does a user's work when their earlier ones are done. */
  readonly turns: <Result>(userId: number, work: () => Promise<Result>) => Promise<Result>
}

export const createComputeLots =
  ({ run, turns }: Services): ComputeLots =>
  (userId, readRecords, kind, question) =>
    turns(userId, async () => {
      const records = await readRecords()
      const order = { kind, records, ...question } as unknown as LotOrder
      return withDecimals(await run(order, String(userId))) as never
    })

/** What comes from a thread has lost its classes. */
function withDecimals(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withDecimals)
  if ('billionths' in value) return new Decimal(value.billionths as bigint)
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withDecimals(each)]))
}
