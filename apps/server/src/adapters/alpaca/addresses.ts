/** Where Alpaca really is; a configuration that says otherwise is shown to the user. */
const REAL_ALPACA = {
  paper: 'https://paper-api.alpaca.markets',
  live: 'https://api.alpaca.markets',
} as const

export interface AlpacaAddresses {
  readonly paper: string
  readonly live: string
}

/** The host that stands in for the real one; undefined where none does. */
export function customHost(addresses: AlpacaAddresses, isPaper: boolean): string | undefined {
  const kind = isPaper ? 'paper' : 'live'
  return addresses[kind] === REAL_ALPACA[kind] ? undefined : new URL(addresses[kind]).host
}
