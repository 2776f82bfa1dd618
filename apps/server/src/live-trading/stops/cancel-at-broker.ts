import { Problem, sentenceFor } from '@tradewright/core/problem'
import { deploymentKeyOf } from '@tradewright/engine/trading/client-order-id'
import type { Broker } from '@tradewright/engine/trading/broker'
import { isOpen, type OrderIntent } from '../decision.ts'
import type { Deployment } from '../deployment.ts'
import type { LiveDeps } from '../deps.ts'
import { isHeld } from '../refuse-held.ts'

const URGENT = { isUrgent: true } as const

type CancelDeps = Pick<LiveDeps, 'database' | 'brokerFor' | 'log' | 'clock'> &
  Partial<Pick<EmergencyDeps, 'knownBroker'>>

export interface EmergencyDeps extends LiveDeps {
  /** Brokers that were used before, at hand while the database is away; by account. */
  readonly knownBroker: (accountId: number) => Broker | undefined
  /** Deployments that were seen before, at hand while the database is away. */
  readonly knownDeployments: (userId: number) => readonly Deployment[]
}

/**
 * Cancels the open orders of deployments, account by account: by the ids in the journal, which needs no list from the broker,
 * and what the broker lists under our ids, which needs no database. What fails is added to `problems` as a sentence.
 */
export class StopCancellations {
  readonly #accounts: readonly AccountCancellations[]

  constructor(deps: CancelDeps, deployments: readonly Deployment[], problems: string[]) {
    const accounts = Map.groupBy(deployments, ({ accountId }) => accountId)
    this.#accounts = [...accounts.values()].map((own) => new AccountCancellations(deps, own, problems))
  }

