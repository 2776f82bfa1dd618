import { isIntraday } from '@tradewright/core/granularity'
import { Decimal } from '@tradewright/core/decimal'
import { Problem, sentenceFor } from '@tradewright/core/problem'
import { dayStamp, type EpochDay, epochDayOf, formatDate, MINUTE } from '@tradewright/core/time'
import { tradedAs, tradingWeights } from '@tradewright/engine/live/trading-weights'
import { nyse } from '@tradewright/engine/market/trading-calendar'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { dataChoiceOf, type RunnableStrategy } from '../live-trading/deployment.ts'
import type { LiveDeps } from '../live-trading/deps.ts'
import { withKnownSignals } from '../live-trading/signals/known-signals.ts'
import { namedTickers } from '../live-trading/traded-tickers.ts'
import { Poller } from '../poller.ts'
import type { ForwardRecord, RecordSchedule, StrategyDecision, RecordModel } from './ports.ts'
import { hasWalkForward } from '../live-trading/retraining/recipe.ts'

type Deps = Pick<LiveDeps, 'database' | 'signalService' | 'clock' | 'log' | 'signal'>

/** Providers need a while until they have the bar of a session. */
const BAR_DELAY_MS = 20 * MINUTE
const RETRY_MS = 10 * MINUTE
const POLL_INTERVAL_MS = MINUTE
/** A process that took a record and ended leaves it to another after this. */
const TAKEN_MS = 30 * MINUTE
const TAKEN_AT_ONCE = 5
/** Days that are named; of more, the oldest are. */
const MAX_MISSED = 1_000
const NOT_RUN = 'The program did not run between the close and the next open.'

const dueFor = (session: EpochDay): Date => new Date(nyse.closeOf(session) + BAR_DELAY_MS)
/** When the next bar begins, and with it the outcome. */
const endsAt = (session: EpochDay): number => nyse.openOf(nyse.nextSession(session))

const from = (session: EpochDay): Pick<RecordSchedule, 'nextSession' | 'dueAt'> => ({
  nextSession: session,
  dueAt: dueFor(session),
})

/** The first session that closes after an instant: one that has closed before is not decided on afterwards. */
export function scheduleFrom(at: Date): Pick<RecordSchedule, 'nextSession' | 'dueAt'> {
  const today = epochDayOf(at.getTime())
  const isAhead = nyse.isSession(today) && nyse.closeOf(today) > at.getTime()
  return from(isAhead ? today : nyse.nextSession(today))
}

/** What cannot be written down once a session is refused before the record begins. */
export function refuseUnrecordable({ request }: RunnableStrategy): void {
  if (!isIntraday(request.granularity)) return
  const sentence =
    'A saved strategy is recorded once a day, and this one decides intraday. Deploy it as a dry run and begin the record there.'
  throw new Problem('invalid', 'record.intraday', sentence)
}

/**
 * Decides on the newest bar for a saved strategy, by the functions of backtests and deployments, and writes it down before
 * the next bar begins. Later it is too late: the session is named as missed, and never filled in.
 */
export async function recordDecision(deps: Deps, record: ForwardRecord): Promise<void> {
  const { schedule } = record
  if (!schedule) return
  const now = deps.clock.now()
  const passed = passedSessions(schedule.nextSession, now.getTime())
  if (passed.length > 0) {
    const next = from(nyse.nextSession(passed.at(-1)!))
    const missed = [...schedule.missed, ...passed].slice(0, MAX_MISSED)
    // What was in the way was in the way of the first of them; after it the program did not run at all.
    const problem = passed.length === 1 ? (schedule.problem ?? NOT_RUN) : NOT_RUN
    await deps.database.records.reschedule(record.id, schedule.nextSession, { ...next, missed, problem })
    return
  }
  const session = schedule.nextSession
  try {
    const decided = await decide(deps, record, schedule.strategy, now)
    if (decided.signal.dataAsOf! < dayStamp(session)) {
      const newest = formatDate(epochDayOf(decided.signal.dataAsOf!))
      throw new Problem(
        'upstream',
        'record.no-bar',
        `The newest bar is from ${newest}; the bar of the session has not arrived yet.`,
      )
    }
    const decidedAt = deps.clock.now()
    // Computing takes its time: an entry that comes too late is none.
    if (decidedAt.getTime() >= endsAt(session)) return await retryLater(deps, record, 'The decision came too late.')
    const next = from(nyse.nextSession(session))
    await deps.database.transaction((stores) =>
      stores.records.appendStrategy(record.id, { ...decided, session, decidedAt, next }),
    )
  } catch (error) {
    if (deps.signal.aborted) return
    deps.log.warn({ err: error, recordId: record.id }, 'a decision of a saved strategy could not be written down')
    await retryLater(deps, record, sentenceFor(error))
  }
}

async function retryLater({ database, clock }: Deps, { id, schedule }: ForwardRecord, problem: string): Promise<void> {
  const { nextSession, missed } = schedule!
  const dueAt = new Date(clock.now().getTime() + RETRY_MS)
  await database.records.reschedule(id, nextSession, { nextSession, dueAt, missed, problem })
}

