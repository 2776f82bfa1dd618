import { Decimal } from '@tradewright/core/decimal'
import { z } from 'zod'

/** Nothing at a broker has more digits; what has is no amount. */
const NUMBER = /^[+-]?\d{1,18}(\.\d{0,30})?$/
const MAX_NUMBER = 1e15

/** Money and quantities come as decimal text; a number is read by its shortest writing. */
const amount = z
  .union([z.string().regex(NUMBER, 'is not a decimal number'), z.number().gte(-MAX_NUMBER).lte(MAX_NUMBER)])
  .transform((value) => (typeof value === 'string' ? Decimal.parse(value) : Decimal.fromNumber(value)))

/** Anything that has no usable number is "not known", as Alpaca's null is. */
const amountOrNothing = z
  .unknown()
  .transform((value) => {
    const parsed = amount.safeParse(value)
    return parsed.success ? parsed.data : undefined
  })
  .optional()

/** What is stored as an instant has to fit the database. */
const END_OF_TIME = Date.UTC(2200, 0)

const instant = z.string().transform((text, context) => {
  const millis = Date.parse(text)
  if (millis >= 0 && millis < END_OF_TIME) return millis
  context.issues.push({ code: 'custom', message: 'is not an instant', input: text })
  return z.NEVER
})
/** A time of the year 1 is no time. */
const instantOrNothing = z
  .unknown()
  .transform((value) => instant.safeParse(value).data)
  .optional()

/** Ids and symbols are keys of the database. */
const id = z.string().regex(/^[\x20-\x7e]{0,128}$/, 'is not an id')
const idOrNothing = id.nullish().transform((value) => value ?? undefined)

const MAX_TEXT = 500
/** Words for people: without characters that the database does not take, and of a length that fits a line. */
const plain = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, ' ')
    .slice(0, MAX_TEXT)
const text = z.string().transform(plain)
const textOrNothing = text.nullish().transform((value) => value ?? undefined)

/** Only id and status are guaranteed. */
export const AlpacaAccount = z.object({
  id,
  status: text,
  currency: z.string().nullish(),
  cash: amountOrNothing,
  equity: amountOrNothing,
  last_equity: amountOrNothing,
  portfolio_value: amountOrNothing,
  buying_power: amountOrNothing,
  non_marginable_buying_power: amountOrNothing,
  multiplier: amountOrNothing,
  shorting_enabled: z.boolean().nullish(),
  trading_blocked: z.boolean().nullish(),
  account_blocked: z.boolean().nullish(),
  trade_suspended_by_user: z.boolean().nullish(),
  created_at: instantOrNothing,
})
export type AlpacaAccount = z.infer<typeof AlpacaAccount>

export const AlpacaPosition = z.object({
  symbol: id,
  asset_class: textOrNothing,
  qty: amount,
  avg_entry_price: amountOrNothing,
  current_price: amountOrNothing,
  market_value: amountOrNothing,
})
export type AlpacaPosition = z.infer<typeof AlpacaPosition>

export const AlpacaOrder = z.object({
  id,
  // Other programs may choose any words.
  client_order_id: text,
  symbol: id,
  asset_class: textOrNothing,
  qty: amountOrNothing,
  notional: amountOrNothing,
  filled_qty: amountOrNothing,
  filled_avg_price: amountOrNothing,
  side: z.enum(['buy', 'sell']),
  type: z.string(),
  time_in_force: z.string(),
  limit_price: amountOrNothing,
  status: z.string(),
  created_at: instantOrNothing,
  submitted_at: instantOrNothing,
  filled_at: instantOrNothing,
  canceled_at: instantOrNothing,
  expired_at: instantOrNothing,
  failed_at: instantOrNothing,
  replaced_at: instantOrNothing,
  replaced_by: idOrNothing,
  replaces: idOrNothing,
  reject_reason: textOrNothing,
})
export type AlpacaOrder = z.infer<typeof AlpacaOrder>

/** All that is asked of an order of any class, such as a spread of options, whose side and symbol are empty. */
export const AlpacaOrderIds = AlpacaOrder.pick({ id: true, client_order_id: true, replaces: true })
export type AlpacaOrderIds = z.infer<typeof AlpacaOrderIds>

export const AlpacaId = z.object({ id })

export const AlpacaAsset = z.object({
  symbol: id,
  class: textOrNothing,
  status: z.string(),
  tradable: z.boolean(),
  marginable: z.boolean(),
  shortable: z.boolean(),
  // US stocks only; `easy_to_borrow` is the older name of `borrow_status`.
  borrow_status: textOrNothing,
  easy_to_borrow: z.boolean().nullish(),
  fractionable: z.boolean(),
  // Coins only.
  min_order_size: amountOrNothing,
  min_trade_increment: amountOrNothing,
  price_increment: amountOrNothing,
})
export type AlpacaAsset = z.infer<typeof AlpacaAsset>

/** A side without an offer has a price of 0. */
export const AlpacaQuotes = z.object({
  quotes: z.record(z.string(), z.object({ t: instant, bp: amountOrNothing, ap: amountOrNothing })),
})

export const AlpacaClock = z.object({
  timestamp: instant,
  is_open: z.boolean(),
  next_open: instant,
  next_close: instant,
})

export const AlpacaCalendarDay = z.object({ date: z.iso.date(), open: z.string(), close: z.string() })

/** Executions and everything else come in one list; what is missing depends on the type. */
export const AlpacaActivity = z.object({
  id,
  activity_type: id,
  transaction_time: instantOrNothing,
  created_at: instantOrNothing,
  date: textOrNothing,
  symbol: idOrNothing,
  side: textOrNothing,
  qty: amountOrNothing,
  price: amountOrNothing,
  net_amount: amountOrNothing,
  per_share_amount: amountOrNothing,
  description: textOrNothing,
  order_id: idOrNothing,
  status: textOrNothing,
  group_id: idOrNothing,
  previous_id: idOrNothing,
})
export type AlpacaActivity = z.infer<typeof AlpacaActivity>

/** Plain numbers here, and any of them may be null. */
export const AlpacaHistory = z.object({
  timestamp: z
    .array(z.number())
    .nullish()
    .transform((value) => value ?? []),
  equity: z
    .array(z.number().nullable())
    .nullish()
    .transform((value) => value ?? []),
  cashflow: z
    .record(
      z.string(),
      z
        .array(z.number().nullable())
        .nullish()
        .transform((value) => value ?? []),
    )
    .nullish()
    .transform((value) => value ?? {}),
})
export type AlpacaHistory = z.infer<typeof AlpacaHistory>

export const AlpacaError = z.object({ code: z.number().optional(), message: z.string() })
