import type { RealisedSale, RealisedTerm, TaxLot, TaxLots } from '@tradewright/contract/tax-lots'
import { Decimal } from '@tradewright/core/decimal'
import { formatDate } from '@tradewright/core/time'
import { type Disposal, isLongTerm, type Lot } from '@tradewright/engine/trading/lots/lot'
import type { RealisedTerm as Sums } from '@tradewright/engine/trading/lots/tax-lots'
import type { AccountLots, saleLotsOf } from '../../portfolio/tax-lots.ts'

export function taxLotsToWire(account: AccountLots): TaxLots {
  const { shown } = account
  return {
    method: account.method,
    is_complete: account.isComplete,
    starts_on: shown?.startsOn === undefined ? null : formatDate(shown.startsOn),
    lots: (shown?.lots ?? []).map((lot) => lotToWire(lot, account)),
    lots_count: shown?.lotsCount ?? 0,
    years: (shown?.years ?? []).map(({ year: number, short, long, total, unknown }) => ({
      year: number,
      short: sumsToWire(short),
      long: sumsToWire(long),
      total: sumsToWire(total),
      unknown_sales: unknown,
    })),
    year: shown?.year ?? null,
    sales: (shown?.sales ?? []).map(saleToWire),
    sales_count: shown?.salesCount ?? 0,
    unexplained: (shown?.unexplained ?? []).map(({ ticker, quantity }) => ({
      symbol: ticker,
      qty: quantity.toNumber(),
    })),
    other_fees: shown?.otherFees.toNumber() ?? 0,
  }
}

export const sumsToWire = ({ proceeds, basis, disallowed, gain }: Sums): RealisedTerm => ({
  proceeds: proceeds.toNumber(),
  basis: basis.toNumber(),
  disallowed: disallowed.toNumber(),
  gain: gain.toNumber(),
})

function lotToWire(lot: Lot, { taken, today }: AccountLots): TaxLot {
  const price = taken.snapshot.positions.find(({ ticker }) => ticker === lot.ticker)?.price
  const value = price === undefined ? undefined : lot.quantity.times(Decimal.parse(price))
  return {
    id: lot.id,
    purchase_id: lot.purchaseId,
    symbol: lot.ticker,
    qty: lot.quantity.toNumber(),
    opened_on: formatDate(lot.openedOn),
    held_since: formatDate(lot.heldSince),
    basis: lot.basis.toNumber(),
    wash_adjustment: lot.washAdjustment.toNumber(),
    market_value: value?.toNumber() ?? null,
    // Without a basis there is no gain to tell.
    unrealized: lot.origin === 'unknown' ? null : (value?.minus(lot.basis).toNumber() ?? null),
    term: isLongTerm(lot.heldSince, today) ? 'long' : 'short',
    origin: lot.origin,
  }
}

const saleToWire = (sale: Disposal): RealisedSale => ({
  sale_id: sale.saleId,
  symbol: sale.ticker,
  qty: sale.quantity.toNumber(),
  opened_on: formatDate(sale.openedOn),
  held_since: formatDate(sale.heldSince),
  sold_on: formatDate(sale.soldOn),
  ...sumsToWire(sale),
  term: sale.term,
  origin: sale.origin,
  washes: sale.washes.map(({ boughtOn, quantity, disallowed }) => ({
    bought_on: formatDate(boughtOn),
    qty: quantity.toNumber(),
    disallowed: disallowed.toNumber(),
  })),
})

export const saleLotsToWire = ({ ticker, quantity, lots }: Awaited<ReturnType<typeof saleLotsOf>>) => ({
  symbol: ticker,
  qty: quantity.toNumber(),
  lots: lots.map((lot) => ({
    purchase_id: lot.purchaseId,
    opened_on: formatDate(lot.openedOn),
    qty: String(lot.quantity),
    basis: lot.basis.toNumber(),
    chosen: String(lot.chosen),
  })),
})
