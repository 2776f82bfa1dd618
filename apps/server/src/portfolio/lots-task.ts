import { Decimal } from '@tradewright/core/decimal'
import { civilDate, type EpochDay, formatDate } from '@tradewright/core/time'
import type { AccountActivity, CashActivity, TradeActivity } from '@tradewright/engine/trading/account-activity'
import { standingActivities } from '@tradewright/engine/trading/account-activity'
import type { Disposal, Lot, LotMethod } from '@tradewright/engine/trading/lots/lot'
import type { LotEvent } from '@tradewright/engine/trading/lots/lot-event'
import { type AccountLotEvents, accountLotEvents } from '@tradewright/engine/trading/lots/lot-events'
import { type LotRules, realisedByYear, taxLots, type TaxLots } from '@tradewright/engine/trading/lots/tax-lots'
import { type CsvCell, csvLine } from '@tradewright/core/csv'
import type { StoredPosition } from './ports.ts'
import { type StatementFigures, statementFigures } from './statement-figures.ts'

/** What the lots of an account are computed from, as it travels to a thread. */
export interface LotRecords {
  /** Portions of activities, as JSON. */
  readonly activities: readonly string[]
  readonly positions: readonly Pick<StoredPosition, 'ticker' | 'quantity' | 'averageEntryPrice'>[]
  readonly takenOn: EpochDay
  readonly cash: string
  readonly method: LotMethod
  readonly choices: readonly (readonly [
    string,
    readonly { readonly purchaseId: string; readonly quantity: string }[],
  ])[]
}

/** What may be asked about them. `shown` limits the rows of an answer. */
export interface LotQuestions {
  /** Sales of one year: the one that is named, else the newest. */
  lots: { readonly year: number | undefined; readonly shown: number }
  /** The lines of a CSV file. */
  file: { readonly file: LotFile }
  sale: { readonly saleId: string }
  statement: { readonly from: EpochDay | undefined; readonly to: EpochDay; readonly shown: number }
}

export interface LotAnswers {
  lots: ShownLots
  file: readonly string[]
  /** Undefined where there is no such sale. */
  sale: SaleLots | undefined
  statement: StatementFigures
}

export interface ShownLots extends Omit<AccountLotEvents, 'events'> {
  readonly startsOn: EpochDay | undefined
  readonly lots: readonly Lot[]
  readonly lotsCount: number
  readonly years: ReturnType<typeof realisedByYear>
  readonly year: number | undefined
  /** Newest first. */
  readonly sales: readonly Disposal[]
  readonly salesCount: number
}

/** Lots of one purchase are offered together. */
interface OfferedLots {
  readonly purchaseId: string
  readonly openedOn: EpochDay
  readonly quantity: Decimal
  readonly basis: Decimal
  readonly chosen: Decimal
}

export interface SaleLots {
  readonly ticker: string
  readonly quantity: Decimal
  readonly lots: readonly OfferedLots[]
}

export type LotOrder = {
  [Kind in keyof LotQuestions]: { readonly kind: Kind; readonly records: LotRecords } & LotQuestions[Kind]
}[keyof LotQuestions]

/** A compute task: tens of thousands of activities take seconds. */
export function run(order: LotOrder): LotAnswers[keyof LotAnswers] {
  const { records } = order
  const activities = standingActivities(records.activities.flatMap(activitiesOf))
  const known = accountLotEvents(activities, records.positions.map(toPosition), records.takenOn)
  const choices = records.choices.map(([sale, lots]) => [sale, lots.map(toChoice)] as const)
  const rules = { method: records.method, choices: new Map(choices) }
  if (order.kind === 'lots') return shownLots(known, rules, order)
  if (order.kind === 'file') return lotFile(order.file, taxLots(known.events, rules))
  if (order.kind === 'sale') return saleLots(known.events, rules, order.saleId)
  return statementFigures({ activities, events: known.events, rules, cash: Decimal.parse(records.cash) }, order)
}

function shownLots(known: AccountLotEvents, rules: LotRules, { year: asked, shown }: LotQuestions['lots']): ShownLots {
  const { lots, disposals } = taxLots(known.events, rules)
  const years = realisedByYear(disposals)
  const year = asked ?? years[0]?.year
  const sales = disposals.filter(({ soldOn }) => civilDate(soldOn).year === year).toReversed()
  return {
    startsOn: known.events[0]?.day,
    lots: lots.slice(0, shown),
    lotsCount: lots.length,
    years,
    year,
    sales: sales.slice(0, shown),
    salesCount: sales.length,
    unexplained: known.unexplained,
    otherFees: known.otherFees,
  }
}

