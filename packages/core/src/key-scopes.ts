/** What an API key may do. Scopes are independent: a key that trades and lists deployments needs `read` as well. */
export const KEY_SCOPES = [
  { id: 'read', label: 'Read', description: 'See strategies, results, data, portfolios and deployments.' },
  {
    id: 'research',
    label: 'Research',
    description: 'Run backtests and optimizer runs, import data, and keep strategies, results and lists.',
  },
  { id: 'propose', label: 'Propose', description: 'Suggest a change. Nothing happens until you confirm it here.' },
  {
    id: 'trade-paper',
    label: 'Trade paper',
    description: 'Create, change, start and stop deployments on paper accounts.',
  },
  {
    id: 'trade-live',
    label: 'Trade live',
    description: 'Create, change, start and stop deployments on accounts with real money.',
  },
] as const

export type KeyScope = (typeof KEY_SCOPES)[number]['id']

export const KEY_SCOPE_IDS = KEY_SCOPES.map(({ id }) => id)

export const isTradeScope = (scope: KeyScope): boolean => scope === 'trade-paper' || scope === 'trade-live'

/**
 * What a call asks of a key. `trade` is `trade-paper` or `trade-live`, by the account that the call is about; `any key`
 * is a call that tells or changes nothing of the user's.
 */
export type CallScope = Exclude<KeyScope, 'trade-paper' | 'trade-live'> | 'trade' | 'any key'

/** Calls a minute, unless the key was made with another limit. */
export const DEFAULT_KEY_CALLS_PER_MINUTE = 120
export const MAX_KEY_CALLS_PER_MINUTE = 600
export const DEFAULT_KEY_DAYS = 90
export const MAX_KEY_DAYS = 365
