import * as contract from '@tradewright/contract/forward-records'
import { RECORD_MAX_BYTES, RECORD_PROVES } from '@tradewright/core/forward-record'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { Problem } from '@tradewright/core/problem'
import { formatDate } from '@tradewright/core/time'
import type { RunDeps } from '../../backtests/execute-run.ts'
import {
  closeRecord,
  fileOf,
  openRecord,
  ownRecord,
  type RecordDeps,
  recordFile,
  type RecordView,
  sharedRecord,
  shareRecord,
  unshareRecord,
  viewOf,
} from '../../forward-records/own-records.ts'
import type { ForwardRecord } from '../../forward-records/ports.ts'
import { withUpload } from '../input/receive-upload.ts'
import { disconnectSignal } from '../server/client-disconnect.ts'
import type { Handle } from '../server/handle.ts'
import { limitConcurrency, turnsPerUser } from '../../turn-queue.ts'

const success = true as const
/** Missed sessions of a view. */
const MAX_MISSED = 200
const FORM = { fields: z.object({}), file: 'file', maxBytes: RECORD_MAX_BYTES }

interface Deps extends RecordDeps, Pick<RunDeps, 'compute'> {
  readonly uploadFolder: string
}

const SUBJECTS = [
  {
    of: 'deployment',
    routes: {
      get: contract.getRecord,
      open: contract.openRecord,
      close: contract.closeRecord,
      file: contract.getRecordFile,
      share: contract.shareRecord,
      unshare: contract.unshareRecord,
    },
  },
  {
    of: 'strategy',
    routes: {
      get: contract.getStrategyRecord,
      open: contract.openStrategyRecord,
      close: contract.closeStrategyRecord,
      file: contract.getStrategyRecordFile,
      share: contract.shareStrategyRecord,
      unshare: contract.unshareStrategyRecord,
    },
  },
] as const

export function serveRecords(handle: Handle, deps: Deps): void {
  const turns = turnsPerUser(2)
  for (const { of, routes } of SUBJECTS) {
    handle(routes.get, async ({ user, params, reply }) => {
      const signal = disconnectSignal(reply)
      const view = await turns(user.id, () => ownRecord(deps, { of, userId: user.id, id: params.id }, signal))
      return {
        success,
        record: view ? toWire(view) : null,
        link_expires_at: view?.record.linkExpiresAt?.toISOString() ?? null,
      }
    })
    handle(routes.open, async ({ user, params }) => {
      await openRecord(deps, { of, userId: user.id, id: params.id })
      return { success }
    })
    handle(routes.close, async ({ user, params }) => {
      await closeRecord(deps, { of, userId: user.id, id: params.id })
      return { success }
    })
    handle(routes.file, async ({ user, params, reply }) => {
      const file = await recordFile(deps, { of, userId: user.id, id: params.id })
      void reply.header('content-disposition', `attachment; filename="record-${params.id}.json"`)
      return { ...file, entries: [...file.entries] }
    })
    handle(routes.share, async ({ user, params, body }) => {
      const { token, expiresAt } = await shareRecord(deps, { of, userId: user.id, id: params.id }, body.days)
      return { success, token, expires_at: expiresAt.toISOString() }
    })
    handle(routes.unshare, async ({ user, params }) => {
      await unshareRecord(deps, { of, userId: user.id, id: params.id })
      return { success }
    })
  }
  // All visitors share these places: each reads a whole chain, and holds one of the connections to the database.
  const visits = limitConcurrency(4, 40)
  const shared = async (token: string, request: FastifyRequest) => sharedRecord(deps, token, request.ip)
  handle(contract.getSharedRecord, async ({ params, request, reply }) => {
    void reply.header('x-robots-tag', 'noindex')
    const record = await shared(params.token, request)
    return {
      success,
      record: toWire(await visits.run(() => viewOf(deps, record))),
      expires_at: record.linkExpiresAt!.toISOString(),
    }
  })
  handle(contract.getSharedRecordFile, async ({ params, request, reply }) => {
    void reply.header('x-robots-tag', 'noindex').header('content-disposition', 'attachment; filename="record.json"')
    const record = await shared(params.token, request)
    const file = await visits.run(() => fileOf(deps, record))
    return { ...file, entries: [...file.entries] }
  })
  handle(contract.verifyRecordFile, async ({ user, request, reply }) =>
    withUpload(request, deps.uploadFolder, FORM, (path) =>
      turns(user.id, async () => {
        const options = { owner: String(user.id), signal: disconnectSignal(reply) }
        const verdict = await deps.compute.run('live-trading/verify-record', { path }, options)
        const { isWhole, entries, head, firstBad, sentence } = verdict
        return {
          success,
          is_whole: isWhole,
          entries,
          head,
          first_bad: firstBad,
          verdict: sentence,
          proves: RECORD_PROVES,
        }
      }),
    ),
  )
}

const Header = z.object({
  name: z.string(),
  strategy: z.string(),
  strategy_type: z.string(),
  is_paper: z.boolean(),
})
const Content = z.object({
  at: z.string(),
  signal: z.string(),
  weights: z.record(z.string(), z.number()),
  missed: z.array(z.string()).default([]),
})

function scheduleOf({ schedule }: ForwardRecord, entries: RecordView['entries']): contract.RecordView['schedule'] {
  if (!schedule) return null
  const { nextSession, dueAt, missed, problem } = schedule
  const named = entries.flatMap(({ content }) => Content.safeParse(jsonOf(content)).data?.missed ?? [])
  return {
    next_session: formatDate(nextSession),
    due_at: dueAt.toISOString(),
    missed: [...named, ...missed.map(formatDate)].slice(-MAX_MISSED),
    problem,
  }
}

function toWire({ record, entries, head, chain, calibration }: RecordView): contract.RecordView {
  return {
    ...headerOf(record.header),
    created_at: record.createdAt.toISOString(),
    is_open: record.isOpen,
    schedule: scheduleOf(record, entries),
    entry_count: chain.count,
    imported_entries: record.importedEntries,
    first_bad: chain.firstBad,
    head,
    entries: entries.toReversed().flatMap(({ seq, content, probability, hash, happened }) => {
      const read = Content.safeParse(jsonOf(content))
      if (!read.success) return []
      const { at, signal, weights } = read.data
      // One that was changed beyond reading is told by `first_bad`.
      return [{ seq, at, signal, weights, probability, hash, happened }]
    }),
    predicts: chain.predicts,
    calibration: calibration
      ? {
          count: calibration.count,
          brier: calibration.brier,
          bins: calibration.bins.map(({ saidMean, happenedShare, ...bin }) => ({
            ...bin,
            said: saidMean,
            happened: happenedShare,
          })),
        }
      : null,
    proves: RECORD_PROVES,
  }
}

function headerOf(text: string): z.infer<typeof Header> {
  const header = Header.safeParse(jsonOf(text))
  if (header.success) return header.data
  throw new Problem('conflict', 'record.damaged', 'The header of this record was changed and cannot be read.')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
