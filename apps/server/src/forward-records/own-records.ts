import {
  type ChainEntry,
  RECORD_FORMAT,
  RECORD_VERSION,
  type RecordFile,
  verifyRecord,
} from '@tradewright/core/forward-record'
import { Problem } from '@tradewright/core/problem'
import { DAY, epochDayOf } from '@tradewright/core/time'
import { type Calibration, calibrationOf } from '@tradewright/engine/performance/calibration'
import { hash } from 'node:crypto'
import type { AttemptCounters } from '../auth/ports.ts'
import { network } from '../auth/network.ts'
import { hashSecret, looksLikeSecret, newSecret } from '../auth/secret.ts'
import { tooMany } from '../auth/throttle.ts'
import { findDeployment } from '../live-trading/control.ts'
import { dataChoiceOf, type Deployment, requestFor } from '../live-trading/deployment.ts'
import type { LiveDeps } from '../live-trading/deps.ts'
import type { ChainState, ForwardRecord, RecordEntry } from './ports.ts'

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

/** Begins to write down each decision with the decision itself. Written down is from now on; nothing is added for before. */
export async function openRecord(deps: RecordDeps, userId: number, deploymentId: number): Promise<void> {
  const { name, strategyName, strategyType, isPaper } = await findDeployment(deps, userId, deploymentId)
  const at = deps.clock.now()
  const header = JSON.stringify({
    format: RECORD_FORMAT,
    version: RECORD_VERSION,
    name,
    strategy: strategyName,
    strategy_type: strategyType,
    is_paper: isPaper,
    created_at: at.toISOString(),
  })
  await deps.database.records.open(deploymentId, header, at)
}

export async function closeRecord(deps: RecordDeps, userId: number, deploymentId: number): Promise<void> {
  await findDeployment(deps, userId, deploymentId)
  if (!(await deps.database.records.close(deploymentId))) throw missing()
}

/** Undefined where it has none. Outcomes that are known by now are looked up first. */
export async function ownRecord(
  deps: RecordDeps,
  userId: number,
  deploymentId: number,
  signal: AbortSignal,
): Promise<RecordView | undefined> {
  const deployment = await findDeployment(deps, userId, deploymentId)
  const record = await deps.database.records.find(deploymentId)
  if (!record) return undefined
  await settleOutcomes(deps, deployment, record, signal)
  return viewOf(deps, record)
}

export async function recordFile(deps: RecordDeps, userId: number, deploymentId: number): Promise<RecordFile> {
  await findDeployment(deps, userId, deploymentId)
  const record = await deps.database.records.find(deploymentId)
  if (!record) throw missing()
  return fileOf(deps, record)
}

export async function shareRecord(deps: RecordDeps, userId: number, deploymentId: number, days: number) {
  await findDeployment(deps, userId, deploymentId)
  const record = await deps.database.records.find(deploymentId)
  if (!record) throw missing()
  const token = newSecret()
  const expiresAt = new Date(deps.clock.now().getTime() + days * DAY)
  await deps.database.records.setLink(record.id, { tokenHash: hashSecret(token), expiresAt })
  return { token, expiresAt }
}

export async function unshareRecord(deps: RecordDeps, userId: number, deploymentId: number): Promise<void> {
  await findDeployment(deps, userId, deploymentId)
  const record = await deps.database.records.find(deploymentId)
  if (!record?.linkExpiresAt) throw missing()
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
async function settleOutcomes(
  deps: RecordDeps,
  deployment: Deployment,
  record: ForwardRecord,
  signal: AbortSignal,
): Promise<void> {
  const open = await deps.database.records.unsettled(record.id, SETTLED_AT_ONCE)
  const [first] = open
  if (!first) return
  try {
    const request = requestFor(deployment, deps.clock.now().getTime())
    const from = Math.max(request.from, epochDayOf(first.bar) - LOOK_BACK_DAYS)
    const outcomes = await deps.signalService.outcomes(
      {
        userId: deployment.userId,
        ...dataChoiceOf(deployment.strategy),
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
    deps.log.warn({ err: error, deploymentId: deployment.id }, 'outcomes of a forward record could not be looked up')
  }
}

const missing = () => new Problem('missing', 'record.missing', 'This deployment has no forward record.')
