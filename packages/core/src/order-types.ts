/** Every way in which a deployment may have its orders executed, described once: contract, form and docs go by this list. */
const orderTypeCatalogue = [
  { id: 'market', label: 'Market', hint: 'At once, at the market price.' },
  {
    id: 'collar',
    label: 'Marketable limit',
    hint: 'At once, at a price no worse than the collar around a fresh quote. What is not filled within a minute is cancelled.',
  },
  {
    id: 'limit',
    label: 'Limit with time-out',
    hint: 'At the midpoint of a fresh quote or better, until the time is up.',
  },
  { id: 'on_close', label: 'On close', hint: 'In the closing auction, in whole shares.' },
  { id: 'on_open', label: 'On open', hint: 'In the next opening auction, in whole shares.' },
  { id: 'slices', label: 'Slices over time', hint: 'Market orders of equal size, one after another.' },
] as const

export type OrderTypeId = (typeof orderTypeCatalogue)[number]['id']

interface OrderTypeEntry {
  readonly id: OrderTypeId
  readonly label: string
  readonly hint: string
}

export const orderTypes: readonly OrderTypeEntry[] = orderTypeCatalogue
export const orderTypeIds = orderTypeCatalogue.map(({ id }) => id)

/** How a deployment has its orders executed. Of the figures, those of its type count. */
export interface OrderExecution {
  readonly type: OrderTypeId
  /** How much worse than the quote a marketable limit may be. */
  readonly collarPct: number
  readonly timeoutMinutes: number
  /** What becomes of the rest when the time of a limit is over. */
  readonly afterTimeout: 'cancel' | 'market'
  readonly slices: number
  readonly sliceMinutes: number
}

/** Market orders, and the figures that other types begin with. */
export const MARKET_EXECUTION: OrderExecution = {
  type: 'market',
  collarPct: 0.5,
  timeoutMinutes: 5,
  afterTimeout: 'cancel',
  slices: 4,
  sliceMinutes: 10,
}

export const EXECUTION_BOUNDS = {
  collarPct: { min: 0.01, max: 10 },
  timeoutMinutes: { min: 1, max: 60 },
  slices: { min: 2, max: 20 },
  sliceMinutes: { min: 1, max: 120 },
} as const

export const isAuction = (type: OrderTypeId): type is 'on_open' | 'on_close' =>
  type === 'on_open' || type === 'on_close'
