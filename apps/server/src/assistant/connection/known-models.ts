import { Problem } from '@tradewright/core/problem'
import type { ChatModel, OfferedModel } from '../model.ts'

/** The models that the form offers whatever the server says. */
export type KnownModels = readonly string[]

interface ListedModel extends OfferedModel {
  readonly isOffered: boolean
}

interface ModelList {
  readonly models: readonly ListedModel[]
  readonly unverifiedReason: string | null
}

const ASK_TIME_MS = 15_000

export function refuseUnknownModel(known: KnownModels, offered: readonly OfferedModel[], model: string): void {
  if (known.includes(model) || offered.some(({ id }) => id === model)) return
  throw new Problem('invalid', 'ai.model', `Unknown model "${model}": choose one that the connected server offers.`)
}

/** Why a server did not answer; undefined where it did, whatever it said. */
export function unansweredReason(error: unknown): string | undefined {
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
