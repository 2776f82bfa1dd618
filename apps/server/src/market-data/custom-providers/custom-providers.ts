import { Problem } from '@tradewright/core/problem'
import type { MarketDataProvider } from '@tradewright/engine/market/provider'
import type { Seal, SealedPlace } from '../../secrets/seal.ts'
import type { ProviderDefinition } from '../provider-definition.ts'
import type { CustomProvider, CustomProviderStore, DryRun, OpenDefinition, TryDefinition } from './ports.ts'

export interface CustomProviderDeps {
  readonly customProviders: CustomProviderStore
  readonly seal: Seal
  readonly tryDefinition: TryDefinition
  readonly openDefinition: OpenDefinition
  /** Ids that the program itself uses. */
  readonly takenIds: ReadonlySet<string>
  /** Names of the jobs that fetch from a provider. */
  readonly jobsUsingProvider: (userId: number, id: string) => Promise<string[]>
}

/** A definition that the user has in front of them. */
export interface Candidate {
  readonly definition: unknown
  readonly ticker: string | undefined
  readonly apiKey: string | undefined
}

const placeOf = (userId: number, id: string): SealedPlace => ({ table: 'custom_providers', row: id, userId })

type Needs = Pick<CustomProviderDeps, 'customProviders' | 'seal' | 'openDefinition'>

/** The user's own providers, ready to be asked. A stored definition of a form that this version does not know is none. */
export async function customProvidersOf(deps: Needs, userId: number): Promise<MarketDataProvider[]> {
  return (await deps.customProviders.list(userId)).flatMap((stored) => opened(deps, userId, stored) ?? [])
}

export async function countUnreadableProviders(deps: Needs, userId: number): Promise<number> {
  const all = await deps.customProviders.list(userId)
  return all.filter((stored) => !opened(deps, userId, stored)).length
}

function opened(
  { seal, openDefinition }: Needs,
  userId: number,
  { definition, sealedKey }: CustomProvider,
): MarketDataProvider | undefined {
  try {
    const apiKey = sealedKey ? readableKey(seal, placeOf(userId, definition.id), sealedKey) : undefined
    return openDefinition(definition, { userId, apiKey })
  } catch {
    return undefined
  }
}

/** A key of another APP_SECRET is as good as none: its provider says so when it is asked, and the others work. */
function readableKey(seal: Seal, place: SealedPlace, sealedKey: Buffer): string | undefined {
  try {
    return seal.open(place, sealedKey)
  } catch {
    return undefined
  }
}

export function tryProvider(
  deps: CustomProviderDeps,
  userId: number,
  candidate: Candidate,
  signal: AbortSignal,
): Promise<DryRun> {
  const { ticker, apiKey } = candidate
  if (!ticker) throw invalid('A ticker to try the provider with is required')
  return deps.tryDefinition(candidate.definition, { userId, ticker, apiKey }, signal)
}

/** Only a definition whose trial worked is saved. Under an id that is taken it gets the next free one. */
export async function saveProvider(
  deps: CustomProviderDeps,
  userId: number,
  candidate: Candidate,
  signal: AbortSignal,
): Promise<MarketDataProvider> {
  const { works, definition, problems } = await tryProvider(deps, userId, candidate, signal)
  if (!works || !definition) throw invalid(['The dry run did not work.', ...problems].join(' '))
  const { apiKey } = candidate
  for (const id of idsFrom(definition.id)) {
    const saved: ProviderDefinition = { ...definition, id }
    const sealedKey = apiKey ? deps.seal.seal(placeOf(userId, id), apiKey) : null
    if (deps.takenIds.has(id) || !(await deps.customProviders.insert(userId, { definition: saved, sealedKey })))
      continue
    return deps.openDefinition(saved, { userId, apiKey })
  }
  throw new Problem('conflict', 'provider.taken', `There are too many providers called "${definition.id}".`)
}

const MAX_OF_ONE_NAME = 20

const idsFrom = (id: string): string[] =>
  Array.from({ length: MAX_OF_ONE_NAME }, (_, index) => (index === 0 ? id : `${id}-${index + 1}`))

export async function renameProvider(
  deps: CustomProviderDeps,
  userId: number,
  id: string,
  displayName: string | undefined,
): Promise<MarketDataProvider> {
  if (!displayName) throw invalid('Provider name is required')
  if (!(await deps.customProviders.rename(userId, id, displayName))) throw providerMissing()
  const renamed = (await customProvidersOf(deps, userId)).find((provider) => provider.id === id)
  if (!renamed) throw providerMissing()
  return renamed
}

export async function deleteProvider(deps: CustomProviderDeps, userId: number, id: string): Promise<void> {
  const jobs = await deps.jobsUsingProvider(userId, id)
  const isOwn = (await deps.customProviders.list(userId)).some(({ definition }) => definition.id === id)
  if (isOwn && jobs.length > 0) {
    const names = jobs.map((name) => `"${name}"`).join(', ')
    throw new Problem('conflict', 'provider.in-use', `The provider is used by these collection jobs: ${names}.`)
  }
  if (!(await deps.customProviders.remove(userId, id))) throw providerMissing()
}

const providerMissing = () => new Problem('missing', 'provider.missing', 'There is no such custom provider.')
const invalid = (sentence: string) => new Problem('invalid', 'provider.invalid', sentence)
