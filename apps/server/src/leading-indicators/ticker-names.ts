import { coinOf } from '@tradewright/core/ticker-kind'

/** Names of what most people ask for first; others are called by their ticker. */
const NAMES: Readonly<Record<string, string>> = {
  SPY: 'S&P 500 ETF',
  VTI: 'US total market ETF',
  QQQ: 'Nasdaq-100 ETF',
  IWM: 'US small companies ETF',
  EFA: 'Developed markets ETF',
  EEM: 'Emerging markets ETF',
  VNQ: 'US real estate ETF',
  TLT: '20+ year Treasury ETF',
  IEF: '7-10 year Treasury ETF',
  SHY: '1-3 year Treasury ETF',
  AGG: 'US aggregate bond ETF',
  LQD: 'Investment-grade corporate bond ETF',
  TIP: 'Inflation-protected Treasury ETF',
  BIL: '1-3 month T-bill ETF',
  GLD: 'Gold ETF',
  DBC: 'Commodities ETF',
  AAPL: 'Apple',
  MSFT: 'Microsoft',
  AMZN: 'Amazon',
  GOOG: 'Alphabet',
  NVDA: 'NVIDIA',
  TSLA: 'Tesla',
  KO: 'Coca-Cola',
  JNJ: 'Johnson & Johnson',
  JPM: 'JPMorgan Chase',
  XOM: 'Exxon Mobil',
  CPIAUCSL: 'Consumer prices, seasonally adjusted',
  CPIAUCNS: 'Consumer prices',
  UNRATE: 'Unemployment rate',
  FEDFUNDS: 'Fed funds rate, monthly',
  DFF: 'Fed funds rate, daily',
  TB3MS: '3-month T-bill rate, monthly',
  DTB3: '3-month T-bill rate, daily',
  DGS2: '2-year Treasury yield',
  DGS10: '10-year Treasury yield',
  T10Y2Y: '10-year minus 2-year Treasury yield',
  VIXCLS: 'CBOE volatility index',
}

const COINS: Readonly<Record<string, string>> = { BTC: 'Bitcoin', ETH: 'Ethereum', SOL: 'Solana' }

const DERIVATIVES: Readonly<Record<string, string>> = {
  FR: 'funding rate',
  OI: 'open interest',
  LS: 'long/short ratio',
  LIQ: 'liquidations',
}

export function tickerName(ticker: string): string {
  const coin = coinOf(ticker)
  if (coin === undefined) return NAMES[ticker] ?? ticker
  const name = COINS[coin] ?? coin
  const derivative = DERIVATIVES[ticker.split('-').at(-1)!]
  return derivative ? `${name} ${derivative}` : name
}
