import { Problem } from '@tradewright/core/problem'
import type { MarketDataProvider } from '@tradewright/engine/market/provider'
import type { Seal, SealedPlace } from '../../secrets/seal.ts'
import { ProviderDefinition } from '../provider-definition.ts'

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

/** A provider that a user has saved. Its key is sealed. */
interface CustomProvider {
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

interface ApiDescription {
  /** Whose connected model is asked. */
  readonly userId: number
  readonly providerName: string
  /** The documentation's text or the address of its page. */
  readonly apiDocumentation: string
  readonly additionalContext: string
}

/**
 * Turns the documentation of an API into a definition, with the AI model the user has connected. What it gives is
 * untrusted: the caller checks it against `ProviderDefinition`, tries it and shows it before it is saved. Without a
 * connected model it fails with a Problem that says what to connect.
 */
export type DescribeApi = (description: ApiDescription, signal: AbortSignal) => Promise<unknown>

interface ApiForm {
  readonly userId: number
  readonly providerName: string | undefined
  readonly apiDocumentation: string | undefined
  readonly additionalContext: string
}

/** A definition for the user to review; it is not saved, and no code is ever generated. */
export async function generateProvider(
  describeApi: DescribeApi,
  form: ApiForm,
  signal: AbortSignal,
): Promise<ProviderDefinition> {
  const parsed = ProviderDefinition.safeParse(await describeApi(checked(form), signal))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue ? ` (${issue.path.join('.') || 'at the top level'}: ${issue.message})` : ''
  throw new Problem('upstream', 'provider.generated', `The AI model's answer is not a usable definition${where}.`)
}

function checked({ userId, providerName, apiDocumentation, additionalContext }: ApiForm): ApiDescription {
  if (!providerName) throw new Problem('invalid', 'provider.name', 'Provider name is required')
  if (!apiDocumentation) throw new Problem('invalid', 'provider.documentation', 'API documentation is required')
  return { userId, providerName, apiDocumentation, additionalContext }
}
