import { dateOf, type EpochDay } from '@tradewright/core/time'

/** A price's exposure to each common factor, and its own volatility. */
export interface Traits {
  readonly ticker: string
  readonly listedOn: EpochDay
  readonly firstPrice: number
  /** Extra return per year that no factor explains. */
  readonly drift: number
  readonly market: number
  readonly technology: number
  /** Years of duration: a percent point more yield costs this many percent. */
  readonly duration: number
  readonly gold: number
  readonly commodities: number
  readonly abroad: number
  /** Volatility of its own per year. */
  readonly own: number
  /** Per year, as a fraction of the price. Those paid monthly are a bond's coupons, and come on top of what rates give. */
  readonly dividends: { readonly yield: number; readonly perYear: 0 | 4 | 12 }
  /** A price above it is split. */
  readonly splitsAbove: number
  readonly volume: number
}

const plain = {
  drift: 0,
  market: 0,
  technology: 0,
  duration: 0,
  gold: 0,
  commodities: 0,
  abroad: 0,
  dividends: { yield: 0, perYear: 0 },
  splitsAbove: Number.POSITIVE_INFINITY,
} as const satisfies Partial<Traits>

type Given = Partial<Traits> & Pick<Traits, 'firstPrice' | 'own' | 'volume'>

const listed = (ticker: string, date: string, given: Given): Traits => ({
  ...plain,
  ticker,
  listedOn: dateOf(date),
  ...given,
})

/** The Select Sector funds began on one day. */
const sector = (ticker: string, given: Given): Traits => listed(ticker, '1998-12-22', { splitsAbove: 240, ...given })

const pays = (yearly: number, perYear: 4 | 12): Traits['dividends'] => ({ yield: yearly, perYear })

const FUNDS: readonly Traits[] = [
  listed('SPY', '1995-01-03', { firstPrice: 45.75, market: 1, own: 0.01, dividends: pays(0.017, 4), volume: 8e7 }),
  listed('VTI', '2001-05-31', {
    firstPrice: 57.5,
    market: 1.01,
    own: 0.015,
    dividends: pays(0.017, 4),
    splitsAbove: 450,
    volume: 4e6,
  }),
  listed('QQQ', '1999-03-10', {
    firstPrice: 51,
    market: 1.1,
    technology: 0.75,
    own: 0.02,
    dividends: pays(0.006, 4),
    volume: 5e7,
  }),
  listed('TQQQ', '2010-02-11', {
    firstPrice: 80,
    market: 3.3,
    technology: 2.25,
    drift: -0.08,
    own: 0.06,
    dividends: pays(0.002, 4),
    splitsAbove: 160,
    volume: 6e7,
  }),
  listed('IWM', '2000-05-26', {
    firstPrice: 91,
    market: 1.15,
    own: 0.08,
    dividends: pays(0.012, 4),
    splitsAbove: 300,
    volume: 3e7,
  }),
  listed('IJS', '2000-07-28', {
    firstPrice: 78,
    market: 1.1,
    drift: 0.01,
    own: 0.09,
    dividends: pays(0.015, 4),
    splitsAbove: 200,
    volume: 5e5,
  }),
  listed('EFA', '2001-08-27', {
    firstPrice: 42,
    market: 0.8,
    abroad: 1,
    drift: -0.03,
    own: 0.03,
    dividends: pays(0.027, 4),
    volume: 2e7,
  }),
  listed('EEM', '2003-04-14', {
    firstPrice: 33,
    market: 0.95,
    abroad: 1.4,
    drift: -0.03,
    own: 0.08,
    dividends: pays(0.02, 4),
    volume: 4e7,
  }),
  listed('VNQ', '2004-09-29', {
    firstPrice: 50,
    market: 0.95,
    duration: 4,
    own: 0.1,
    dividends: pays(0.038, 4),
    volume: 5e6,
  }),
  listed('TLT', '2002-07-30', { firstPrice: 82, duration: 16.5, own: 0.02, dividends: pays(0, 12), volume: 1.5e7 }),
  listed('IEF', '2002-07-30', { firstPrice: 81, duration: 7.6, own: 0.01, dividends: pays(0, 12), volume: 6e6 }),
  listed('SHY', '2002-07-30', { firstPrice: 81, duration: 1.9, own: 0.003, dividends: pays(0, 12), volume: 4e6 }),
  listed('AGG', '2003-09-29', {
    firstPrice: 102,
    duration: 5.8,
    market: 0.02,
    own: 0.01,
    dividends: pays(0.003, 12),
    volume: 7e6,
  }),
  listed('LQD', '2002-07-30', {
    firstPrice: 101,
    duration: 8,
    market: 0.12,
    own: 0.02,
    dividends: pays(0.012, 12),
    volume: 1e7,
  }),
  listed('TIP', '2003-12-05', {
    firstPrice: 101,
    duration: 6.5,
    gold: 0.05,
    own: 0.02,
    dividends: pays(0, 12),
    volume: 3e6,
  }),
  listed('BIL', '2007-05-30', { firstPrice: 91.5, own: 0.001, dividends: pays(0, 12), volume: 6e6 }),
  listed('GLD', '2004-11-18', { firstPrice: 44.4, gold: 1, own: 0.02, drift: 0.02, volume: 9e6 }),
  listed('DBC', '2006-02-06', { firstPrice: 24, commodities: 1, gold: 0.1, market: 0.15, own: 0.05, volume: 2e6 }),
  sector('XLB', {
    firstPrice: 20.9,
    market: 1.05,
    commodities: 0.25,
    own: 0.08,
    dividends: pays(0.02, 4),
    volume: 6e6,
  }),
  sector('XLE', {
    firstPrice: 23.3,
    market: 0.9,
    commodities: 0.6,
    own: 0.1,
    dividends: pays(0.033, 4),
    volume: 1.8e7,
  }),
  sector('XLF', { firstPrice: 23.1, market: 1.15, duration: -2, own: 0.09, dividends: pays(0.018, 4), volume: 4.5e7 }),
  sector('XLI', { firstPrice: 24.1, market: 1.05, own: 0.06, dividends: pays(0.016, 4), volume: 1e7 }),
  sector('XLK', {
    firstPrice: 32.6,
    market: 1.05,
    technology: 0.85,
    own: 0.04,
    dividends: pays(0.008, 4),
    volume: 7e6,
  }),
  sector('XLP', { firstPrice: 27.2, market: 0.6, own: 0.06, dividends: pays(0.025, 4), volume: 1.1e7 }),
  sector('XLU', { firstPrice: 30.1, market: 0.55, duration: 3, own: 0.09, dividends: pays(0.032, 4), volume: 1.2e7 }),
  sector('XLV', { firstPrice: 26.3, market: 0.75, own: 0.07, dividends: pays(0.016, 4), volume: 9e6 }),
  sector('XLY', { firstPrice: 25.3, market: 1.1, technology: 0.15, own: 0.06, dividends: pays(0.009, 4), volume: 5e6 }),
]

