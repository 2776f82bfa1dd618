import type { Clock } from '@tradewright/core/clock'
import { pageReader } from '../adapters/documentation/page-reader.ts'
import { guardedTransport } from '../adapters/http/address-guard.ts'
import type { HttpSurroundings } from '../adapters/http/http-client.ts'
import { guardedFetch } from '../adapters/openai/chat-model.ts'
import { connectedModel, type ConnectionDeps } from '../assistant/connection/connect.ts'
import { describeApiWith } from '../assistant/describe-api.ts'
import type { OpenModel } from '../assistant/model.ts'
import type { Config } from '../config.ts'
import type { Foundation } from '../foundation.ts'
import type { DescribeApi } from '../market-data/custom-providers/custom-providers.ts'
import { createConnectionStore } from '../stores/assistant/assistant.ts'

type Needs = Pick<Foundation, 'database' | 'seal'>

/** An operator who lets users call private addresses lets them have their models there, too. */
const guardOf = ({ allowPrivateProviders }: Config) => (allowPrivateProviders ? { isAllowed: () => true } : {})

/** Share of the time for an answer after which a silent server is given up. */
const SILENCE_SHARE = 1 / 3

export function modelConnections(config: Config, { database, seal }: Needs, clock: Clock): ConnectionDeps {
  const settings = {
    baseUrl: config.services.openai,
    guardedFetch: guardedFetch(guardOf(config)),
    silenceLimitMs: config.aiAnswerMs * SILENCE_SHARE,
  }
  const openModel: OpenModel = (access) => {
    // The SDK has hundreds of modules, and many users never connect a model: it is loaded with the first question.
    const opened = async () => (await import('../adapters/openai/chat-model.ts')).openAiModels(settings)(access)
    return {
      turn: async (...asked) => (await opened()).turn(...asked),
      offered: async (signal) => (await opened()).offered(signal),
    }
  }
  return { connections: createConnectionStore(database), seal, openModel, clock }
}

/** Generating a data provider from its documentation, with the user's own model. */
export function describeApiFor(config: Config, needs: Needs, clock: Clock, http: HttpSurroundings): DescribeApi {
  const connections = modelConnections(config, needs, clock)
  return describeApiWith({
    modelOf: (userId) => connectedModel(connections, userId),
    readPage: pageReader({ ...http, transport: guardedTransport(guardOf(config)) }),
  })
}