  /** Cancels the open orders as soon as possible: orders that are sent meanwhile are left to `finish`. */
  async begin(): Promise<void> {
    await Promise.all(this.#accounts.map((account) => account.cancelJournaled()))
  }

  /** Once no more orders are sent. Returns how many cancellations the broker took. */
  async finish(): Promise<number> {
    await Promise.all(this.#accounts.map((account) => account.cancelAll()))
    return this.#accounts.reduce((sum, { count }) => sum + count, 0)
  }
}

/**
 * Each order is cancelled once, whichever list it is found in. Where neither the ids of the journal nor the list lead to all of
 * them, everything that is open in the account is cancelled: an order that is filled after a stop is worse than one of the
 * user's own that has to be sent again.
 */
class AccountCancellations {
  count = 0
  readonly #deps: CancelDeps
  readonly #deployments: readonly Deployment[]
  readonly #problems: string[]
  readonly #asked = new Set<string>()
  #held: Promise<boolean> | undefined
  /** An order of the journal could not be cancelled or looked up. */
  #hasFailed = false

  constructor(deps: CancelDeps, deployments: readonly Deployment[], problems: string[]) {
    this.#deps = deps
    this.#deployments = deployments
    this.#problems = problems
  }

  async cancelAll(): Promise<void> {
    if (await this.#isHeld()) {
      this.#problems.push(
        `Open orders of ${this.#names()} are not cancelled: this instance was restored from a backup, and nothing is sent until ` +
          'its operator allows it to trade. Cancel them at the broker where they have to go.',
      )
      return
    }
    const isJournalRead = await this.cancelJournaled()
    try {
      const broker = await this.#broker()
      await this.#cancel(broker, await this.#listed(broker))
    } catch (error) {
      if (!isJournalRead || this.#hasFailed) return this.#cancelWholeAccount(error)
      this.#tell(
        error,
        `The broker did not list its open orders; those in the journal of ${this.#names()} are cancelled`,
      )
    }
  }

  async #cancelWholeAccount(reason: unknown): Promise<void> {
    try {
      const broker = await this.#broker()
      if (!broker.cancelAll) throw reason
      await broker.cancelAll()
      this.#tell(
        reason,
        `Orders of ${this.#names()} could not be told apart, so all open orders of the account are cancelled, including those ` +
          'that were not sent by a deployment',
      )
    } catch (error) {
      this.#tell(error, `Open orders of ${this.#names()} could not be cancelled`)
    }
  }

  /** False when the journal cannot be read. An order whose answer was lost has no id of the broker's: it is looked up. */
  async cancelJournaled(): Promise<boolean> {
    const [isHeld, intents] = await Promise.all([this.#isHeld(), this.#openInJournal()])
    if (isHeld) return true
    if (!intents?.length) return intents !== undefined
    try {
      const broker = await this.#broker()
      await this.#cancel(
        broker,
        intents.flatMap(({ brokerOrderId }) => brokerOrderId ?? []),
      )
      const lost = intents.filter(({ brokerOrderId }) => brokerOrderId === null)
      const found = await Promise.allSettled(lost.map((intent) => broker.orderByClientId(intent.clientOrderId, URGENT)))
      for (const outcome of found) if (outcome.status === 'rejected') this.#tellOrder(outcome.reason)
      const orders = found.flatMap((outcome) => (outcome.status === 'fulfilled' && outcome.value ? outcome.value : []))
      await this.#cancel(
        broker,
        orders.filter(isOpen).map(({ id }) => id),
      )
      return true
    } catch (error) {
      // No broker: the list, which comes next, meets and tells the same.
      this.#deps.log.debug({ err: error }, 'orders of the journal could not be cancelled')
      return false
    }
  }

  /** The orders are those of the instance that the backup is of. Where this cannot be told, they are cancelled. */
  #isHeld(): Promise<boolean> {
    this.#held ??= isHeld(this.#deps, this.#deployments[0]!.id)
    return this.#held
  }

  async #cancel(broker: Broker, ids: readonly string[]): Promise<void> {
    const fresh = ids.filter((id) => !this.#asked.has(id))
    for (const id of fresh) this.#asked.add(id)
    // A stop does not wait for the journal, which may be away.
    void this.#deps.database.orders
      .askCancel(this.#deployments[0]!.accountId, fresh, this.#deps.clock.now())
      .catch((error: unknown) => this.#deps.log.debug({ err: error }, 'cancellations not noted'))
    const outcomes = await Promise.allSettled(fresh.map((id) => broker.cancel(id)))
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') this.count++
      else if (!hasEndedAlready(outcome.reason)) this.#tellOrder(outcome.reason)
    }
  }

  async #broker(): Promise<Broker> {
    const { userId, accountId } = this.#deployments[0]!
    return this.#deps.knownBroker?.(accountId) ?? (await this.#deps.brokerFor(userId, accountId))
  }

  /** Sent and not ended; undefined when the journal cannot be read. */
  async #openInJournal(): Promise<OrderIntent[] | undefined> {
    const ids = new Set(this.#deployments.map(({ id }) => id))
    try {
      return (await this.#deps.database.orders.unsettled(this.#deployments[0]!.accountId)).filter(
        (intent) => ids.has(intent.deploymentId) && intent.state !== 'intended' && isOpen(intent),
      )
    } catch (error) {
      this.#deps.log.error({ err: error, deploymentIds: [...ids] }, 'stop without the journal')
      return undefined
    }
  }

  async #listed(broker: Broker): Promise<string[]> {
    const keys = new Set(this.#deployments.map(({ orderKey }) => orderKey))
    const open = await broker.orders({ state: 'open' }, URGENT)
    return open
      .filter((order) => keys.has(deploymentKeyOf(order.clientOrderId) ?? '') && isOpen(order))
      .map(({ id }) => id)
  }

  #names(): string {
    return this.#deployments.map(({ name }) => name).join(', ')
  }

  #tellOrder(error: unknown): void {
    this.#hasFailed = true
    this.#tell(error, `An open order of ${this.#names()} could not be cancelled`)
  }

  #tell(error: unknown, sentence: string): void {
    const deploymentIds = this.#deployments.map(({ id }) => id)
    this.#deps.log.error({ err: error, deploymentIds }, 'open orders could not be cancelled')
    this.#problems.push(`${sentence}: ${sentenceFor(error)}`)
  }
}

const hasEndedAlready = (error: unknown): boolean => error instanceof Problem && error.kind === 'conflict'
