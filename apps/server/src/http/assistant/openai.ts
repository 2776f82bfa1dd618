import * as contract from '@tradewright/contract/openai'
import { Problem } from '@tradewright/core/problem'
import {
  changeModel,
  connectedModel,
  connectModel,
  type ConnectionDeps,
  isReadable,
  listModels,
} from '../../assistant/connection/connect.ts'
import type { Handle } from '../server/handle.ts'

const success = true as const

export function serveOpenAi(handle: Handle, deps: ConnectionDeps): void {
  handle(contract.getOpenAiStatus, async ({ user }) => {
    const connection = await deps.connections.find(user.id)
    return {
      connected: connection !== undefined,
      model_preference: connection?.model ?? contract.DEFAULT_OPENAI_MODEL,
      last_used: connection?.lastUsed?.toISOString() ?? null,
      base_url: connection?.baseUrl ?? null,
      unverified_reason: connection?.unverifiedReason ?? null,
      enter_again: connection !== undefined && !isReadable(deps.seal, user.id, connection.sealedKey),
    }
  })
  handle(contract.listOpenAiModels, async ({ user }) => {
    const { models, unverifiedReason } = await listModels(contract.OPENAI_MODELS, await connectedModel(deps, user.id))
    return {
      models: models.map(({ id, isOffered, shutdownDate }) => ({
        id,
        offered: isOffered,
        shutdown_date: shutdownDate,
      })),
      unverified_reason: unverifiedReason,
    }
  })
  handle(contract.connectOpenAi, async ({ user, body }) => {
    if (!body.api_key) throw new Problem('invalid', 'ai.no-key', contract.NO_OPENAI_KEY)
    const connection = { apiKey: body.api_key, model: body.model_preference, baseUrl: body.base_url ?? null }
    const unverified = await connectModel(deps, contract.OPENAI_MODELS, user.id, connection)
    return { success, unverified_reason: unverified }
  })
  handle(contract.updateOpenAiModel, async ({ user, body }) => {
    await changeModel(deps, contract.OPENAI_MODELS, user.id, body.model_preference)
    return { success }
  })
  handle(contract.disconnectOpenAi, async ({ user }) => {
    await deps.connections.remove(user.id)
    return { success }
  })
}
