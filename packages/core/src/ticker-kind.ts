import { type Category, observationCategory } from './category.ts'

/** Decides the calendar, the provider and which value of a ticker is its main one. */
export type TickerKind =
  | 'security'
  | 'index'
  | 'currency'
  | 'future'
  | 'crypto'
  | 'funding_rate'
  | 'open_interest'
  | 'long_short_ratio'
  | 'liquidations'
  | 'economic'
  | 'cash'
  | 'treasury_bill'

export const CASHX = 'CASHX'
export const TBILLX = 'TBILLX'

/** FRED ids that a ticker may name without the `FRED:` prefix. Other ids need it, since they look like stocks. */
const FRED_SERIES: ReadonlySet<string> = new Set(
  `
  CPIAUCSL CPIAUCNS CPILFESL PCEPI PCEPILFE PPIACO T5YIE T10YIE
  DGS1MO DGS3MO DGS6MO DGS1 DGS2 DGS3 DGS5 DGS7 DGS10 DGS20 DGS30
  TB3MS DTB3 T10Y2Y T10Y3M DFF FEDFUNDS SOFR MORTGAGE30US BAMLH0A0HYM2 DAAA DBAA
  UNRATE PAYEMS ICSA CIVPART JTSJOL GDP GDPC1 INDPRO RSAFS HOUST UMCSENT USREC
  M1SL M2SL WALCL VIXCLS DCOILWTICO DTWEXBGS DEXUSEU SP500 NFCI STLFSI4
`
    .trim()
    .split(/\s+/),
)

const DERIVATIVES: ReadonlyMap<string, TickerKind> = new Map([
  ['FR', 'funding_rate'],
  ['OI', 'open_interest'],
  ['LS', 'long_short_ratio'],
  ['LIQ', 'liquidations'],
])

const DERIVATIVE = /^(.+)-(FR|OI|LS|LIQ)$/

export function tickerKind(symbol: string): TickerKind {
  if (symbol === CASHX) return 'cash'
  if (symbol === TBILLX) return 'treasury_bill'
  if (symbol.startsWith('FRED:') || FRED_SERIES.has(symbol)) return 'economic'
  const derivative = DERIVATIVES.get(DERIVATIVE.exec(symbol)?.[2] ?? '')
  if (derivative) return derivative
  if (symbol.endsWith('-USD')) return 'crypto'
  if (symbol.startsWith('^')) return 'index'
  if (symbol.endsWith('=X')) return 'currency'
  if (symbol.endsWith('=F')) return 'future'
  return 'security'
}

/** The coin behind `BTC-USD`, `BTC-FR`, `BTC-USD-OI` or `BTCUSDT-LS`; undefined for what is no coin. */
export function coinOf(symbol: string): string | undefined {
  const base = DERIVATIVE.exec(symbol)?.[1]
  if (base !== undefined) return base.replace(/(-?USDT?)$/, '')
  return symbol.endsWith('-USD') ? symbol.slice(0, -'-USD'.length) : undefined
}

/** The id FRED knows, without our prefix. */
export const fredSeriesId = (symbol: string): string => symbol.replace(/^FRED:/, '')

const OBSERVATIONS: ReadonlySet<TickerKind> = new Set<TickerKind>([...DERIVATIVES.values(), 'economic'])

/** Has one value per stamp, which may be negative, instead of bars with prices. */
export const isObservation = (kind: TickerKind): boolean => OBSERVATIONS.has(kind)

/** The default category of a chart or a feature. */
export const mainCategory = (kind: TickerKind): Category => (isObservation(kind) ? observationCategory : 'close')