const STOCKS: readonly Traits[] = [
  listed('AAPL', '1995-01-03', {
    firstPrice: 38,
    market: 1.15,
    technology: 0.9,
    drift: 0.1,
    own: 0.24,
    dividends: pays(0.005, 4),
    splitsAbove: 480,
    volume: 6e7,
  }),
  listed('MSFT', '1995-01-03', {
    firstPrice: 61,
    market: 1.1,
    technology: 0.8,
    drift: 0.06,
    own: 0.18,
    dividends: pays(0.011, 4),
    splitsAbove: 520,
    volume: 3e7,
  }),
  listed('AMZN', '1997-05-15', {
    firstPrice: 23,
    market: 1.25,
    technology: 0.9,
    drift: 0.08,
    own: 0.3,
    splitsAbove: 900,
    volume: 4e7,
  }),
  listed('GOOG', '2004-08-19', {
    firstPrice: 100,
    market: 1.05,
    technology: 0.8,
    drift: 0.07,
    own: 0.2,
    splitsAbove: 1200,
    volume: 2.5e7,
  }),
  listed('NVDA', '1999-01-22', {
    firstPrice: 19.7,
    market: 1.4,
    technology: 1.5,
    drift: 0.1,
    own: 0.36,
    dividends: pays(0.001, 4),
    splitsAbove: 400,
    volume: 5e7,
  }),
  listed('TSLA', '2010-06-29', {
    firstPrice: 23.9,
    market: 1.4,
    technology: 0.9,
    drift: 0.1,
    own: 0.44,
    splitsAbove: 900,
    volume: 9e7,
  }),
  listed('KO', '1995-01-03', {
    firstPrice: 51.5,
    market: 0.6,
    own: 0.13,
    dividends: pays(0.029, 4),
    splitsAbove: 110,
    volume: 1.4e7,
  }),
  listed('JNJ', '1995-01-03', {
    firstPrice: 55,
    market: 0.6,
    drift: 0.01,
    own: 0.13,
    dividends: pays(0.026, 4),
    splitsAbove: 190,
    volume: 8e6,
  }),
  listed('JPM', '1995-01-03', {
    firstPrice: 36,
    market: 1.2,
    duration: -2,
    own: 0.2,
    dividends: pays(0.026, 4),
    splitsAbove: 300,
    volume: 1.2e7,
  }),
  listed('XOM', '1995-01-03', {
    firstPrice: 61,
    market: 0.75,
    commodities: 0.45,
    own: 0.15,
    dividends: pays(0.035, 4),
    splitsAbove: 140,
    volume: 1.7e7,
  }),
]

/** Everything that trades on the exchange. Real symbols with made-up prices. */
export const exchangeUniverse: readonly Traits[] = [...FUNDS, ...STOCKS]

export interface CoinTraits {
  readonly ticker: string
  readonly coin: string
  readonly listedOn: EpochDay
  readonly firstPrice: number
  /** Answer to the common movement of coins. */
  readonly coins: number
  readonly own: number
  /** In dollars a day. */
  readonly volume: number
}

export const coinUniverse: readonly CoinTraits[] = [
  {
    ticker: 'BTC-USD',
    coin: 'BTC',
    listedOn: dateOf('2014-09-17'),
    firstPrice: 457,
    coins: 1,
    own: 0.08,
    volume: 2e10,
  },
  {
    ticker: 'ETH-USD',
    coin: 'ETH',
    listedOn: dateOf('2017-11-09'),
    firstPrice: 320,
    coins: 1.15,
    own: 0.32,
    volume: 1.2e10,
  },
]
