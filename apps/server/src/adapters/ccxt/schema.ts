import { Decimal } from '@tradewright/core/decimal'
import { z } from 'zod'

/** Nothing at an exchange has more digits; what has is no amount. */
const MAX_DIGITS = 40

/** ccxt's unified structures, with numbers as text. Whatever is not known is undefined or null there. */
const number = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value, context) => {
    if (value === undefined || value === null || value === '') return undefined
    try {
      if (String(value).length > MAX_DIGITS) throw new RangeError('too long')
      return Decimal.parse(String(value))
    } catch {
      context.addIssue('not a decimal number')
      return z.NEVER
    }
  })
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined)

export const Instant = z.number().int().positive()

export const Market = z.object({
  id: z.string(),
  symbol: z.string(),
  base: z.string(),
  active: z.boolean().nullish(),
  precision: z.object({ amount: number }),
  limits: z.object({
    amount: z.object({ min: number }).nullish(),
    cost: z.object({ min: number }).nullish(),
  }),
})
export type Market = z.output<typeof Market>

export const Order = z.object({
  id: z.string().min(1),
  clientOrderId: text,
  symbol: z.string(),
  side: z.enum(['buy', 'sell']),
  type: text,
  timeInForce: text,
  status: z.string(),
  timestamp: Instant,
  lastUpdateTimestamp: Instant.nullish().transform((value) => value ?? undefined),
  lastTradeTimestamp: Instant.nullish().transform((value) => value ?? undefined),
  price: number,
  amount: number,
  filled: number,
  average: number,
  info: z.unknown(),
})
export type Order = z.output<typeof Order>

/** All that is known of an order that was sent and not asked for yet. */
export const OrderId = z.object({ id: z.string().min(1) })

export const Trade = z.object({
  id: z.string().min(1),
  order: z.string().min(1),
  symbol: z.string(),
  side: z.enum(['buy', 'sell']),
  amount: number.pipe(z.instanceof(Decimal)),
  price: number.pipe(z.instanceof(Decimal)),
  timestamp: Instant,
  fee: z.object({ cost: number, currency: text }).nullish(),
})
export type Trade = z.output<typeof Trade>

export const Balance = z.object({
  total: z.record(z.string(), number),
  free: z.record(z.string(), number),
  info: z.unknown(),
})
export type Balance = z.output<typeof Balance>

export const Tickers = z.record(z.string(), z.object({ last: number }))

/** A deposit or a withdrawal. */
export const Flow = z.object({
  id: z.string().min(1),
  type: z.enum(['deposit', 'withdrawal']),
  currency: z.string(),
  amount: number.pipe(z.instanceof(Decimal)),
  timestamp: Instant,
  status: text,
})
export type Flow = z.output<typeof Flow>
