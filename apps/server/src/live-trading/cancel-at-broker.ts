import { Problem, sentenceFor } from '@tradewright/core/problem'
import { deploymentKeyOf } from '@tradewright/engine/trading/client-order-id'
import type { Broker } from '@tradewright/engine/trading/broker'
import { isOpen, type OrderIntent } from './decision.ts'
import type { Deployment } from './deployment.ts'
import type { LiveDeps } from './deps.ts'

const URGENT = { isUrgent: true } as const

type CancelDeps = Pick<LiveDeps, 'database' | 'brokerFor' | 'log'> & Partial<Pick<EmergencyDeps, 'knownBroker'>>

export interface EmergencyDeps extends LiveDeps {
  /** Brokers that were used before, at hand while the database is away; by account. */
  readonly knownBroker: (accountId: number) => Broker | undefined
  /** Deployments that were seen before, at hand while the database is away. */
  readonly knownDeployments: (userId: number) => readonly Deployment[]
}

/**
 * Cancels the open orders of a deployment: by the ids in the journal first, which needs no list from the broker, then
 * what the broker lists under our ids, which needs no database. Answers how many cancellations the broker took; what
 * failed is added to `problems` as a sentence.
 */
export async function cancelAtBroker(deps: CancelDeps, deployment: Deployment, problems: string[]): Promise<number> {
  const tell = (error: unknown, sentence: string) => {
    deps.log.error({ err: error, deploymentId: deployment.id }, 'open orders could not be cancelled')
    problems.push(`${sentence}: ${sentenceFor(error)}`)
  }
  try {
    const broker =
      deps.knownBroker?.(deployment.accountId) ?? (await deps.brokerFor(deployment.userId, deployment.accountId))
    const cancellation = new Cancellation(broker, (error) =>
      tell(error, `An open order of ${deployment.name} could not be cancelled`),
    )
    const journaled = await openInJournal(deps, deployment)
    if (journaled) await cancellation.cancelJournaled(journaled)
    try {
      await cancellation.cancel(await listedOrders(broker, deployment))
    } catch (error) {
      if (!journaled) throw error
      tell(error, `The broker did not list its open orders; those in the journal of ${deployment.name} are cancelled`)
    }
    return cancellation.count
  } catch (error) {
    tell(error, `Open orders of ${deployment.name} could not be cancelled`)
    return 0
  }
}

/** Each order is cancelled once, whichever list it is found in. */
class Cancellation {
  count = 0
  readonly #broker: Broker
  readonly #onFailure: (error: unknown) => void
  readonly #asked = new Set<string>()

  constructor(broker: Broker, onFailure: (error: unknown) => void) {
    this.#broker = broker
    this.#onFailure = onFailure
  }

  async cancel(ids: readonly string[]): Promise<void> {
    const fresh = ids.filter((id) => !this.#asked.has(id))
    for (const id of fresh) this.#asked.add(id)
    const outcomes = await Promise.allSettled(fresh.map((id) => this.#broker.cancel(id)))
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') this.count++
      else if (!hasEndedAlready(outcome.reason)) this.#onFailure(outcome.reason)
    }
  }

  /** An order whose answer was lost has no id of the broker's in the journal: it is looked up by ours. */
  async cancelJournaled(intents: readonly OrderIntent[]): Promise<void> {
    await this.cancel(intents.flatMap(({ brokerOrderId }) => brokerOrderId ?? []))
    const lost = intents.filter(({ brokerOrderId }) => brokerOrderId === null)
    const found = await Promise.allSettled(
      lost.map(({ clientOrderId }) => this.#broker.orderByClientId(clientOrderId, URGENT)),
    )
    for (const outcome of found) if (outcome.status === 'rejected') this.#onFailure(outcome.reason)
    const orders = found.flatMap((outcome) => (outcome.status === 'fulfilled' && outcome.value ? outcome.value : []))
    await this.cancel(orders.filter(isOpen).map(({ id }) => id))
  }
}

const hasEndedAlready = (error: unknown): boolean => error instanceof Problem && error.kind === 'conflict'

/** Sent and not ended; undefined when the journal cannot be read. */
async function openInJournal(
  { database, log }: CancelDeps,
  { id, accountId }: Deployment,
): Promise<OrderIntent[] | undefined> {
  try {
    return (await database.orders.unsettled(accountId)).filter(
      (intent) => intent.deploymentId === id && intent.state !== 'intended' && isOpen(intent),
    )
  } catch (error) {
    log.error({ err: error, deploymentId: id }, 'emergency stop without the journal')
    return undefined
  }
}

async function listedOrders(broker: Broker, { orderKey }: Deployment): Promise<string[]> {
  const open = await broker.orders({ state: 'open' }, URGENT)
  return open
    .filter(({ clientOrderId, state }) => deploymentKeyOf(clientOrderId) === orderKey && isOpen({ state }))
    .map(({ id }) => id)
}
