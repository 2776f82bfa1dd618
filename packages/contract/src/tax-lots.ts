import { z } from 'zod'
import { Success } from './answers.ts'
import { idField } from './ids.ts'
import { route } from './route.ts'

export const LOT_METHODS = ['fifo', 'lifo', 'highest-cost', 'specific'] as const
export type LotMethod = (typeof LOT_METHODS)[number]

export const LOT_METHOD_LABELS = {
  fifo: 'First in, first out (FIFO)',
  lifo: 'Last in, first out (LIFO)',
  'highest-cost': 'Highest cost first',
  specific: 'Specific lots, chosen for each sale',
} as const satisfies Record<LotMethod, string>

/** Rows that come with an answer; a CSV file has all of them. */
export const LOTS_SHOWN = 1000

const amount = z.number()
const day = z.iso.date()
/**
 * Where the basis comes from: the trade; the broker's average price of shares held before the records begin; the value on
 * the day of a transfer; not known.
 */
const origin = z.enum(['trade', 'before', 'transfer', 'unknown'])

export const TaxLot = z.object({
  id: z.string(),
  purchase_id: z.string(),
  symbol: z.string(),
  /** Negative for shares sold short. */
  qty: amount,
  opened_on: day,
  /** Earlier than `opened_on` where a wash sale adds the time of the shares that were sold. */
  held_since: day,
  basis: amount,
  /** The part of the basis that is disallowed losses of wash sales. */
  wash_adjustment: amount,
  /** Null without a price. */
  market_value: amount.nullable(),
  unrealized: amount.nullable(),
  term: z.enum(['short', 'long']),
  origin,
})
export type TaxLot = z.infer<typeof TaxLot>

export const RealisedSale = z.object({
  sale_id: z.string(),
  symbol: z.string(),
  qty: amount,
  opened_on: day,
  held_since: day,
  sold_on: day,
  proceeds: amount,
  basis: amount,
  /** The part of a loss that does not count, because replacing shares were bought within 30 days. */
  disallowed: amount,
  gain: amount,
  term: z.enum(['short', 'long']),
  origin,
  washes: z.array(z.object({ bought_on: day, qty: amount, disallowed: amount })),
})
export type RealisedSale = z.infer<typeof RealisedSale>

const RealisedTerm = z.object({ proceeds: amount, basis: amount, disallowed: amount, gain: amount })
export type RealisedTerm = z.infer<typeof RealisedTerm>

export const RealisedYear = z.object({
  year: z.int(),
  short: RealisedTerm,
  long: RealisedTerm,
  total: RealisedTerm,
  /** Sales of shares whose basis is not known; they are in no sum. */
  unknown_sales: z.int(),
})
export type RealisedYear = z.infer<typeof RealisedYear>

export const TaxLots = z.object({
  method: z.enum(LOT_METHODS),
  /** False while the broker's activities are still being collected: there are no lots until then. */
  is_complete: z.boolean(),
  /** The first day that the lots know of; null without any activity. */
  starts_on: day.nullable(),
  lots: z.array(TaxLot),
  lots_count: z.int(),
  years: z.array(RealisedYear),
  /** The year that `sales` are from; null without any. */
  year: z.int().nullable(),
  /** Newest first. */
  sales: z.array(RealisedSale),
  sales_count: z.int(),
  /** Shares that the activities say are there and the broker does not have. */
  unexplained: z.array(z.object({ symbol: z.string(), qty: amount })),
  /** Fees that belong to no known trade, and are in no basis. */
  other_fees: amount,
})
export type TaxLots = z.infer<typeof TaxLots>

const tag = 'Portfolio'
const saleId = z.string().min(1).max(200)

export const getTaxLots = route({
  method: 'GET',
  path: '/api/alpaca/portfolio/lots',
  access: 'signed in',
  scope: 'read',
  tag,
  summary:
    'Tax lots of a brokerage account, realised gains by year and wash sales, from the broker’s own list of executions. ' +
    'Not tax advice.',
  query: z.object({ account_id: idField, year: z.coerce.number().int().min(1900).max(9999).optional() }),
  answer: Success.extend({ tax: TaxLots }),
})

