import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import type { Seal, SealedPlace } from '../../secrets/seal.ts'
import type { ChatModel, OpenModel } from '../model.ts'
import { refuseUnknownModel, unansweredReason, type KnownModels } from './known-models.ts'
import type { Connection, ConnectionStore } from './ports.ts'

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
