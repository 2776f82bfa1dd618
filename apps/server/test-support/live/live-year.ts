import { ManualClock } from '@tradewright/core/clock'
import { Decimal } from '@tradewright/core/decimal'
import { Problem } from '@tradewright/core/problem'
import { Random } from '@tradewright/core/random'
import { DAY, epochDayOf, HOUR, MINUTE } from '@tradewright/core/time'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import { partyOf } from '@tradewright/engine/trading/ledger/entry'
import { sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import { Alerts, ownInbox } from '../../src/alerts/raise-alerts.ts'
import { acceptBroker } from '../../src/live-trading/capital/accept-broker.ts'
import { changeCapital } from '../../src/live-trading/capital/change-capital.ts'
import { ModelCache } from '../../src/live-trading/cycle/propose/model-cache.ts'
import { LiveRunner } from '../../src/live-trading/cycle/runner.ts'
import type { LiveDeps } from '../../src/live-trading/deps.ts'
import type { SignalService } from '../../src/live-trading/ports/signal-service.ts'
import { deploymentOverview } from '../../src/live-trading/views.ts'
import { createAlertInbox, createAlertSettingsStore } from '../../src/stores/alerts/alerts.ts'
import { createTestDatabase } from '../test-database.ts'
import { type AlpacaStage, alpacaStage } from './alpaca-stage.ts'
import type { PlaceFault } from './broker-stage.ts'
import { activityOf, type LiveWorld, liveWorld, settingsOf } from './live-world.ts'
import { keepRows } from './lost-journal.ts'

const TICKERS = ['SPY', 'TLT', 'GLD']
const PLACE_FAULTS: readonly PlaceFault[] = [
  'answer-lost',
  'not-arrived',
  'error-500',
  'limited-429',
  'reset',
  'refused',
  'rejected',
]
/** A part of the value of a deployment: rounding, the cents that no order could spend, and price limits of orders. */
const TOLERATED_GAP = 0.02
const MORNING = nyse.openOf(Math.floor(Date.UTC(2026, 0, 5) / DAY)) - HOUR

const decimal = (text: string | number) => Decimal.parse(String(text))

interface Holding {
  cash: Decimal
  readonly positions: Map<string, Decimal>
}

/**
 * What a deployment and the rest of its account must own, kept from the broker's executions and from what the campaign does,
 * by nothing of the program: an execution belongs to the deployment if its order's id names one.
 */
class IndependentBook {
  readonly own: Holding = { cash: Decimal.zero, positions: new Map() }
  readonly rest: Holding
  readonly #seen = new Set<string>()
  readonly #dividends: { ticker: string; own: Decimal; rest: Decimal }[] = []

  constructor(cash: Decimal) {
    this.rest = { cash, positions: new Map() }
  }

  move(from: Holding, to: Holding, amount: Decimal): void {
    from.cash = from.cash.minus(amount)
    to.cash = to.cash.plus(amount)
  }

  /** Executions that it has not seen yet. */
  read({ standIn }: AlpacaStage): void {
    for (const activity of standIn.account.activities) {
      if (activity.activity_type !== 'FILL' || this.#seen.has(activity.id)) continue
      this.#seen.add(activity.id)
      const fill = activity as unknown as Record<'order_id' | 'qty' | 'price' | 'side' | 'symbol', string>
      const order = standIn.account.orders.find(({ id }) => id === fill.order_id)!
      const holding = order.clientOrderId.startsWith('tw-') ? this.own : this.rest
      const quantity = fill.side === 'buy' ? decimal(fill.qty) : decimal(fill.qty).negated()
      holding.cash = holding.cash.minus(quantity.times(decimal(fill.price)))
      add(holding, fill.symbol, quantity)
    }
  }

  split(ticker: string, ratio: Decimal): void {
    for (const { positions } of [this.own, this.rest]) {
      const held = positions.get(ticker)
      if (held) positions.set(ticker, held.times(ratio))
    }
  }

  /** Holders of the shares before the ex-date are owed the dividend. */
  goEx(ticker: string, perShare: Decimal): void {
    const due = ({ positions }: Holding) => (positions.get(ticker) ?? Decimal.zero).times(perShare)
    this.#dividends.push({ ticker, own: due(this.own), rest: due(this.rest) })
  }

  /** Answers what the broker pays. */
  payDividend(ticker: string): Decimal {
    const i = this.#dividends.findIndex((due) => due.ticker === ticker)
    const [due] = this.#dividends.splice(i, 1)
    const total = due!.own.plus(due!.rest).rounded(2)
    this.own.cash = this.own.cash.plus(due!.own)
    this.rest.cash = this.rest.cash.plus(total.minus(due!.own))
    return total
  }

  /** The figures of the broker were accepted: what was sold by hand and belonged to the deployment is its sale. */
  accept(priceOf: (ticker: string) => Decimal): void {
    for (const [ticker, quantity] of this.rest.positions) {
      if (!quantity.isNegative) continue
      const sold = quantity.negated()
      add(this.own, ticker, quantity)
      this.rest.positions.delete(ticker)
      this.move(this.rest, this.own, sold.times(priceOf(ticker)))
    }
    if (this.rest.cash.isNegative) this.move(this.own, this.rest, this.rest.cash.negated())
  }

  valueOf(priceOf: (ticker: string) => Decimal): Decimal {
    return [...this.own.positions].reduce(
      (sum, [ticker, quantity]) => sum.plus(quantity.times(priceOf(ticker))),
      this.own.cash,
    )
  }
}

function add({ positions }: Holding, ticker: string, quantity: Decimal): void {
  const total = (positions.get(ticker) ?? Decimal.zero).plus(quantity)
  if (total.absolute().isBelow(decimal('0.0000005'))) positions.delete(ticker)
  else positions.set(ticker, total)
}

interface Account {
  readonly world: LiveWorld
  readonly stage: AlpacaStage
  readonly book: IndependentBook
  readonly random: Random
  readonly id: number
  /** Dividends that are declared, with the session at which they are paid. */
  readonly owed: { ticker: string; perShare: Decimal; session: number }[]
  haltedUntil: number
  /** What was done to it in this session. */
  faults: string[]
}

interface YearSize {
  readonly seed: number
  readonly accounts: number
  readonly sessions: number
}

interface YearReport {
  /** What broke a promise, as sentences. */
  readonly broken: readonly string[]
  /** How often each thing was done. */
  readonly done: Readonly<Record<string, number>>
  readonly orders: number
  readonly alerts: number
}

/** One process runs accounts at stand-ins of Alpaca through the sessions of a year, with everything that happens in one. */
export async function liveYear({ seed, accounts: accountCount, sessions }: YearSize): Promise<YearReport> {
  const random = new Random(seed)
  const database = await createTestDatabase()
  const clock = new ManualClock(new Date(MORNING))
  const accounts: Account[] = []
  const broken: string[] = []
  const done: Record<string, number> = {}
  for (let i = 0; i < accountCount; i++) {
    const cash = 20_000 + random.below(80) * 1_000
    const world = await liveWorld({ database, clock, stage: alpacaStage, cash: String(cash) })
    const capital = Math.floor((cash * (50 + random.below(46))) / 100)
    const deployment = await world.deployed({
      name: `Deployment ${i}`,
      capitalPolicyValue: Decimal.fromNumber(capital),
      settings: settingsOf({ rebalanceFrequency: 'daily' }),
    })
    const book = new IndependentBook(decimal(cash))
    book.move(book.rest, book.own, decimal(capital))
    accounts.push({
      world,
      stage: world.stage as AlpacaStage,
      book,
      random: new Random(random.uint32()),
      id: deployment.id,
      owed: [],
      haltedUntil: -1,
      faults: [],
    })
  }
  const deps = sharedDeps(accounts, clock)
  const alerts = new Alerts({
    server: { name: 'This server', isDiskLow: () => false },
    alerts: createAlertInbox(database.database),
    settings: createAlertSettingsStore(database.database),
    messages: deps.database.messages,
    clock,
    log: deps.log,
  })
  const newRunner = () =>
    new LiveRunner(
      { ...deps, alert: alerts.raise, modelCache: new ModelCache(), holder: randomUUID() },
      { leaseSeconds: 3_600 },
    )
  let runner = newRunner()
  let back: (() => Promise<void>) | undefined
  let restoredAt = -1

  const count = (what: string) => {
    done[what] = (done[what] ?? 0) + 1
  }
  const work = async (beats: number, ms: number) => {
    for (let i = 0; i < beats; i++) {
      await runner.tick()
      await alerts.save()
      clock.advance(ms)
    }
  }
  const kill = async () => {
    runner = newRunner()
    await sql`UPDATE deployment_leases SET expires_at = clock_timestamp() - interval '1 second'`.execute(
      database.database,
    )
    await sql`DELETE FROM live_processes`.execute(database.database)
  }

  for (let session = 0; session < sessions; session++) {
    const isCalm = session >= sessions - 2
    const did = (account: Account, what: string) => {
      account.faults.push(what)
      count(what.replace(/ of \w+$/, ''))
    }
    toOpening(clock)
    const day = epochDayOf(clock.now().getTime())
    const startedAt = clock.now()
    for (const account of accounts) {
      account.faults = []
      if (isCalm) calm(account)
      if (!isCalm && !back) await moveMoney(account, deps, did)
      beginSession(account, { session, day, isCalm, isKept: back !== undefined, did })
    }
    // The whole machine: it sleeps, dies, or is restored from a backup.
    if (!isCalm && random.below(40) === 0) {
      count('days without the machine')
      clock.advance((1 + random.below(5)) * DAY)
      await kill()
      await work(1, 1_000)
      toOpening(clock)
    }
    toDecision(clock)
    if (!isCalm && random.below(20) === 0) {
      count('clock jumps')
      clock.advance((5 + random.below(15)) * MINUTE)
    }
    const killedAt = isCalm || random.below(6) > 0 ? -1 : random.below(8)
    const keptAt = isCalm || back || session > sessions - 8 || random.below(15) > 0 ? -1 : random.below(8)
    const decidedAt = clock.now()
    const before = accounts.map((account) => weightsOf(account))
    for (let beat = 0; beat < 8; beat++) {
      for (const account of accounts) if (!isCalm) disturb(account, beat, did)
      if (beat === keptAt) {
        back = await keepRows(database)
        restoredAt = session + random.below(3)
        count('backups')
      }
      await work(1, 1_000 + random.below(12_000))
      if (beat === killedAt) {
        count('kills')
        await kill()
      }
    }
    for (const account of accounts) settleMarket(account)
    await work(4, 61_000)
    if (back && session >= restoredAt) {
      await back()
      back = undefined
      count('restores')
      await kill()
      await work(3, 61_000)
    }
    // What a broker that was away has done is known before anything is compared.
    for (const account of accounts) if (account.stage.isAway) calm(account)
    toClose(clock)
    await work(3, 61_000)
    for (const [i, account] of accounts.entries()) {
      account.book.read(account.stage)
      await acceptDifferences(account, { deps, isKept: back !== undefined, startedAt, broken, session })
      const where = `seed ${seed}, session ${session}, ${account.world.accountId} (${account.faults.join(', ')})`
      broken.push(...(await differences(account)).map((what) => `${where}: ${what}`))
      const unsaid = await gapsUnsaid(account, { before: before[i]!, decidedAt, deps })
      broken.push(...unsaid.map((what) => `${where}: ${what}`))
    }
    if (broken.length > 20) break
  }
  const inboxes = await Promise.all(
    accounts.map(({ world }) => ownInbox(createAlertInbox(database.database), world.userId)),
  )
  let orders = 0
  for (const account of accounts) {
    orders += (await account.stage.ordersTaken()).length
    broken.push(...(await orderFaults(account)).map((what) => `account ${account.world.accountId}: ${what}`))
    broken.push(...account.stage.violations)
    const { health } = await deploymentOverview(deps, account.world.userId, account.id)
    if (health.light !== 'green')
      broken.push(`account ${account.world.accountId} ends ${health.light}: ${health.reasons.join(' ')}`)
  }
  await runner.close()
  for (const { world } of accounts) await world.close()
  await database.close()
  return { broken, done, orders, alerts: inboxes.flat().length }
}

function sharedDeps(accounts: readonly Account[], clock: ManualClock): LiveDeps {
  const [first] = accounts
  const ofUser = (userId: number) => accounts.find(({ world }) => world.userId === userId)!.world.signalService
  const ofAccount = (accountId: number) => accounts.find(({ world }) => world.accountId === accountId)!.world
  const signalService: SignalService = Object.assign(Object.create(first!.world.signalService) as SignalService, {
    signal: (question: Parameters<SignalService['signal']>[0], signal: AbortSignal) =>
      (ofUser(question.userId) as SignalService).signal(question, signal),
    splits: (userId: number, ticker: string) => ofUser(userId).splits(userId, ticker),
    dividends: (...question: Parameters<SignalService['dividends']>) => ofUser(question[0]).dividends(...question),
    forOnePoll: () => signalService,
    retrying: () => signalService,
  })
  return {
    ...first!.world.deps,
    clock,
    signalService,
    brokerFor: async (_userId, accountId) => ofAccount(accountId).stage.broker,
    accounts: {
      list: async (userId) => accounts.find(({ world }) => world.userId === userId)!.world.deps.accounts.list(userId),
      find: async (userId, id) => ofAccount(id).deps.accounts.find(userId, id),
    },
  }
}

function toOpening(clock: ManualClock): void {
  const now = clock.now().getTime()
  let day = epochDayOf(now)
  while (!nyse.isSession(day) || nyse.openOf(day) <= now) day++
  clock.advance(nyse.openOf(day) - 30 * MINUTE > now ? nyse.openOf(day) - 30 * MINUTE - now : 0)
}

function toDecision(clock: ManualClock): void {
  const now = clock.now().getTime()
  let day = epochDayOf(now)
  while (!nyse.isSession(day)) day++
  clock.advance(Math.max(0, nyse.closeOf(day) - 30 * MINUTE - now))
}

function toClose(clock: ManualClock): void {
  const now = clock.now().getTime()
  clock.advance(Math.max(0, nyse.closeOf(epochDayOf(now)) + MINUTE - now))
}

/** Contributions and withdrawals of the deployment; what is refused changes nothing. */
async function moveMoney({ book, ...account }: Account, deps: LiveDeps, did: Beginning['did']): Promise<void> {
  const { random, world, id } = account
  if (random.below(30) > 0) return
  const type = random.below(2) === 0 ? 'CONTRIBUTION' : 'WITHDRAWAL'
  const amount = String(50 + random.below(500))
  try {
    await changeCapital(deps, world.userId, id, { type, amount, note: undefined })
  } catch (error) {
    if (error instanceof Problem) return
    throw error
  }
  if (type === 'CONTRIBUTION') book.move(book.rest, book.own, decimal(amount))
  else book.move(book.own, book.rest, decimal(amount))
  did({ book, ...account }, type.toLowerCase())
}

interface Beginning {
  readonly session: number
  readonly day: number
  readonly isCalm: boolean
  /** A backup was made: what the journal alone knows would be lost with it. */
  readonly isKept: boolean
  readonly did: (account: Account, what: string) => void
}

/** Prices, weights, corporate actions and money, before the market opens. */
function beginSession(account: Account, { session, day, isCalm, isKept, did }: Beginning): void {
  const { world, stage, book, random, owed } = account
  const state = stage.standIn.account
  book.read(stage)
  for (const [ticker, price] of world.quotes)
    world.quotes.set(ticker, price.times(Decimal.fromNumber(0.975 + random.below(51) / 1000)).rounded(2))
  const first = 10 + random.below(50)
  const second = 10 + random.below(90 - first)
  world.signalService.percentages = { SPY: first, TLT: second, GLD: 100 - first - second }
  for (const due of owed.filter((one) => one.session <= session)) {
    owed.splice(owed.indexOf(due), 1)
    const total = book.payDividend(due.ticker)
    if (total.isZero) continue
    state.book('DIV', String(total), undefined, { symbol: due.ticker, per_share_amount: String(due.perShare) })
    did(account, 'dividend paid')
  }
  if (isCalm) return
  const ticker = TICKERS[random.below(TICKERS.length)]!
  if (random.below(30) === 0 && !owed.some((one) => one.ticker === ticker)) {
    const perShare = decimal(`0.${10 + random.below(90)}`)
    book.goEx(ticker, perShare)
    const known = world.signalService.dividendsOf[ticker] ?? []
    world.signalService.dividendsOf[ticker] = [...known, { exDay: day, amount: perShare.toNumber() }]
    world.quotes.set(ticker, world.quotes.get(ticker)!.minus(perShare))
    owed.push({ ticker, perShare, session: session + 2 + random.below(6) })
    did(account, 'ex-date')
  } else if (random.below(60) === 0 && !owed.some((one) => one.ticker === ticker)) {
    const ratio = decimal(['2', '3', '0.5'][random.below(3)]!)
    const held = state.positions.get(ticker)?.qty
    world.quotes.set(ticker, world.quotes.get(ticker)!.dividedBy(ratio).rounded(2))
    if (held) {
      state.act([
        { type: 'SPLIT', symbol: ticker, qty: String(held.negated()) },
        { type: 'SPLIT', symbol: ticker, qty: String(held.times(ratio)) },
      ])
      book.split(ticker, ratio)
    }
    did(account, 'split')
  }
  if (random.below(25) === 0) {
    const amount = decimal(100 + random.below(900))
    state.book('CSD', String(amount))
    book.rest.cash = book.rest.cash.plus(amount)
    did(account, 'deposit')
  }
  if (random.below(40) === 0 && !isKept) {
    const amount = decimal(100 + random.below(5_000))
    state.book('CSW', String(amount.negated()))
    book.rest.cash = book.rest.cash.minus(amount)
    did(account, 'withdrawal at the broker')
  }
  if (account.haltedUntil < session && random.below(30) === 0) {
    account.haltedUntil = session + random.below(3)
    state.halted.add(ticker)
    did(account, `halt of ${ticker}`)
  }
  const fault = random.below(40)
  if (fault === 0) {
    state.wrongPrices.set(ticker, world.quotes.get(ticker)!.times(decimal('0.5')))
    did(account, `wrong price of ${ticker}`)
  } else if (fault === 1) {
    world.signalService.failure = new Problem('conflict', 'deployment.stale-data', `${ticker} has no bar of today.`)
    did(account, 'late prices')
  } else if (fault === 2) {
    stage.isAway = true
    did(account, 'broker away')
  } else if (fault === 3) {
    stage.clockSkew = (random.below(2) === 0 ? -1 : 1) * random.below(90) * 1_000
    did(account, 'clock skew')
  }
}

/** What happens while orders are on their way. */
function disturb(account: Account, beat: number, did: Beginning['did']): void {
  const { stage, random } = account
  if (random.below(12) === 0) {
    const fault = PLACE_FAULTS[random.below(PLACE_FAULTS.length)]!
    stage.placeFaults.push(fault)
    did(account, fault)
  }
  stage.tellsFillsTimes = 1 + (random.below(4) === 0 ? 1 : 0)
  stage.hidesFills = random.below(12) === 0
  stage.holdsFills = random.below(12) === 0
  stage.quoteAge = random.below(20) === 0 ? 10 * MINUTE : 0
  // Half of the time what was late comes within the time of the run.
  if (beat === 4 && random.below(2) === 0) {
    account.world.signalService.failure = undefined
    stage.isAway = false
    stage.standIn.account.wrongPrices.clear()
  }
}

/** What lasts for a moment only is over. */
function settleMarket({ stage, random, book, world, faults }: Account): void {
  Object.assign(stage, { hidesFills: false, holdsFills: false, quoteAge: 0, tellsFillsTimes: 1 })
  stage.placeFaults.length = 0
  stage.trade()
  book.read(stage)
  if (random.below(25) > 0) return
  const ticker = TICKERS[random.below(TICKERS.length)]!
  const held = stage.standIn.account.positions.get(ticker)?.qty
  const spare = stage.standIn.account.cash.toNumber()
  if (held && random.below(2) === 0) {
    void stage.tradeByHand('sell', ticker, String(held.times(decimal('0.25')).rounded(4)))
    faults.push(`hand sale of ${ticker}`)
  } else if (spare > 2 * world.quotes.get(ticker)!.toNumber() && book.rest.cash.toNumber() > spare / 2) {
    void stage.tradeByHand('buy', ticker, '1')
    faults.push(`hand purchase of ${ticker}`)
  }
}

/** All that lasted for sessions is over. */
function calm({ stage, world }: Account): void {
  const { account } = stage.standIn
  account.halted.clear()
  account.wrongPrices.clear()
  Object.assign(stage, { isAway: false, clockSkew: 0, hidesFills: false, holdsFills: false, quoteAge: 0 })
  world.signalService.failure = undefined
}

interface Acceptance {
  readonly deps: LiveDeps
  readonly isKept: boolean
  readonly startedAt: Date
  readonly broken: string[]
  readonly session: number
}

/** A difference must have been said before its user accepts the broker's figures. */
async function acceptDifferences(account: Account, { deps, isKept, broken, session }: Acceptance): Promise<void> {
  const { world, id, book, stage } = account
  if (account.haltedUntil === session) stage.standIn.account.halted.clear()
  stage.standIn.account.wrongPrices.clear()
  world.signalService.failure = undefined
  stage.clockSkew = 0
  const state = await world.deps.database.books.state(world.accountId)
  if (!state?.disagreement || isKept) return
  const inbox = await ownInbox(createAlertInbox(world.database.database), world.userId)
  if (!inbox.some(({ kind, endedAt }) => kind === 'disagreement' && endedAt === null))
    broken.push(`account ${world.accountId}, session ${session}: a difference was not said: ${state.disagreement}`)
  try {
    await acceptBroker(deps, world.userId, id, true)
    book.accept((ticker) => world.quotes.get(ticker)!)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
}

/** Where the program's books are not the independent ones, to the cent and to the share. */
async function differences({ world, book, id, stage }: Account): Promise<string[]> {
  const state = await world.deps.database.books.state(world.accountId)
  if (state?.disagreement) return []
  const books = await world.deps.database.books.books(world.accountId)
  const found: string[] = []
  for (const [name, expected] of [
    [partyOf(id), book.own],
    ['unallocated' as const, book.rest],
  ] as const) {
    const { cash, positions } = books.get(name) ?? {
      cash: Decimal.zero,
      positions: new Map<string, Decimal>(),
    }
    const cents = cash.minus(expected.cash)
    if (!cents.absolute().isBelow(decimal('0.02')))
      found.push(`${name} has $${String(cash.rounded(2))}, not $${String(expected.cash.rounded(2))}`)
    for (const ticker of new Set([...positions.keys(), ...expected.positions.keys()])) {
      const [has, should] = [positions.get(ticker) ?? Decimal.zero, expected.positions.get(ticker) ?? Decimal.zero]
      if (!has.minus(should).absolute().isBelow(decimal('0.00001')))
        found.push(`${name} has ${String(has)} ${ticker}, not ${String(should)}`)
    }
  }
  const cash = book.own.cash.plus(book.rest.cash).minus(stage.standIn.account.cash)
  if (!cash.absolute().isBelow(decimal('0.02'))) found.push(`the campaign's own book is off by $${String(cash)}`)
  return found
}

function weightsOf({ book, world }: Account): ReadonlyMap<string, number> {
  const priceOf = (ticker: string) => world.quotes.get(ticker)!
  const value = book.valueOf(priceOf).toNumber()
  return new Map(
    TICKERS.map((ticker) => [
      ticker,
      (book.own.positions.get(ticker) ?? Decimal.zero).times(priceOf(ticker)).toNumber() / value,
    ]),
  )
}

/** What is not held as decided must be said; more than was decided was bought twice. */
async function gapsUnsaid(
  account: Account,
  {
    before,
    decidedAt,
    deps,
  }: { readonly before: ReadonlyMap<string, number>; readonly decidedAt: Date; readonly deps: LiveDeps },
): Promise<string[]> {
  const { world, id } = account
  const now = weightsOf(account)
  const targets = world.signalService.percentages
  const gaps = TICKERS.filter((ticker) => Math.abs(now.get(ticker)! - targets[ticker]! / 100) > TOLERATED_GAP)
  const found: string[] = []
  for (const ticker of TICKERS) {
    const most = Math.max(before.get(ticker)!, targets[ticker]! / 100)
    if (now.get(ticker)! > most + 0.05 && !account.faults.some((one) => one.startsWith('hand')))
      found.push(`holds ${(now.get(ticker)! * 100).toFixed(1)}% ${ticker}, more than it had or wanted (${most * 100}%)`)
  }
  if (gaps.length === 0 || account.faults.some((one) => one.startsWith('hand'))) return found
  const { health } = await deploymentOverview(deps, world.userId, id)
  const inbox = await ownInbox(createAlertInbox(world.database.database), world.userId)
  const isSaid = inbox.some(
    ({ endedAt, openedAt }) => endedAt === null || openedAt >= decidedAt || endedAt >= decidedAt,
  )
  if (health.light === 'green' && !isSaid) {
    const what = gaps.map((ticker) => `${ticker} ${(now.get(ticker)! * 100).toFixed(1)}% of ${targets[ticker]}%`)
    const said = (await activityOf(world, id)).slice(0, 6).join(' | ')
    found.push(`not as decided, and nothing says so: ${what.join(', ')}. Activity: ${said}`)
  }
  return found
}

/** Orders of ours: each is known, none is there twice, all is booked. */
async function orderFaults({ world, stage }: Account): Promise<string[]> {
  const orders = (await stage.ordersTaken()).filter(({ clientOrderId }) => clientOrderId.startsWith('tw-'))
  const intents = await world.database.database
    .selectFrom('order_intents')
    .selectAll()
    .where('account_id', '=', world.accountId)
    .execute()
  const known = new Map(intents.map((intent) => [intent.client_order_id, intent]))
  const found: string[] = []
  if (new Set(orders.map(({ clientOrderId }) => clientOrderId)).size !== orders.length)
    found.push('an order was sent twice')
  for (const order of orders) {
    const intent = known.get(order.clientOrderId)
    // After a restore the broker is not asked for what ended without an execution.
    const hasMattered = order.filledQuantity.isPositive || order.state === 'accepted' || order.state === 'pending'
    if (!intent && !hasMattered) continue
    if (!intent) found.push(`${order.clientOrderId} is not in the journal`)
    else if (intent.state !== order.state || !decimal(intent.booked_quantity).equals(order.filledQuantity))
      found.push(
        `${order.clientOrderId} is ${intent.state} with ${intent.booked_quantity}, not ${order.state} with ${String(order.filledQuantity)}`,
      )
  }
  return found
}