export const setLotMethod = route({
  method: 'PUT',
  path: '/api/alpaca/portfolio/lots/method',
  access: 'signed in',
  tag,
  summary: 'Set which shares the sales of an account take.',
  body: z.object({ account_id: idField, method: z.enum(LOT_METHODS) }),
  answer: Success,
})

export const getSaleLots = route({
  method: 'GET',
  path: '/api/alpaca/portfolio/lots/sale',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'The lots that a sale can take, and those that were chosen for it.',
  query: z.object({ account_id: idField, sale_id: saleId }),
  answer: Success.extend({
    symbol: z.string(),
    qty: amount,
    lots: z.array(
      z.object({ purchase_id: z.string(), opened_on: day, qty: z.string(), basis: amount, chosen: z.string() }),
    ),
  }),
})

export const setSaleLots = route({
  method: 'PUT',
  path: '/api/alpaca/portfolio/lots/sale',
  access: 'signed in',
  addsRows: true,
  tag,
  summary: 'Choose the lots of a sale, for accounts with the method "specific". None: the oldest first.',
  body: z.object({
    account_id: idField,
    sale_id: saleId,
    lots: z
      .array(
        z.object({
          purchase_id: z.string().min(1).max(200),
          qty: z.string().regex(/^\d{1,15}(\.\d{1,9})?$/, 'qty must be a number of shares.'),
        }),
      )
      .max(500),
  }),
  answer: Success,
})

export const EXPORT_KINDS = ['trades', 'transactions', 'orders', 'ledger', 'lots', 'sales'] as const
export type ExportKind = (typeof EXPORT_KINDS)[number]

/** A browser link, not a call: `?account_id=…&kind=…` answers with a CSV file. */
export const PORTFOLIO_EXPORT_PATH = '/api/alpaca/portfolio/export'
export const PORTFOLIO_EXPORT_SCOPE = 'read'

export const Statement = z.object({
  account_name: z.string(),
  broker: z.string(),
  paper_trading: z.boolean(),
  month: z.string(),
  /** The close that the statement begins with, and the one it ends with. */
  from: day.nullable(),
  to: day,
  /** When the figures were taken, for a month that is not over; null for a month that is. */
  as_of: z.iso.datetime().nullable(),
  /** In cents; opening and all the others add up to closing. */
  opening: amount,
  deposits: amount,
  withdrawals: amount,
  dividends: amount,
  interest: amount,
  fees: amount,
  other: amount,
  /** Changes of prices and gains of trading: what is left. */
  market: amount,
  closing: amount,
  /** Closing less opening, deposits and withdrawals. */
  profit: amount,
  realised: RealisedTerm,
  /** Positions at the end; without a basis where that of some shares is not known. */
  positions: z.array(
    z.object({
      symbol: z.string(),
      qty: amount,
      basis: amount.nullable(),
      price: amount.nullable(),
      value: amount.nullable(),
    }),
  ),
  /** The cash at the end; cash, positions and the difference add up to closing. */
  cash: amount,
  positions_value: amount.nullable(),
  /** The broker's value of that day against cash and positions at closing prices; null where a price is missing. */
  difference: amount.nullable(),
  trades: z.array(
    z.object({ date: day, side: z.enum(['buy', 'sell']), symbol: z.string(), qty: amount, price: amount, amount }),
  ),
  trades_count: z.int(),
  flows: z.array(z.object({ date: day, type: z.string(), description: z.string(), amount })),
  /** What the built-in paper account held or traded at prices of the synthetic sample market. */
  synthetic_tickers: z.array(z.string()),
})
export type Statement = z.infer<typeof Statement>

export const getStatement = route({
  method: 'GET',
  path: '/api/alpaca/portfolio/statement',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: 'The statement of an account for a month: values, flows, profit, trades and positions.',
  query: z.object({
    account_id: idField,
    month: z.string().regex(/^(19|20)\d{2}-(0[1-9]|1[0-2])$/, 'month must be of the form YYYY-MM.'),
  }),
  answer: Success.extend({ statement: Statement }),
})
