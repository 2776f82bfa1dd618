import type { Clock } from '@tradewright/core/clock'
import { openAiModels } from '../adapters/openai/chat-model.ts'
import { guardedFetch } from '../adapters/openai/guarded-fetch.ts'
import type { ConnectionDeps } from '../assistant/connection/connect.ts'
import type { Config } from '../config.ts'
import type { Foundation } from '../foundation.ts'
import { createConnectionStore } from '../stores/openai-connections.ts'

type Needs = Pick<Foundation, 'database' | 'seal'>

/** An operator who lets users call private addresses lets them have their models there, too. */
const guardOf = ({ allowPrivateProviders }: Config) => (allowPrivateProviders ? { isAllowed: () => true } : {})

/** Users' connected models. */
export function modelConnections(config: Config, { database, seal }: Needs, clock: Clock): ConnectionDeps {
  const openModel = openAiModels({
    baseUrl: config.services.openai,
    guardedFetch: guardedFetch(guardOf(config)),
  })
  return { connections: createConnectionStore(database), seal, openModel, clock }
}
