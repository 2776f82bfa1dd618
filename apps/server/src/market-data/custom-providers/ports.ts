import type { MarketDataProvider } from '@tradewright/engine/market/provider'
import type { ProviderDefinition } from '../provider-definition.ts'

/** A provider that a user has saved. Its key is sealed. */
export interface CustomProvider {
  readonly definition: ProviderDefinition
  readonly sealedKey: Buffer | null
}

/** The custom providers of each user, by the id of their definition; those of others do not exist for them. */
export interface CustomProviderStore {
  list(userId: number): Promise<CustomProvider[]>
  /** False when the user has a provider of that id already. */
  insert(userId: number, provider: CustomProvider): Promise<boolean>
  rename(userId: number, id: string, displayName: string): Promise<boolean>
  remove(userId: number, id: string): Promise<boolean>
}

/** A month of one ticker. Nothing was stored. */
export interface DryRun {
  readonly works: boolean
  /** Undefined when what was given is no definition at all. */
  readonly definition: ProviderDefinition | undefined
  /** Faults in sentences. */
  readonly problems: readonly string[]
  /** The first rows as they would be stored. */
  readonly sample: readonly Readonly<Record<string, number | string>>[]
  readonly rowCount: number
}

/** Whose definition it is, and the key that goes with it. */
export interface Holder {
  readonly userId: number
  readonly apiKey: string | undefined
}

export interface Trial extends Holder {
  readonly ticker: string
}

/** Validates a definition and asks its API. */
export type TryDefinition = (candidate: unknown, trial: Trial, signal: AbortSignal) => Promise<DryRun>

/** A definition at work, with its key opened. */
export type OpenDefinition = (definition: ProviderDefinition, holder: Holder) => MarketDataProvider
