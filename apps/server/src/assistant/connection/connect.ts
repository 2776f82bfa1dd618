import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import type { Seal, SealedPlace } from '../../secrets/seal.ts'
import type { ChatModel, OpenModel, OfferedModel } from '../model.ts'

export interface ConnectionDeps {
  readonly connections: ConnectionStore
  readonly seal: Seal
  readonly openModel: OpenModel
  readonly clock: Clock
}

interface NewConnection {
  readonly apiKey: string
  readonly model: string
  readonly baseUrl: string | null
}

const CHECK_TIME_MS = 20_000

const placeOf = (userId: number): SealedPlace => ({ table: 'openai_connections', row: userId, userId })

/**
 * Keeps a key that its server accepts, or that could not be checked: then the reason is returned and kept beside it.
 */
export async function connectModel(
  { connections, seal, openModel, clock }: ConnectionDeps,
  known: KnownModels,
  userId: number,
  { apiKey, model, baseUrl }: NewConnection,
): Promise<string | null> {
  const unverifiedReason = await checkAccess(openModel({ apiKey, model, baseUrl }), known, model)
  const connection = { sealedKey: seal.seal(placeOf(userId), apiKey), model, baseUrl, unverifiedReason }
  await connections.save(userId, connection, clock.now())
  return unverifiedReason
}

async function checkAccess(opened: ChatModel, known: KnownModels, model: string): Promise<string | null> {
  try {
    refuseUnknownModel(known, await opened.offered(AbortSignal.timeout(CHECK_TIME_MS)), model)
    return null
  } catch (error) {
    const reason = unansweredReason(error)
    if (reason === undefined) throw asInvalid(error)
    refuseUnknownModel(known, [], model)
    return reason
  }
}

/** Here the server's refusal is a fault of what was typed in. */
function asInvalid(error: unknown): unknown {
  if (!(error instanceof Problem)) return error
  return new Problem('invalid', error.code, error.message, { cause: error.cause })
}

export async function changeModel(
  deps: ConnectionDeps,
  known: KnownModels,
  userId: number,
  model: string,
): Promise<void> {
  const connection = await deps.connections.find(userId)
  if (!connection) throw new Problem('conflict', 'ai.not-connected', 'Connect an OpenAI key first.')
  if (!known.includes(model)) await checkAccess(openConnection(deps, userId, connection), known, model)
  await deps.connections.chooseModel(userId, model)
}

/** The model that a user has connected. */
export async function connectedModel(deps: ConnectionDeps, userId: number): Promise<ChatModel | undefined> {
  const connection = await deps.connections.find(userId)
  return connection && openConnection(deps, userId, connection)
}

function openConnection(
  { seal, openModel }: Pick<ConnectionDeps, 'seal' | 'openModel'>,
  userId: number,
  { sealedKey, model, baseUrl }: Connection,
): ChatModel {
  return openModel({ apiKey: openKey(seal, userId, sealedKey), model, baseUrl })
}

/** Fails after APP_SECRET was changed: the user can only type the key again. */
function openKey(seal: Seal, userId: number, sealedKey: Buffer): string {
  try {
    return seal.open(placeOf(userId), sealedKey)
  } catch (cause) {
    const sentence = 'The stored OpenAI key can no longer be read. Disconnect and connect it again in Settings.'
    throw new Problem('conflict', 'ai.sealed', sentence, { cause })
  }
}

export function isReadable(seal: Seal, userId: number, sealedKey: Buffer): boolean {
  try {
    openKey(seal, userId, sealedKey)
    return true
  } catch {
    return false
  }
}

/** The models that the form offers whatever the server says. */
type KnownModels = readonly string[]

interface ListedModel extends OfferedModel {
  readonly isOffered: boolean
}

interface ModelList {
  readonly models: readonly ListedModel[]
  readonly unverifiedReason: string | null
}

const ASK_TIME_MS = 15_000

function refuseUnknownModel(known: KnownModels, offered: readonly OfferedModel[], model: string): void {
  if (known.includes(model) || offered.some(({ id }) => id === model)) return
  throw new Problem('invalid', 'ai.model', `Unknown model "${model}": choose one that the connected server offers.`)
}

/** Why a server did not answer; undefined where it did, whatever it said. */
function unansweredReason(error: unknown): string | undefined {
  if (!(error instanceof Problem)) return undefined
  return UNANSWERED.has(error.code) ? error.message : undefined
}

const UNANSWERED: ReadonlySet<string> = new Set(['ai.unreachable', 'ai.time-out', 'ai.no-list'])

/** The fixed models first, then what the server lists besides. Without a connection no server is asked. */
export async function listModels(known: KnownModels, model: ChatModel | undefined): Promise<ModelList> {
  const unasked = (isOffered: boolean) => known.map((id) => ({ id, isOffered, shutdownDate: null }))
  if (!model) return { models: unasked(true), unverifiedReason: null }
  try {
    return { models: joined(known, await model.offered(AbortSignal.timeout(ASK_TIME_MS))), unverifiedReason: null }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { models: unasked(true), unverifiedReason: error.message }
  }
}

function joined(known: KnownModels, offered: readonly OfferedModel[]): ListedModel[] {
  const listed = new Map(offered.map((model) => [model.id, model]))
  const fixed = known.map((id) => ({
    id,
    isOffered: listed.has(id),
    shutdownDate: listed.get(id)?.shutdownDate ?? null,
  }))
  const others = offered.filter(({ id }) => !known.includes(id) && canChat(id))
  return [...fixed, ...others.map(({ id, shutdownDate }) => ({ id, shutdownDate, isOffered: true })).sort(byId)]
}

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1)

/** OpenAI lists everything it has; these families answer with no text. */
const SPEECHLESS = /embedding|whisper|tts|dall-e|image|moderation|transcribe|realtime|audio|sora|davinci|babbage/

const canChat = (id: string): boolean => !SPEECHLESS.test(id)

export interface Connection {
  readonly sealedKey: Buffer
  readonly model: string
  readonly baseUrl: string | null
  readonly unverifiedReason: string | null
  readonly lastUsed: Date | null
}

/** At most one per user. */
export interface ConnectionStore {
  find(userId: number): Promise<Connection | undefined>
  save(userId: number, connection: Omit<Connection, 'lastUsed'>, at: Date): Promise<void>
  /** Answers whether there was one. */
  chooseModel(userId: number, model: string): Promise<boolean>
  /** A call has worked: the key is verified by that. */
  used(userId: number, at: Date): Promise<void>
  remove(userId: number): Promise<void>
}
