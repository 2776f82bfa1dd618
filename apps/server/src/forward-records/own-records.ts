import {
  type ChainEntry,
  RECORD_FORMAT,
  RECORD_VERSION,
  type RecordFile,
  verifyRecord,
} from '@tradewright/core/forward-record'
import { Problem } from '@tradewright/core/problem'
import { DAY, epochDayOf } from '@tradewright/core/time'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import { type Calibration, calibrationOf } from '@tradewright/engine/performance/forecast-skill'
import { hash } from 'node:crypto'
import type { AttemptCounters } from '../auth/ports.ts'
import { network } from '../auth/network.ts'
import { hashSecret, looksLikeSecret, newSecret } from '../auth/secret.ts'
import { tooMany } from '../auth/throttle.ts'
import { findDeployment } from '../live-trading/control.ts'
import { findRunnable } from '../live-trading/deploy/deployable-strategies.ts'
import { dataChoiceOf, requestFor, type RunnableStrategy } from '../live-trading/deployment.ts'
import type { LiveDeps } from '../live-trading/deps.ts'
import type { ChainState, ForwardRecord, RecordEntry, RecordSubject } from './ports.ts'
import { refuseUnrecordable, scheduleFrom } from './strategy-records.ts'

export interface RecordDeps extends LiveDeps {
  readonly counters: Pick<AttemptCounters, 'add'>
}

const sha256 = (text: string) => hash('sha256', text)
/** Asked about at a time; the rest follows at the next. */
const SETTLED_AT_ONCE = 1_000
/** Features and targets look back at most this far. */
const LOOK_BACK_DAYS = 800
const VIEWS_A_MINUTE = 60
const MINUTE_MS = 60_000

export interface RecordView {
  readonly record: ForwardRecord
  /** The newest, oldest first. */
  readonly entries: readonly RecordEntry[]
  readonly head: string
  readonly chain: ChainState
  /** Undefined where nothing is predicted, or the chain is broken. */
  readonly calibration: Calibration | undefined
}

/** Entries of a view. */
const SHOWN = 200

/** Records that a user may keep of saved strategies, each of which takes a compute thread once a day. */
const MAX_STRATEGY_RECORDS = 20

/** What is asked of a record, whichever has it. */
interface Recorded {
  /** Refuses a deployment or strategy that is not the user's. */
  readonly header: (deps: RecordDeps, userId: number, id: number) => Promise<HeaderFields>
  readonly subject: (id: number) => RecordSubject
  readonly missing: string
}

interface HeaderFields {
  readonly name: string
  readonly strategy: string
  readonly strategy_type: string
  readonly is_paper: boolean
  /**
   * Checksum of a saved strategy's settings as JSON, so that they can be compared with a copy; absent for a deployment.
   */
  readonly strategy_sha256?: string
}

const DEPLOYMENT: Recorded = {
  header: async (deps, userId, id) => {
    const { name, strategyName, strategyType, isPaper } = await findDeployment(deps, userId, id)
    return { name, strategy: strategyName, strategy_type: strategyType, is_paper: isPaper }
  },
  subject: (deploymentId) => ({ deploymentId }),
  missing: 'This deployment has no forward record.',
}

const STRATEGY: Recorded = {
  header: async (deps, userId, id) => {
    const strategy = await deps.strategies.find(userId, id)
    if (!strategy) throw new Problem('missing', 'strategy.missing', 'There is no such strategy.')
    const { name, type, config } = strategy
    const settings = sha256(JSON.stringify(config))
    return { name, strategy: name, strategy_type: type, is_paper: true, strategy_sha256: settings }
  },
  subject: (strategyId) => ({ strategyId }),
  missing: 'This strategy has no forward record.',
}

const recordedSubjects = { deployment: DEPLOYMENT, strategy: STRATEGY } as const
type RecordedSubject = keyof typeof recordedSubjects

interface OwnRecord {
  readonly of: RecordedSubject
  readonly userId: number
  readonly id: number
}

/** Begins to write down each decision with the decision itself. Written down is from now on; nothing is added for before. */
export async function openRecord(deps: RecordDeps, own: OwnRecord): Promise<void> {
  const { userId, id } = own
  const { header, subject } = recordedSubjects[own.of]
  const fields = await header(deps, userId, id)
  const at = deps.clock.now()
  const text = JSON.stringify({
    format: RECORD_FORMAT,
    version: RECORD_VERSION,
    ...fields,
    created_at: at.toISOString(),
  })
  if (own.of === 'deployment') return deps.database.records.open(userId, subject(id), { header: text, at })
  const { runnable } = await findRunnable(deps, userId, id)
  refuseUnrecordable(runnable)
  if ((await deps.database.records.openOfStrategies(userId)) >= MAX_STRATEGY_RECORDS) {
    const sentence = `${MAX_STRATEGY_RECORDS} saved strategies have an open record, which is the limit. End one of them first.`
    throw new Problem('conflict', 'record.limit', sentence)
  }
  const schedule = { strategy: runnable, ...scheduleFrom(at) }
  await deps.database.records.open(userId, subject(id), { header: text, at, schedule })
}

export async function closeRecord(deps: RecordDeps, own: OwnRecord): Promise<void> {
  const { header, subject } = recordedSubjects[own.of]
  await header(deps, own.userId, own.id)
  if (!(await deps.database.records.close(own.userId, subject(own.id)))) throw missing(own)
}

