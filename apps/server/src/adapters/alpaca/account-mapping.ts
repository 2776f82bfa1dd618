import { Decimal } from '@tradewright/core/decimal'
import { Problem } from '@tradewright/core/problem'
import type { BrokerAccount, Position, TradableAsset } from '@tradewright/engine/trading/broker'
import type { AlpacaAccount, AlpacaAsset, AlpacaPosition } from './schema.ts'
import { contractSize, toTicker } from './symbols.ts'

const TRADING_STATUSES = new Set(['ACTIVE', 'PAPER_ONLY'])

/** Four times is for the day only; overnight Regulation T allows twice. */
const OVERNIGHT_LIMIT = 2

export function toAccount(sent: AlpacaAccount): BrokerAccount {
  const equity = sent.equity ?? sent.portfolio_value
  if (!equity) throw new Problem('upstream', 'broker.malformed', 'Alpaca did not report the value of the account.')
  const { cash, non_marginable_buying_power: withoutMargin } = sent
  if (!cash) throw new Problem('upstream', 'broker.malformed', 'Alpaca did not report the cash of the account.')
  const leverageLimit = Math.max(1, Math.min(OVERNIGHT_LIMIT, sent.multiplier?.toNumber() ?? 1))
  return {
    id: sent.id,
    currency: sent.currency ?? 'USD',
    cash,
    equity,
    lastEquity: sent.last_equity,
    buyingPower: sent.buying_power ?? cash,
    ...(withoutMargin && { nonMarginableBuyingPower: withoutMargin }),
    // `cash` counts the proceeds of a sale at once; a cash account may spend them when they are settled, a session later.
    ...(withoutMargin && leverageLimit <= 1 && { settledCash: withoutMargin }),
    openedAt: sent.created_at,
    leverageLimit,
    paysDividendsLater: true,
    isShortingAllowed: sent.shorting_enabled ?? false,
    blockedBecause: blockOf(sent),
  }
}

function blockOf(sent: AlpacaAccount): string | undefined {
  if (sent.account_blocked) return 'the account is blocked'
  if (sent.trading_blocked) return 'trading is blocked for the account'
  if (sent.trade_suspended_by_user) return 'new orders are suspended in the account settings'
  return TRADING_STATUSES.has(sent.status) ? undefined : `the status of the account is ${sent.status}`
}

export function toPosition(sent: AlpacaPosition): Position {
  const size = contractSize(sent.symbol)
  const entry = sent.avg_entry_price?.times(size)
  const price = sent.current_price?.times(size) ?? perShare(sent) ?? entry ?? Decimal.zero
  return {
    ticker: toTicker(sent.symbol, sent.asset_class),
    quantity: sent.qty,
    averageEntryPrice: entry ?? price,
    price,
    marketValue: sent.market_value ?? sent.qty.times(price),
  }
}

const perShare = ({ market_value, qty }: AlpacaPosition) =>
  market_value && !qty.isZero ? market_value.dividedBy(qty) : undefined

/** Purchases of coins for dollars below this are refused; sales and pairs with other coins are not. */
const MIN_COIN_PURCHASE = Decimal.parse('10')

const isEasyToBorrow = ({ borrow_status: status, easy_to_borrow: isEasy }: AlpacaAsset): boolean =>
  status === undefined ? isEasy === true : status === 'easy_to_borrow'

export const toAsset = (sent: AlpacaAsset): TradableAsset => ({
  ticker: toTicker(sent.symbol, sent.class),
  isTradable: sent.tradable && sent.status === 'active',
  isFractionable: sent.fractionable,
  // Since 2024 limit orders of the day may be of fractions, which the description of `qty` does not say yet.
  hasFractionalLimits: sent.class === 'crypto' || sent.fractionable,
  isMarginable: sent.marginable && sent.class !== 'crypto',
  // Shares that are hard to borrow need a locate, which this program does not ask for.
  isShortable: sent.shortable && isEasyToBorrow(sent),
  ...(sent.class === 'crypto' && sent.symbol.endsWith('/USD') && { minPurchase: MIN_COIN_PURCHASE }),
  ...(sent.min_order_size && { minQuantity: sent.min_order_size }),
  ...(sent.min_trade_increment && { quantityStep: sent.min_trade_increment }),
  ...(sent.price_increment && { priceStep: sent.price_increment }),
})