function passedSessions(first: EpochDay, now: number): EpochDay[] {
  const passed: EpochDay[] = []
  for (let session = first; endsAt(session) <= now && passed.length < MAX_MISSED; session = nyse.nextSession(session)) {
    passed.push(session)
  }
  return passed
}

async function decide(
  deps: Deps,
  record: ForwardRecord,
  strategy: RunnableStrategy,
  now: Date,
): Promise<Pick<StrategyDecision, 'signal' | 'synthetic' | 'model'>> {
  const { userId, strategyId } = record
  const at = now.getTime()
  const request = await withKnownSignals(
    deps.database,
    { userId, strategyId },
    { ...strategy.request, to: epochDayOf(at) },
    now,
    1,
  )
  const kept = await currentModels(deps, { record, strategy, request, now })
  const models = kept.map(({ window, after, bytes }) => ({ version: window, after: after?.getTime() ?? null, bytes }))
  const tickers = namedTickers({ strategy }).flatMap((ticker) => tradedAs(ticker, {})?.ticker ?? [])
  const { signal, prices } = await deps.signalService.signal(
    { userId, request, ...dataChoiceOf(strategy), models, at, tickers },
    deps.signal,
  )
  const closes = [...prices].filter(([ticker]) => tickers.includes(ticker))
  return {
    signal: {
      dataAsOf: signal.dataAsOf,
      prediction: signal.prediction ?? null,
      ...(signal.rules && { rules: signal.rules }),
      ...(signal.external && { external: signal.external }),
      weights: tradingWeights(signal.allocation, {}),
      closes: Object.fromEntries(closes.map(([ticker, price]) => [ticker, String(Decimal.fromNumber(price))])),
      fingerprint: signal.fingerprint,
    },
    synthetic: signal.synthetic,
    model: kept.find(({ window }) => window === signal.modelVersion)?.checksum,
  }
}

/** Decides for saved strategies with an open record. Several processes share the work. */
export class StrategyRecords extends Poller {
  readonly #deps: Deps

  constructor(deps: Deps) {
    super(POLL_INTERVAL_MS)
    this.#deps = deps
  }

  protected override async workOnce(): Promise<void> {
    const { database, clock, log } = this.#deps
    try {
      const now = clock.now()
      const due = await database.records.claimDue(now, new Date(now.getTime() + TAKEN_MS), TAKEN_AT_ONCE)
      for (const record of due) if (!this.isClosed) await recordDecision(this.#deps, record)
    } catch (error) {
      log.warn({ err: error }, 'forward records: the database cannot be reached, trying again')
    }
  }
}

type ModelDeps = Pick<LiveDeps, 'database' | 'signalService' | 'signal'>

/** A bar that should be there and is not is looked for again after this long. */
const RECHECK_MS = 15 * MINUTE

interface Training {
  readonly record: ForwardRecord
  readonly strategy: RunnableStrategy
  readonly request: BacktestRequest
  readonly now: Date
}

/**
 * The models that decide now and next, oldest first: of the walk-forward windows of the backtest, which go on, or one that
 * was trained on all that was known when the record began. A model is trained once and kept, as those of deployments are:
 * corrected data does not change it, and neither does a process that dies.
 */
export async function currentModels(deps: ModelDeps, training: Training): Promise<RecordModel[]> {
  const { record, strategy, now } = training
  if (!strategy.model) return []
  const { records } = deps.database
  const kept = await records.models(record.id)
  const newest = kept.at(-1)
  if (newest && (newest.nextAt === null || newest.nextAt > now)) return kept
  const trained = hasWalkForward(strategy) ? await nextWindow(deps, training, newest) : await onlyModel(deps, training)
  if (trained) await records.keepModel(record.id, trained)
  // Another process may have been faster: its model is the one that counts.
  return records.models(record.id)
}

/** Undefined while it is not due. */
async function nextWindow(
  { database, signalService, signal }: ModelDeps,
  { record, strategy, request, now }: Training,
  newest: RecordModel | undefined,
): Promise<RecordModel | undefined> {
  const at = now.getTime()
  const { model, nextAt } = await signalService.retrain(
    {
      userId: record.userId,
      ...dataChoiceOf(strategy),
      choice: strategy.model!,
      request,
      refit: {
        sizedTo: strategy.request.to,
        sizedOnRows: newest?.sizedOnRows ?? undefined,
        newest: newest?.window,
        at,
      },
    },
    signal,
  )
  if (!model) {
    const later = new Date(Math.max(nextAt, at + RECHECK_MS))
    if (newest) await database.records.postponeModel(record.id, newest.window, later)
    return undefined
  }
  const { number: window, sizedOnRows, after } = model.window
  const { bytes, checksum } = model
  return { window, sizedOnRows, after: new Date(after), bytes, checksum, nextAt: new Date(nextAt) }
}

async function onlyModel(
  { signalService, signal }: ModelDeps,
  { record, strategy, request }: Training,
): Promise<RecordModel> {
  const { bytes, checksum } = await signalService.train(
    {
      userId: record.userId,
      ...dataChoiceOf(strategy),
      choice: strategy.model!,
      request: { ...request, to: epochDayOf(record.createdAt.getTime()) },
      training: { mode: 'full_range' },
    },
    signal,
  )
  return { window: 0, sizedOnRows: null, after: null, bytes, checksum, nextAt: null }
}
