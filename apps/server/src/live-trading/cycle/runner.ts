import { Problem } from '@tradewright/core/problem'
import { MINUTE, SECOND } from '@tradewright/core/time'
import type { Broker } from '@tradewright/engine/trading/broker'
import type { Deployment } from '../deployment.ts'
import type { CycleDeps } from './deps.ts'
import { MarketTimes } from './market-time.ts'
import { reconcile, type Reconciliation } from './reconcile.ts'
import { setHealth } from './report.ts'
import { isDue, runDeployment } from './run-deployment.ts'

export interface RunnerSettings {
  readonly leaseSeconds: number
  /** How often it looks what is due. */
  readonly beatMs: number
  /** How often a quiet account is compared with its broker. */
  readonly compareMs: number
  /** How long after a failure it tries again. */
  readonly retryMs: number
  readonly daily?: DailyWork
}

/** What is done for a deployment when a session is over. */
export type DailyWork = (deployment: Deployment, reconciliation: Reconciliation, sessionClose: Date) => Promise<void>

export const defaultRunnerSettings: RunnerSettings = {
  leaseSeconds: 30,
  beatMs: SECOND,
  compareMs: MINUTE,
  retryMs: 20 * SECOND,
}

/**
 * Runs the deployments whose lease this process holds: looks every second what is due, compares each account with its
 * broker once for all of its deployments, and lets each do its work. A failure of one is no failure of another.
 */
export class LiveRunner {
  readonly #deps: CycleDeps
  readonly #settings: RunnerSettings
  readonly #times: MarketTimes
  readonly #busyAccounts = new Set<number>()
  readonly #busyDeployments = new Set<number>()
  readonly #comparedAt = new Map<number, number>()
  readonly #retryAt = new Map<number, number>()
  readonly #brokers = new Map<number, Broker>()
  #known: readonly Deployment[] = []
  #work = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(deps: CycleDeps, settings: Partial<RunnerSettings> = {}) {
    this.#deps = deps
    this.#settings = { ...defaultRunnerSettings, ...settings }
    this.#times = new MarketTimes(deps.clock, deps.log)
  }

  start(): void {
    const beat = async () => {
      await this.#beat()
      if (!this.#isClosed) this.#timer = setTimeout(() => void beat(), this.#settings.beatMs)
    }
    void beat()
  }

  /** One look, and all the work that it found. */
  async tick(): Promise<void> {
    await this.#beat()
    while (this.#work.size > 0) await Promise.all(this.#work)
    await this.#deps.deploymentLog.flush()
  }

  /** Brokers of accounts that it runs, at hand even while the database is away. */
  knownBroker(accountId: number): Broker | undefined {
    return this.#brokers.get(accountId)
  }

  /** Deployments that it ran when the database last answered. */
  knownDeployments(userId: number): readonly Deployment[] {
    return this.#known.filter((one) => one.userId === userId)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    while (this.#work.size > 0) await Promise.allSettled(this.#work)
    await this.#deps.deploymentLog.flush()
    await this.#deps.database.leases
      .release(this.#deps.holder)
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'leases not released; they run out by themselves'))
  }

  async #beat(): Promise<void> {
    try {
      const held = await this.#deps.database.leases.claim(this.#deps.holder, this.#settings.leaseSeconds)
      this.#known = held
      for (const [accountId, deployments] of Map.groupBy(held, (one) => one.accountId)) {
        const free = deployments.filter(({ id }) => !this.#busyDeployments.has(id))
        if (this.#busyAccounts.has(accountId) || free.length === 0) continue
        const work = this.#runAccount(accountId, free).finally(() => this.#work.delete(work))
        this.#work.add(work)
      }
      void this.#deps.deploymentLog.flush()
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'live trading: the database cannot be reached, trying again')
    }
  }

  async #runAccount(accountId: number, deployments: readonly Deployment[]): Promise<void> {
    const needy = await this.#needy(accountId, deployments)
    if (needy.length === 0) return
    this.#busyAccounts.add(accountId)
    let done: Promise<unknown> = Promise.resolve()
    try {
      const { userId } = needy[0]!
      const broker = await this.#deps.brokerFor(userId, accountId)
      this.#brokers.set(accountId, broker)
      const time = await this.#times.ask(broker, accountId)
      const reconciliation = await reconcile(this.#deps, broker, { accountId, userId })
      this.#comparedAt.set(accountId, this.#deps.clock.now().getTime())
      done = Promise.all(
        needy.map((deployment) =>
          this.#attempt(deployment, async () => {
            await runDeployment(this.#deps, broker, deployment, reconciliation, time)
            await this.#endOfDay(deployment, reconciliation, time.now)
          }),
        ),
      )
    } catch (error) {
      for (const deployment of needy)
        await this.#tellFailure(deployment, error, 'The brokerage account cannot be used: ')
    } finally {
      this.#busyAccounts.delete(accountId)
    }
    await done
  }

  /** Those with something to do; all of them when the account has not been compared for a while. */
  async #needy(accountId: number, deployments: readonly Deployment[]): Promise<readonly Deployment[]> {
    const now = this.#deps.clock.now().getTime()
    const waiting = deployments.filter(({ id }) => (this.#retryAt.get(id) ?? 0) <= now)
    const isQuietTooLong = now - (this.#comparedAt.get(accountId) ?? 0) >= this.#settings.compareMs
    if (isQuietTooLong) return waiting
    const estimate = { now: this.#times.estimate(accountId) }
    const atWork = await this.#deps.database.decisions
      .ofWhichAtWork(waiting.map(({ id }) => id))
      .catch(() => new Set<number>())
    return waiting.filter(
      (deployment) =>
        atWork.has(deployment.id) ||
        isDue(deployment, estimate) ||
        deployment.status !== 'running' ||
        this.#deps.gate.isClosed(deployment),
    )
  }

  async #attempt(deployment: Deployment, work: () => Promise<void>): Promise<void> {
    this.#busyDeployments.add(deployment.id)
    try {
      await work()
      this.#retryAt.delete(deployment.id)
    } catch (error) {
      await this.#tellFailure(deployment, error)
    } finally {
      this.#busyDeployments.delete(deployment.id)
    }
  }

  async #tellFailure(deployment: Deployment, error: unknown, prefix = ''): Promise<void> {
    const { log, clock, deploymentLog } = this.#deps
    this.#retryAt.set(deployment.id, clock.now().getTime() + this.#settings.retryMs)
    const message = prefix + (error instanceof Error ? error.message : String(error))
    if (!(error instanceof Problem)) log.error({ err: error, deploymentId: deployment.id }, 'live trading failed')
    deploymentLog.write(deployment.id, 'ERROR', `Status: ${message}`)
    await setHealth(this.#deps, deployment, message).catch((failure: unknown) =>
      log.warn({ err: failure, deploymentId: deployment.id }, 'the problem of a deployment could not be stored'),
    )
  }

  async #endOfDay(deployment: Deployment, reconciliation: Reconciliation, now: Date): Promise<void> {
    if (!this.#settings.daily || deployment.status !== 'running') return
    const calendar = this.#times.calendarOf(deployment.accountId)
    const today = Math.floor(now.getTime() / 86_400_000)
    const isOver = calendar.isSession(today) && calendar.closeOf(today) <= now.getTime()
    const close = calendar.closeOf(isOver ? today : calendar.previousSession(today))
    if (close < deployment.createdAt.getTime()) return
    await this.#settings.daily(deployment, reconciliation, new Date(close))
  }
}
