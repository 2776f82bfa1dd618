import type { Note } from '@tradewright/core/note'
import { Problem } from '@tradewright/core/problem'
import { MINUTE, SECOND } from '@tradewright/core/time'
import { tickerKind } from '@tradewright/core/ticker-kind'
import type { Broker } from '@tradewright/engine/trading/broker'
import { isMarketOpen } from '@tradewright/engine/trading/market-hours'
import { availableParallelism } from 'node:os'
import { SCHEDULE, SYSTEM } from '../actor.ts'
import type { Deployment } from '../deployment.ts'
import { accountProblemOf, CLOSED_COMPARE_INTERVAL_MS, COMPARE_INTERVAL_MS, healthProblemOf } from '../health.ts'
import { tradedTickers } from '../traded-tickers.ts'
import { CommitQueue } from './commit/commit-queue.ts'
import { DecisionRound } from './commit/decision-round.ts'
import { started } from '../../started.ts'
import { memoized } from '../memoize.ts'
import { recordStops } from '../stops/record-stops.ts'
import { Trainings } from '../retraining/trainings.ts'
import { StoppedOrders } from '../stops/stopped-orders.ts'
import { onlyWaitsForOrders } from './send/waiting-orders.ts'
import { IdleAccounts } from './idle-accounts.ts'
import { MarketTimes } from './market-time.ts'
import { OUTAGE_MS, outageNote, type Unwatched, unwatchedAccount, broughtForward } from './outage.ts'
import { reconcile } from './reconcile/reconcile.ts'
import { forDeployment, recordNote, setHealth } from './record-note.ts'
import { isDue } from './due-run.ts'
import { inConnectionLane, onBehalfOf } from '../../connection-lane.ts'
import { databaseOutage } from '../../database-failure.ts'
import { runDeployment } from './run-deployment.ts'
import { unwatchedAccounts, type WatchAccount, WatchedAccounts } from './watched-accounts.ts'
import type { AccountSnapshot, Assets, CycleDeps, PollDeps, Reconciliation, RunDeps } from './types.ts'

interface RunnerSettings {
  readonly leaseSeconds: number
  /** Poll interval for work that is due. */
  readonly beatMs: number
  /** How often a quiet account is compared with its broker. */
  readonly compareMs: number
  /** How long after a failure it tries again. */
  readonly retryMs: number
  /** At most so many accounts are asked and decided for at a time; the others follow in the order of what is due. */
  readonly maxAccounts: number
  /** Its part of all accounts, beside the other processes. */
  readonly capacity: number
  readonly daily?: DailyWork
  /** Signals at once what a poll would find later. */
  readonly watch?: WatchAccount
}

/** How often an account is polled whose broker and books have differed for a while. */
const MAX_DIFFERENCE_INTERVAL_MS = 10 * SECOND

/** The work for a deployment when a session is over. */
export type DailyWork = (deployment: Deployment, reconciliation: Reconciliation, sessionClose: Date) => Promise<void>

const defaultRunnerSettings: RunnerSettings = {
  leaseSeconds: 30,
  beatMs: SECOND,
  compareMs: COMPARE_INTERVAL_MS,
  retryMs: 20 * SECOND,
  maxAccounts: 64,
  capacity: availableParallelism(),
}

const takenOverNote: Note = {
  code: 'taken-over',
  level: 'warning',
  sentence: 'The process that ran it has died; this one has taken over.',
}

/**
 * Runs the deployments whose lease this process holds: polls every second for work that is due, compares each account
 * with its broker once for all of its deployments, and lets each do its work. A failure of one is no failure of
 * another.
 */
export class LiveRunner {
  readonly #deps: CycleDeps
  readonly #settings: RunnerSettings
  readonly #times: MarketTimes
  readonly #busyAccounts = new Set<number>()
  readonly #busyDeployments = new Set<number>()
  readonly #comparedAt = new Map<number, number>()
  /** When an account was first found to differ from its books, while it does. */
  readonly #differsSince = new Map<number, number>()
  readonly #retryAt = new Map<number, number>()
  readonly #brokers = new Map<number, Broker>()
  /** The last close whose work is done, by deployment. */
  readonly #dayEnded = new Map<number, number>()
  readonly #watched: WatchedAccounts
  readonly #commits: CommitQueue
  readonly #stoppedOrders = new StoppedOrders()
  readonly #trainings: Trainings
  readonly #idle: IdleAccounts
  #known: readonly Deployment[] = []
  /** Accounts that are being asked or decided for. */
  #running = 0
  #work = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #beating: Promise<void> | undefined
  #isClosed = false
  #awaySince: number | undefined
  /** The last poll for due work that the database answered. */
  lastBeatAt: Date | undefined

