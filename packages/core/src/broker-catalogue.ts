import type { OrderTypeId } from './order-types.ts'

/** Order types that a broker takes, by what is traded. */
interface OrderTypes {
  readonly security: readonly OrderTypeId[]
  readonly crypto: readonly OrderTypeId[]
}

/** A value that connects an account. Contract, forms, redaction of the log and sealed keys go by the fields of the catalogue. */
interface CredentialField {
  /** The field's name in the server. */
  readonly key: string
  /** The field's name in the calls that add and change an account. */
  readonly wireKey: string
  readonly label: string
}

/** Their order is that of the sealed values: never changed. */
const API_KEYS = [
  { key: 'keyId', wireKey: 'api_key', label: 'API Key' },
  { key: 'secretKey', wireKey: 'api_secret', label: 'API Secret' },
] as const satisfies readonly CredentialField[]

/**
 * Every broker at which a user may have an account, described once: contract, screens and stored accounts go by this list.
 * The server checks keys, opens and watches the accounts of each one under its id (`server/areas/brokers.ts`). See
 * docs/recipes/add-a-broker.md.
 */
interface BrokerEntry {
  /** Stands in stored accounts and on the wire: never changed. */
  readonly id: string
  readonly name: string
  /** What connects an account. Without credentials the account is built in, and a user has at most one of each broker. */
  readonly credentials: readonly CredentialField[] | 'none'
  /** What the accounts of a broker with keys are, and where the keys come from, for the form that asks for them. */
  readonly help?: string
  /** What the virtual money of a broker with keys is, for the form; absent where every account there has real money. */
  readonly paperHint?: string
  /** A spot exchange for coins, reached through ccxt. */
  readonly isExchange?: true
  /** The button that opens an account with a built-in broker, and the account's name unless the user gives another. */
  readonly openLabel?: string
  readonly accountName?: string
  /** Left out: market orders, also in slices. */
  readonly orderTypes?: OrderTypes
}

const MARKET_ORDERS: OrderTypes = {
  security: ['market', 'slices'],
  crypto: ['market', 'slices'],
}

const ALL_TYPES = ['market', 'collar', 'limit', 'on_close', 'on_open', 'slices'] as const
const TYPES_OF_COINS = ['market', 'collar', 'limit', 'slices'] as const

const brokerCatalogue = [
  {
    id: 'alpaca',
    name: 'Alpaca',
    credentials: API_KEYS,
    orderTypes: { security: ALL_TYPES, crypto: TYPES_OF_COINS },
    help: 'US stocks, funds and coins, in US dollars.',
    paperHint: "Virtual money. Alpaca's paper account has keys of its own, different from those of the live account.",
  },
  {
    id: 'binance',
    name: 'Binance',
    credentials: API_KEYS,
    isExchange: true,
    help: 'Coins in USDT, each USDT counted as one US dollar. Spot only. Give the key permission to read and to trade on the spot market, but not to withdraw.',
    paperHint: 'Virtual money on the Binance Spot Test Network, which has its own keys.',
  },
  {
    id: 'binanceus',
    name: 'Binance.US',
    credentials: API_KEYS,
    isExchange: true,
    help: 'Coins in USDT, each USDT counted as one US dollar. Spot only. Give the key permission to read and to trade on the spot market, but not to withdraw.',
  },
  {
    id: 'coinbase',
    name: 'Coinbase',
    credentials: API_KEYS,
    isExchange: true,
    help: 'Coins in US dollars on Coinbase Advanced. The API key is the name of the key, the secret its private key. Give it permission to view and to trade, but not to transfer.',
  },
  {
    id: 'kraken',
    name: 'Kraken',
    credentials: API_KEYS,
    isExchange: true,
    help: 'Coins in US dollars. Spot only. Give the key permission to query funds, orders and trades and to create and cancel orders, but not to withdraw.',
  },
  {
    id: 'paper',
    name: 'Built-in paper broker',
    credentials: 'none',
    openLabel: 'Use the built-in paper account',
    accountName: 'Paper Account',
    orderTypes: { security: ALL_TYPES, crypto: TYPES_OF_COINS },
  },
  {
    id: 'paper-whole-shares',
    name: 'Built-in paper broker, whole shares',
    credentials: 'none',
    openLabel: 'Use the built-in whole-share account',
    accountName: 'Whole-Share Account',
    orderTypes: { security: ALL_TYPES, crypto: TYPES_OF_COINS },
  },
] as const satisfies readonly BrokerEntry[]

/** Virtual money of the built-in paper account at its beginning. */
export const PAPER_CASH_USD = 100_000

/**
 * How a paper account fills orders. `last_price`: whole, at the last price. `market`: a purchase pays half the spread more
 * and a sale gets half of it less, and no order gets more than a share of what changes hands after it was sent.
 */
export const paperFillModels = ['last_price', 'market'] as const
export type PaperFillModel = (typeof paperFillModels)[number]

/** An order gets at most this share of each minute's volume. */
export const PAPER_VOLUME_SHARE = 0.1

type Entry = (typeof brokerCatalogue)[number]
export type BrokerId = Entry['id']
export type BuiltInBrokerId = Extract<Entry, { credentials: 'none' }>['id']
type Credential = Exclude<Entry['credentials'], 'none'>[number]
export type CredentialKey = Credential['key']
export type CredentialWireKey = Credential['wireKey']
export type ExchangeId = Extract<Entry, { isExchange: true }>['id']

type BrokerDescription = BrokerEntry & { readonly id: BrokerId; readonly orderTypes: OrderTypes }

const entries: readonly (BrokerEntry & { readonly id: BrokerId })[] = brokerCatalogue

export const brokerIds: readonly BrokerId[] = brokerCatalogue.map(({ id }) => id)

export const brokerOf = (id: BrokerId): BrokerDescription => ({
  orderTypes: MARKET_ORDERS,
  ...entries.find((broker) => broker.id === id)!,
})

export const brokersWithKeys = brokerCatalogue.filter((broker) => broker.credentials !== 'none')

/** What connects an account of a broker, in the order in which it is asked for and sealed; nothing of a built-in one. */
export function credentialsOf(id: BrokerId): readonly Credential[] {
  const { credentials } = brokerCatalogue.find((broker) => broker.id === id)!
  return credentials === 'none' ? [] : credentials
}

/** The credentials that any broker asks for, each once. */
export const allCredentials: readonly Credential[] = [
  ...new Map(brokerIds.flatMap(credentialsOf).map((credential) => [credential.key, credential])).values(),
]

export const exchangeIds: readonly ExchangeId[] = brokerCatalogue.flatMap((broker) =>
  'isExchange' in broker ? [broker.id] : [],
)

/** Brokers whose accounts are kept here and need no keys. */
export const builtInBrokers = brokerCatalogue.filter((broker) => broker.credentials === 'none')

export const isBuiltIn = (id: BrokerId): id is BuiltInBrokerId => brokerOf(id).credentials === 'none'
