import * as contract from '@tradewright/contract/forward-records'
import { RECORD_MAX_BYTES, RECORD_PROVES } from '@tradewright/core/forward-record'
import { Problem } from '@tradewright/core/problem'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
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
import { withUpload } from '../input/receive-upload.ts'
import { disconnectSignal } from '../server/client-disconnect.ts'
import type { Handle } from '../server/handle.ts'
import { turnsPerUser } from '../server/turns.ts'

const success = true as const
const FORM = { fields: z.object({}), file: 'file', maxBytes: RECORD_MAX_BYTES }

interface Deps extends RecordDeps, Pick<RunDeps, 'compute'> {
  readonly uploadFolder: string
}

export function serveRecords(handle: Handle, deps: Deps): void {
  const turns = turnsPerUser(2)
  handle(contract.getRecord, async ({ user, params, reply }) => {
    const signal = disconnectSignal(reply)
    const view = await turns(user.id, () => ownRecord(deps, user.id, params.id, signal))
    return {
      success,
      record: view ? toWire(view) : null,
      link_expires_at: view?.record.linkExpiresAt?.toISOString() ?? null,
    }
  })
  handle(contract.openRecord, async ({ user, params }) => {
    await openRecord(deps, user.id, params.id)
    return { success }
  })
  handle(contract.closeRecord, async ({ user, params }) => {
    await closeRecord(deps, user.id, params.id)
    return { success }
  })
  handle(contract.getRecordFile, async ({ user, params, reply }) => {
    const file = await recordFile(deps, user.id, params.id)
    void reply.header('content-disposition', `attachment; filename="record-${params.id}.json"`)
    return { ...file, entries: [...file.entries] }
  })
  handle(contract.shareRecord, async ({ user, params, body }) => {
    const { token, expiresAt } = await shareRecord(deps, user.id, params.id, body.days)
    return { success, token, expires_at: expiresAt.toISOString() }
  })
  handle(contract.unshareRecord, async ({ user, params }) => {
    await unshareRecord(deps, user.id, params.id)
    return { success }
  })
  const shared = async (token: string, request: FastifyRequest) => sharedRecord(deps, token, request.ip)
  handle(contract.getSharedRecord, async ({ params, request, reply }) => {
    void reply.header('x-robots-tag', 'noindex')
    const record = await shared(params.token, request)
    return { success, record: toWire(await viewOf(deps, record)), expires_at: record.linkExpiresAt!.toISOString() }
  })
  handle(contract.getSharedRecordFile, async ({ params, request, reply }) => {
    void reply.header('x-robots-tag', 'noindex').header('content-disposition', 'attachment; filename="record.json"')
    const file = await fileOf(deps, await shared(params.token, request))
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
const Content = z.object({ at: z.string(), signal: z.string(), weights: z.record(z.string(), z.number()) })

function toWire({ record, entries, head, chain, calibration }: RecordView): contract.RecordView {
  return {
    ...headerOf(record.header),
    created_at: record.createdAt.toISOString(),
    is_open: record.isOpen,
    entry_count: chain.count,
    imported_entries: record.importedEntries,
    first_bad: chain.firstBad,
    head,
    entries: entries.toReversed().flatMap(({ seq, content, probability, hash, happened }) => {
      const read = Content.safeParse(jsonOf(content))
      // One that was changed beyond reading is told by `first_bad`.
      return read.success ? [{ seq, ...read.data, probability, hash, happened }] : []
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