async function find(deps: RecordDeps, own: OwnRecord): Promise<ForwardRecord | undefined> {
  const { header, subject } = recordedSubjects[own.of]
  await header(deps, own.userId, own.id)
  return deps.database.records.find(own.userId, subject(own.id))
}

async function findOrRefuse(deps: RecordDeps, own: OwnRecord): Promise<ForwardRecord> {
  const record = await find(deps, own)
  if (!record) throw missing(own)
  return record
}

/** Undefined where it has none. Outcomes that are known by now are looked up first. */
export async function ownRecord(
  deps: RecordDeps,
  own: OwnRecord,
  signal: AbortSignal,
): Promise<RecordView | undefined> {
  const record = await find(deps, own)
  if (!record) return undefined
  await settleOutcomes(deps, record, signal)
  return viewOf(deps, record)
}

export const recordFile = async (deps: RecordDeps, own: OwnRecord): Promise<RecordFile> =>
  fileOf(deps, await findOrRefuse(deps, own))

export async function shareRecord(deps: RecordDeps, own: OwnRecord, days: number) {
  const record = await findOrRefuse(deps, own)
  const token = newSecret()
  const expiresAt = new Date(deps.clock.now().getTime() + days * DAY)
  await deps.database.records.setLink(record.id, { tokenHash: hashSecret(token), expiresAt })
  return { token, expiresAt }
}

export async function unshareRecord(deps: RecordDeps, own: OwnRecord): Promise<void> {
  const record = await find(deps, own)
  if (!record?.linkExpiresAt) throw missing(own)
  await deps.database.records.setLink(record.id, null)
}

/** Unknown, expired and revoked links cannot be told apart. */
export async function sharedRecord(deps: RecordDeps, token: string, address: string): Promise<ForwardRecord> {
  const now = deps.clock.now()
  const ends = new Date(now.getTime() + MINUTE_MS)
  const { attempts, windowEndsAt } = await deps.counters.add(`shared records ${network(address)}`, now, ends)
  if (attempts > VIEWS_A_MINUTE) throw tooMany('visits to shared records', windowEndsAt, now)
  const record = looksLikeSecret(token) ? await deps.database.records.shared(hashSecret(token), now) : undefined
  if (record) return record
  const sentence = 'There is no shared record at this address. The link may be mistyped, expired or revoked.'
  throw new Problem('missing', 'shared-record.missing', sentence)
}

export async function viewOf({ database }: RecordDeps, record: ForwardRecord): Promise<RecordView> {
  const { records } = database
  const [chain, entries] = await Promise.all([records.chain(record), records.newest(record.id, SHOWN)])
  return {
    record,
    entries,
    head: headOf(record, entries),
    chain,
    calibration:
      chain.predicts && chain.firstBad === null ? calibrationOf(await records.settled(record.id)) : undefined,
  }
}

export async function fileOf({ database }: RecordDeps, record: ForwardRecord): Promise<RecordFile> {
  const entries = await database.records.entries(record.id)
  return {
    format: RECORD_FORMAT,
    version: RECORD_VERSION,
    header: record.header,
    entries: entries.map(({ content, previous, hash: own }) => ({ content, previous, hash: own })),
    head: headOf(record, entries),
  }
}

export const verifyFile = (file: RecordFile) => verifyRecord(file, sha256)

const headOf = ({ header }: ForwardRecord, entries: readonly ChainEntry[]): string =>
  entries.at(-1)?.hash ?? sha256(header)

/** Looks up what became of predictions. What cannot be found now is looked up again. */
async function settleOutcomes(deps: RecordDeps, record: ForwardRecord, signal: AbortSignal): Promise<void> {
  const open = await deps.database.records.unsettled(record.id, SETTLED_AT_ONCE)
  const [first] = open
  if (!first) return
  try {
    const { strategy, request } = await decidedBy(deps, record)
    const from = Math.max(request.from, epochDayOf(first.bar) - LOOK_BACK_DAYS)
    const outcomes = await deps.signalService.outcomes(
      {
        userId: record.userId,
        ...dataChoiceOf(strategy),
        request: { ...request, from },
        bars: open.map(({ bar }) => bar),
      },
      signal,
    )
    const known = open.flatMap(({ seq }, i) => {
      const happened = outcomes[i]
      return happened === null || happened === undefined ? [] : [{ seq, happened }]
    })
    await deps.database.records.settle(record.id, known)
  } catch (error) {
    deps.log.warn({ err: error, recordId: record.id }, 'outcomes of a forward record could not be looked up')
  }
}

async function decidedBy(
  deps: RecordDeps,
  { userId, deploymentId, schedule }: ForwardRecord,
): Promise<{ strategy: RunnableStrategy; request: BacktestRequest }> {
  const now = deps.clock.now().getTime()
  if (schedule) {
    const { strategy } = schedule
    return { strategy, request: { ...strategy.request, to: epochDayOf(now) } }
  }
  const deployment = await findDeployment(deps, userId, deploymentId!)
  return { strategy: deployment.strategy, request: requestFor(deployment, now) }
}

const missing = (own: OwnRecord) => new Problem('missing', 'record.missing', recordedSubjects[own.of].missing)