  constructor(deps: CycleDeps, settings: Partial<RunnerSettings> = {}) {
    this.#deps = deps
    this.#settings = { ...defaultRunnerSettings, ...settings }
    this.#times = new MarketTimes(deps.clock, deps.log)
    this.#commits = new CommitQueue(deps)
    this.#trainings = new Trainings(deps)
    this.#idle = new IdleAccounts(deps)
    this.#watched = new WatchedAccounts(this.#settings.watch ?? unwatchedAccounts, (accountId) =>
      this.#beatSoon(accountId),
    )
  }

  start(): void {
    this.#deps.log.info({ holder: this.#deps.holder }, 'live trading: running deployments')
    void this.#pollLoop()
  }

  #pollLoop(): Promise<void> {
    return inConnectionLane('trading', () => this.#pollAndWait())
  }

  async #pollAndWait(): Promise<void> {
    this.#beating = this.#beat()
    await this.#beating
    this.#beating = undefined
    if (!this.#isClosed) this.#timer = setTimeout(() => void this.#pollLoop(), this.#untilNextBeat())
  }

  /** Whatever is due before the next poll does not wait for it. */
  #untilNextBeat(): number {
    const waits = this.#known.flatMap(({ nextRunAt, accountId, id }) => {
      if (nextRunAt === null || this.#busyDeployments.has(id)) return []
      const wait = nextRunAt.getTime() - this.#times.estimate(accountId).getTime()
      return wait > 0 ? [Math.ceil(wait)] : []
    })
    return Math.min(this.#settings.beatMs, ...waits)
  }

  /**
   * A signal of an account brings the next poll forward, unless the account is being polled, or was within `beatMs`.
   */
  #beatSoon(accountId: number): void {
    if (this.#timer === undefined || this.#beating || this.#isClosed) return
    if (this.#busyAccounts.has(accountId) || this.#quietFor(accountId) < this.#settings.beatMs) return
    clearTimeout(this.#timer)
    void this.#pollLoop()
  }

  /** One poll, and all the work that it found. */
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
    this.#watched.close()
    await this.#beating
    while (this.#work.size > 0) await Promise.allSettled(this.#work)
    await this.#deps.deploymentLog.flush()
    await this.#deps.database.leases
      .release(this.#deps.holder)
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'leases not released; they run out by themselves'))
  }

  async #beat(): Promise<void> {
    try {
      await recordStops(this.#deps)
      const { leaseSeconds, capacity } = this.#settings
      const claim = await this.#deps.database.leases.claim(this.#deps.holder, leaseSeconds, capacity)
      const held = this.#withoutSurplus(claim.held, claim.surplus)
      this.lastBeatAt = this.#deps.clock.now()
      await this.#letGo(held)
      this.#known = held
      await this.#logReturn(held)
      for (const deployment of held.filter(({ id }) => claim.takenOver.has(id))) {
        await recordNote(this.#deps, deployment, takenOverNote)
      }
      const atWork = await this.#atWork(held)
      const accounts = Map.groupBy(held, (one) => one.accountId)
      this.#watched.keep(new Set(accounts.keys()))
      for (const [accountId, deployments] of byUrgency(accounts)) {
        if (this.#running >= this.#settings.maxAccounts) break
        if (this.#busyAccounts.has(accountId)) continue
        const free = deployments.filter(({ id }) => !this.#busyDeployments.has(id))
        const needy = this.#dueDeployments(accountId, free, atWork)
        if (needy.length === 0) continue
        this.#run(onBehalfOf(needy[0]!.userId, () => this.#runAccount(accountId, needy)))
      }
      for (const deployment of held) this.#run(this.#trainings.begin(deployment))
      this.#run(this.#idle.begin())
      void this.#deps.deploymentLog.flush()
    } catch (error) {
      this.#awaySince ??= this.#deps.clock.now().getTime()
      this.#deps.log.warn({ err: error }, 'live trading: the database cannot be reached, trying again')
    }
  }

  #run(begun: Promise<void> | undefined): void {
    const work = begun?.finally(() => this.#work.delete(work!))
    if (work) this.#work.add(work)
  }

  /** What other processes have room for: accounts in which nothing happens now or within a minute. */
  #withoutSurplus(held: readonly Deployment[], surplus: number): readonly Deployment[] {
    if (surplus === 0) return held
    const soon = this.#deps.clock.now().getTime() + MINUTE
    const isIdle = ({ id, status, liquidatingSince, nextRunAt }: Deployment) =>
      !this.#busyDeployments.has(id) &&
      (status === 'running' || status === 'paused') &&
      liquidatingSince === null &&
      (nextRunAt === null || nextRunAt.getTime() > soon)
    const idle = [...Map.groupBy(held, ({ accountId }) => accountId)].flatMap(([accountId, deployments]) =>
      !this.#busyAccounts.has(accountId) && deployments.every(isIdle) ? accountId : [],
    )
    const given = new Set(idle.slice(-surplus))
    return held.filter(({ accountId }) => !given.has(accountId))
  }

  /** Which of them carry a decision out. While that cannot be asked, the next poll asks again. */
  #atWork(held: readonly Deployment[]): Promise<ReadonlySet<number>> {
    const ids = held.map(({ id }) => id)
    return this.#deps.database.decisions.withOpenDecision(ids).catch(() => new Set<number>())
  }

  /**
   * Releases the leases of deployments that no longer need a runner, so that the next holder does not report a dead
   * one.
   */
  async #letGo(held: readonly Deployment[]): Promise<void> {
    const kept = new Set(held.map(({ id }) => id))
    const gone = this.#known.flatMap(({ id }) => (kept.has(id) ? [] : id))
    if (gone.length > 0) await this.#deps.database.leases.release(this.#deps.holder, gone)
  }

  async #logReturn(held: readonly Deployment[]): Promise<void> {
    if (this.#awaySince === undefined) return
    const seconds = Math.round((this.#deps.clock.now().getTime() - this.#awaySince) / SECOND)
    this.#awaySince = undefined
    const sentence = `The database could not be reached for ${seconds} seconds; nothing was sent meanwhile.`
    const note: Note = { code: 'database-back', level: 'warning', sentence }
    for (const deployment of held) await recordNote(this.#deps, deployment, note)
  }

  async #runAccount(accountId: number, needy: readonly Deployment[]): Promise<void> {
    // Before anything is awaited: a second pass over the same account would send what the first one sends.
    this.#busyAccounts.add(accountId)
    let done: Promise<unknown> = Promise.resolve()
    try {
      const broker = await this.#openBroker(needy[0]!.userId, accountId)
      await this.#stoppedOrders.cancel(this.#deps, broker, needy)
      if (this.#mayWait(accountId, needy) && (await this.#onlyWaits(broker, accountId))) return
      if (this.#waitsForBroker(accountId, needy)) return
      const snapshot = await this.#snapshot(broker, accountId, needy)
      const due = needy.filter((one) => one.status === 'running' && isDue(one, snapshot.time))
      const round = new DecisionRound(due.map(({ id }) => id))
      const deps: PollDeps = {
        ...this.#deps,
        actor: SCHEDULE,
        signalService: this.#deps.signalService.forOnePoll(),
        commit: async (proposed) => {
          await round.join(proposed.deployment.id)
          return this.#commits.commit(proposed)
        },
      }
      done = started(
        Promise.all(
          needy.map((deployment) =>
            this.#attempt(deployment, async () => {
              await runDeployment(ownDeps(deps, deployment), deployment, snapshot).finally(() =>
                round.leave(deployment.id),
              )
              await this.#endOfDay(deployment, snapshot.reconciliation, snapshot.time.now)
            }),
          ),
        ),
      )
    } catch (error) {
      for (const deployment of needy) await this.#tellFailure(deployment, error, accountProblemOf(error))
    } finally {
      this.#busyAccounts.delete(accountId)
    }
    await done
  }

  #onlyWaits(broker: Broker, accountId: number): Promise<boolean> {
    return onlyWaitsForOrders(this.#deps.database, broker, accountId, this.#deps.clock.now())
  }

  async #openBroker(userId: number, accountId: number): Promise<Broker> {
    const broker = await this.#deps.brokerFor(userId, accountId)
    this.#brokers.set(accountId, broker)
    return broker
  }

  /** Nothing is due, signalled or to be compared: it is polled because of orders alone. */
  #mayWait(accountId: number, needy: readonly Deployment[]): boolean {
    const estimate = { now: this.#times.estimate(accountId) }
    return (
      this.#quietFor(accountId) < this.#settings.compareMs &&
      !this.#watched.hasNews(accountId) &&
      needy.every((one) => !isDue(one, estimate) && !this.#deps.gate.isClosed(one))
    )
  }

  /**
   * Broker and books differ, and nothing is sent until they agree: polls that cost a dozen calls each come at intervals that
   * double. A broker lists most executions within a second or two; a stream that signals one is answered at once.
   */
  #waitsForBroker(accountId: number, needy: readonly Deployment[]): boolean {
    const since = this.#differsSince.get(accountId)
    if (since === undefined || this.#watched.hasNews(accountId)) return false
    const interval = Math.min(MAX_DIFFERENCE_INTERVAL_MS, this.#comparedAt.get(accountId)! - since)
    return this.#quietFor(accountId) < interval && !needy.some((one) => this.#deps.gate.isClosed(one))
  }

  /** Asks the broker everything that its deployments share, once. */
  async #snapshot(broker: Broker, accountId: number, needy: readonly Deployment[]): Promise<AccountSnapshot> {
    const { userId } = needy[0]!
    this.#watched.add(userId, accountId)
    this.#watched.answer(accountId)
    const time = await this.#times.ask(broker, accountId)
    if (time.news) for (const one of needy) await recordNote(this.#deps, one, time.news)
    const isWatched = this.#quietFor(accountId) < OUTAGE_MS
    const unwatched = isWatched ? undefined : await unwatchedAccount(this.#deps.database, accountId, time.now)
    if (!isWatched) await this.#bringForward(accountId, needy, time)
    const reconciliation = await reconcile(this.#deps, broker, { accountId, userId })
    if (unwatched) await this.#tellOutage(needy, unwatched, { reconciliation, ...time })
    const comparedAt = this.#deps.clock.now().getTime()
    this.#comparedAt.set(accountId, comparedAt)
    if (reconciliation.verdict === 'agreed') this.#differsSince.delete(accountId)
    else this.#differsSince.set(accountId, this.#differsSince.get(accountId) ?? comparedAt)
    const ids = needy.map(({ id }) => id)
    const atWork = await this.#deps.database.decisions.atWork(ids)
    const changes = await this.#deps.database.tickerChanges.of(ids)
    const tickerChanges = Map.groupBy(changes, ({ deploymentId }) => deploymentId)
    return { broker, assets: askedOnce(broker), time, reconciliation, atWork, tickerChanges }
  }

  async #bringForward(accountId: number, needy: readonly Deployment[], time: AccountSnapshot['time']): Promise<void> {
    for (const one of needy.filter(({ status }) => status === 'running')) {
      const note = await broughtForward(this.#deps.database, accountId, one, time)
      if (note) await recordNote(this.#deps, one, note)
    }
  }

  async #tellOutage(needy: readonly Deployment[], unwatched: Unwatched, after: Parameters<typeof outageNote>[3]) {
    for (const one of needy.filter(({ status }) => status === 'running')) {
      const note = await outageNote(this.#deps.database, one, unwatched, after)
      if (note) await recordNote(this.#deps, one, note)
    }
  }

  /** Deployments with something to do; all of them when the account has not been compared for a while. */
  #dueDeployments(
    accountId: number,
    deployments: readonly Deployment[],
    atWork: ReadonlySet<number>,
  ): readonly Deployment[] {
    const now = this.#deps.clock.now().getTime()
    const waits = ({ id }: Deployment) => (this.#retryAt.get(id) ?? 0) - now
    const waiting = deployments.filter((one) => waits(one) <= 0 || waits(one) > this.#settings.retryMs)
    const quietFor = this.#quietFor(accountId)
    // However often it signals, it is polled no more often than an account that trades.
    const isRung = this.#watched.hasNews(accountId) && quietFor >= this.#settings.beatMs
    const isQuiet = quietFor < this.#settings.compareMs
    if (isRung || (!isQuiet && quietFor >= this.#compareInterval(accountId, deployments))) return waiting
    const estimate = { now: this.#times.estimate(accountId) }
    return waiting.filter(
      (deployment) =>
        atWork.has(deployment.id) ||
        isDue(deployment, estimate) ||
        // A paused one is only watched, with each comparison of its account.
        (deployment.status !== 'running' && deployment.status !== 'paused') ||
        this.#deps.gate.isClosed(deployment),
    )
  }

  /** While the exchange is closed nothing changes that a stop or an order waits for, unless coins are traded; loss limits are watched. */
  #compareInterval(accountId: number, deployments: readonly Deployment[]): number {
    const { compareMs } = this.#settings
    const now = this.#times.estimate(accountId).getTime()
    const isWatched =
      isMarketOpen(this.#times.calendarOf(accountId), now) ||
      this.#differsSince.has(accountId) ||
      deployments.some(
        (one) =>
          one.healthProblem !== null ||
          one.settings.maxDailyLossPct !== null ||
          one.settings.maxDrawdownPct !== null ||
          tradedTickers(one).some((ticker) => tickerKind(ticker) === 'crypto'),
      )
    return isWatched ? compareMs : Math.max(compareMs, CLOSED_COMPARE_INTERVAL_MS)
  }

  #quietFor(accountId: number): number {
    const passed = this.#deps.clock.now().getTime() - (this.#comparedAt.get(accountId) ?? 0)
    // A clock that went back says nothing of how long it was.
    return passed < 0 ? Number.POSITIVE_INFINITY : passed
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

  async #tellFailure(deployment: Deployment, error: unknown, problem = healthProblemOf(error)): Promise<void> {
    const { log, clock, deploymentLog } = this.#deps
    this.#retryAt.set(deployment.id, clock.now().getTime() + this.#settings.retryMs)
    const outage = databaseOutage(error)
    if (outage) {
      // Nothing is known about the deployment that was not known before: it waits, as it was.
      log.warn({ deploymentId: deployment.id, reason: outage.message }, 'live trading waits for the database')
      deploymentLog.write(deployment.id, 'WARNING', `Waiting: ${outage.message} Nothing was sent.`)
      return
    }
    if (!(error instanceof Problem)) log.error({ err: error, deploymentId: deployment.id }, 'live trading failed')
    deploymentLog.write(deployment.id, 'ERROR', `Status: ${problem.sentence}`)
    await setHealth(this.#deps, deployment, problem).catch((failure: unknown) =>
      log.warn({ err: failure, deploymentId: deployment.id }, 'the problem of a deployment could not be stored'),
    )
  }

  async #endOfDay(deployment: Deployment, reconciliation: Reconciliation, now: Date): Promise<void> {
    const { daily } = this.#settings
    const calendar = this.#times.calendarOf(deployment.accountId)
    const today = Math.floor(now.getTime() / 86_400_000)
    const isOver = calendar.isSession(today) && calendar.closeOf(today) <= now.getTime()
    const close = calendar.closeOf(isOver ? today : calendar.previousSession(today))
    const isNew = close >= deployment.createdAt.getTime() && this.#dayEnded.get(deployment.id) !== close
    if (daily && deployment.status === 'running' && isNew) {
      await daily(deployment, reconciliation, new Date(close))
      this.#dayEnded.set(deployment.id, close)
    }
  }
}

/** Accounts with what is due first. */
function byUrgency(accounts: ReadonlyMap<number, readonly Deployment[]>) {
  const dueAt = (deployments: readonly Deployment[]) =>
    Math.min(...deployments.map(({ nextRunAt }) => nextRunAt?.getTime() ?? Infinity))
  return [...accounts]
    .map(([accountId, deployments]) => ({ accountId, deployments, dueAt: dueAt(deployments) }))
    .sort((a, b) => (a.dueAt === b.dueAt ? 0 : a.dueAt - b.dueAt))
    .map(({ accountId, deployments }) => [accountId, deployments] as const)
}

/** No schedule sells everything, but the one who asked for it. */
function ownDeps(deps: PollDeps, deployment: Deployment): RunDeps {
  const { liquidatingSince, liquidatingBy, lastTrade } = deployment
  const own = forDeployment(deps, deployment, liquidatingSince ? (liquidatingBy ?? SYSTEM) : deps.actor)
  return { ...own, asAsked: lastTrade?.askedBy ? forDeployment(deps, deployment, lastTrade.askedBy) : own }
}

/** Memoized: a broker's answer about an asset holds for all decisions of one poll. */
function askedOnce(broker: Assets): Assets {
  const known = memoized<Awaited<ReturnType<Broker['asset']>>>()
  return {
    asset: (ticker) => known(ticker, () => broker.asset(ticker)),
    ...(broker.quote && { quote: (ticker) => broker.quote!(ticker) }),
  }
}
