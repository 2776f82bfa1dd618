import { Problem } from './problem.ts'
import { fallbacksOf, parseTicker } from './ticker.ts'

/** Exchanges outside the United States, by the suffix that Yahoo and most vendors write behind a dot; then those of others. */
const EXCHANGES: Readonly<Record<string, string>> = {
  L: 'London',
  IL: 'London',
  DE: 'Xetra',
  F: 'Frankfurt',
  SG: 'Stuttgart',
  MU: 'Munich',
  BE: 'Berlin',
  DU: 'Düsseldorf',
  HM: 'Hamburg',
  HA: 'Hanover',
  PA: 'Paris',
  AS: 'Amsterdam',
  BR: 'Brussels',
  LS: 'Lisbon',
  IR: 'Dublin',
  MI: 'Milan',
  MC: 'Madrid',
  SW: 'Zurich',
  VI: 'Vienna',
  ST: 'Stockholm',
  HE: 'Helsinki',
  CO: 'Copenhagen',
  IC: 'Reykjavik',
  OL: 'Oslo',
  WA: 'Warsaw',
  PR: 'Prague',
  BD: 'Budapest',
  AT: 'Athens',
  RO: 'Bucharest',
  TL: 'Tallinn',
  RG: 'Riga',
  VS: 'Vilnius',
  XC: 'Cboe United Kingdom',
  XD: 'Cboe Europe',
  AQ: 'Aquis',
  TI: 'EuroTLX',
  IS: 'Istanbul',
  TA: 'Tel Aviv',
  JO: 'Johannesburg',
  CA: 'Cairo',
  SR: 'Riyadh',
  QA: 'Doha',
  AE: 'Dubai',
  KW: 'Kuwait',
  TO: 'Toronto',
  V: 'TSX Venture',
  CN: 'Canadian Securities Exchange',
  NE: 'Cboe Canada',
  MX: 'Mexico City',
  SA: 'São Paulo',
  BA: 'Buenos Aires',
  SN: 'Santiago',
  CR: 'Caracas',
  T: 'Tokyo',
  HK: 'Hong Kong',
  SS: 'Shanghai',
  SZ: 'Shenzhen',
  KS: 'Seoul',
  KQ: 'KOSDAQ',
  TW: 'Taipei',
  TWO: 'Taipei (OTC)',
  SI: 'Singapore',
  KL: 'Kuala Lumpur',
  JK: 'Jakarta',
  PS: 'Manila',
  BK: 'Bangkok',
  VN: 'Ho Chi Minh City',
  NS: 'National Stock Exchange of India',
  BO: 'Bombay',
  AX: 'Sydney',
  XA: 'Cboe Australia',
  NZ: 'New Zealand',
  CL: 'Bogota',
  NX: 'Euronext',
  // EOD Historical Data and Stooq.
  LSE: 'London',
  UK: 'London',
  XETRA: 'Xetra',
  TSE: 'Tokyo',
  JP: 'Tokyo',
  NEO: 'Cboe Canada',
  AU: 'Sydney',
  KO: 'Seoul',
  SHG: 'Shanghai',
  SHE: 'Shenzhen',
  NSE: 'National Stock Exchange of India',
  BSE: 'Bombay',
  WAR: 'Warsaw',
  BUD: 'Budapest',
  HU: 'Budapest',
}

/** Names and codes of exchanges in the United States, as files and vendors write them. */
const US_EXCHANGES: ReadonlySet<string> = new Set(
  `US USA NYSE NYQ XNYS NASDAQ NMS NGM NCM NASDAQGS NASDAQGM NASDAQCM XNAS AMEX ASE XASE NYSEAMERICAN NYSEARCA ARCA ARCX PCX BATS
  BZX CBOE XCBO IEX IEXG OTC OTCM OTCMKTS PINK PNK CME XCME CBOT XCBT NYMEX XNYM COMEX XCEC ICEUS IFUS`
    .trim()
    .split(/\s+/),
)

/** Whether a cell of a file names an exchange in the United States. */
export const isUsExchange = (name: string): boolean => US_EXCHANGES.has(name.toUpperCase().replaceAll(/[^A-Z]/g, ''))

/** The place of a security outside the United States; undefined for any other ticker, class shares such as BRK.B included. */
export function foreignExchangeOf(symbol: string): string | undefined {
  const suffix = /^[A-Z0-9-]+\.([A-Z]{1,5})$/.exec(symbol)?.[1]
  return suffix === undefined || !Object.hasOwn(EXCHANGES, suffix) ? undefined : EXCHANGES[suffix]
}

/** Why a ticker cannot be used; undefined when it can. */
export function foreignExchangeSentence(symbol: string): string | undefined {
  const place = foreignExchangeOf(symbol)
  if (place === undefined) return undefined
  return (
    `${symbol} is listed outside the United States (${place}). Tradewright knows the trading hours of the exchanges of the United States and of coins only, ` +
    'and counts in dollars. A fund or depositary receipt that is listed in the United States can take its place.'
  )
}

/** A Problem names the first ticker of another exchange: its days, hours and currency would be taken for New York's. */
export function refuseForeignExchanges(tickers: Iterable<string>): void {
  for (const text of tickers) {
    const ticker = parseTicker(text)
    for (const { symbol } of [ticker, ...fallbacksOf(ticker)]) {
      const sentence = foreignExchangeSentence(symbol)
      if (sentence !== undefined) throw new Problem('invalid', 'ticker.exchange', sentence)
    }
  }
}