function saleLots(events: readonly LotEvent[], rules: LotRules, saleId: string): SaleLots | undefined {
  const sale = events.map(saleOf).find((each) => each?.id === saleId)
  if (!sale) return undefined
  const { lots } = taxLots(events, { ...rules, before: saleId })
  const chosen = rules.choices?.get(saleId) ?? []
  const own = lots.filter(({ ticker, quantity }) => ticker === sale.ticker && quantity.isPositive)
  const byPurchase = Map.groupBy(own, ({ purchaseId }) => purchaseId)
  return {
    ticker: sale.ticker,
    quantity: sale.quantity,
    lots: [...byPurchase].map(([purchaseId, parts]) => ({
      purchaseId,
      openedOn: parts[0]!.openedOn,
      quantity: sum(parts.map(({ quantity }) => quantity)),
      basis: sum(parts.map(({ basis }) => basis)),
      chosen: chosen.find((choice) => choice.purchaseId === purchaseId)?.quantity ?? Decimal.zero,
    })),
  }
}

/** Shares that an option called away are sold as well. */
function saleOf(event: LotEvent): { id: string; ticker: string; quantity: Decimal } | undefined {
  if (event.kind === 'trade') return event.side === 'sell' ? event : undefined
  if (event.kind !== 'delivery' || event.shares.side === 'buy') return undefined
  return { id: event.id, ticker: event.shares.ticker, quantity: event.shares.quantity }
}

const sum = (amounts: readonly Decimal[]): Decimal => amounts.reduce((total, each) => total.plus(each), Decimal.zero)

type Plain<Type> = { [Key in keyof Type]: Type[Key] extends Decimal | undefined ? string : Type[Key] }

const activitiesOf = (portion: string): AccountActivity[] =>
  (JSON.parse(portion) as (Plain<TradeActivity> | Plain<CashActivity>)[]).map((plain) =>
    plain.kind === 'trade' ? toTrade(plain) : toCash(plain),
  )

const toTrade = (plain: Plain<TradeActivity>): TradeActivity => ({
  ...plain,
  quantity: Decimal.parse(plain.quantity),
  price: Decimal.parse(plain.price),
})

function toCash({ quantity, netAmount, ...plain }: Plain<CashActivity>): CashActivity {
  const moved = quantity === undefined ? {} : { quantity: Decimal.parse(quantity) }
  return { ...plain, netAmount: Decimal.parse(netAmount), ...moved }
}

const toPosition = ({ ticker, quantity, averageEntryPrice }: LotRecords['positions'][number]) => ({
  ticker,
  quantity: Decimal.parse(quantity),
  averageEntryPrice: Decimal.parse(averageEntryPrice),
})

const toChoice = ({ purchaseId, quantity }: { purchaseId: string; quantity: string }) => ({
  purchaseId,
  quantity: Decimal.parse(quantity),
})

/** A header of a file and what stands under it. */
export type Column<Row> = readonly [string, (row: Row) => CsvCell]

const LOT_COLUMNS: readonly Column<Lot>[] = [
  ['Symbol', (lot) => lot.ticker],
  ['Quantity', (lot) => lot.quantity],
  ['Opened on', (lot) => formatDate(lot.openedOn)],
  ['Held since', (lot) => formatDate(lot.heldSince)],
  ['Basis', (lot) => (lot.origin === 'unknown' ? undefined : lot.basis)],
  ['Wash sale adjustment', (lot) => lot.washAdjustment],
  ['Basis from', (lot) => lot.origin],
  ['Lot', (lot) => lot.id],
]

const SALE_COLUMNS: readonly Column<Disposal>[] = [
  ['Symbol', (sale) => sale.ticker],
  ['Quantity', (sale) => sale.quantity],
  ['Acquired on', (sale) => formatDate(sale.openedOn)],
  ['Held since', (sale) => formatDate(sale.heldSince)],
  ['Sold on', (sale) => formatDate(sale.soldOn)],
  ['Proceeds', (sale) => sale.proceeds],
  ['Basis', (sale) => (sale.origin === 'unknown' ? undefined : sale.basis)],
  ['Wash sale disallowed', (sale) => sale.disallowed],
  ['Gain', (sale) => (sale.origin === 'unknown' ? undefined : sale.gain)],
  ['Term', (sale) => sale.term],
  ['Basis from', (sale) => sale.origin],
  ['Sale', (sale) => sale.saleId],
  ['Lot', (sale) => sale.purchaseId],
]

export const LOT_FILES = {
  lots: LOT_COLUMNS.map(([name]) => name),
  sales: SALE_COLUMNS.map(([name]) => name),
} as const
export type LotFile = keyof typeof LOT_FILES

/** A text is handed over in one piece: not too long a one. */
const LINES_AT_ONCE = 5000

/** The lines of a file without its header, in portions. */
const lotFile = (file: LotFile, { lots, disposals }: TaxLots): string[] =>
  file === 'lots' ? linesOf(LOT_COLUMNS, lots) : linesOf(SALE_COLUMNS, disposals)

function linesOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string[] {
  const portions = Array.from({ length: Math.ceil(rows.length / LINES_AT_ONCE) }, (_, i) =>
    rows.slice(i * LINES_AT_ONCE, (i + 1) * LINES_AT_ONCE),
  )
  return portions.map((portion) => portion.map((row) => csvLine(columns.map(([, cellOf]) => cellOf(row)))).join(''))
}
