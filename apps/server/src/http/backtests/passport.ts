import * as contract from '@tradewright/contract/passports'
import { Problem } from '@tradewright/core/problem'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import type { ModelChoice } from '@tradewright/engine/models/model-choice'
import { z } from 'zod'
import { isIdentical, type PassportVerdict } from '../../backtests/passport/compare-passport.ts'
import type { Passport } from '../../backtests/passport/passport.ts'
import { passportOfRun, type PassportDeps, verifyPassport } from '../../backtests/passport/verify-passport.ts'
import type { CountedWork } from '../../jobs/run-limit.ts'
import { withUpload } from '../input/receive-upload.ts'
import { sentenceFor } from '../input/sentence.ts'
import { disconnectSignal } from '../server/client-disconnect.ts'
import type { Handle } from '../server/handle.ts'
import { turnsPerUser } from '../server/turns.ts'

interface Deps extends PassportDeps {
  readonly uploadFolder: string
  readonly counted: CountedWork
  readonly madeBy: contract.Passport['made_by']
}

const FORM = { fields: z.object({}), file: 'file', maxBytes: contract.PASSPORT_MAX_BYTES }
const TIME_LIMIT_MS = 10 * 60_000

export function servePassports(handle: Handle, deps: Deps): void {
  const turns = turnsPerUser(2)
  const limited = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)])

  handle(contract.getPassport, async ({ user, params, query, reply }) => {
    const signal = limited(disconnectSignal(reply))
    const asked = { userId: user.id, id: params.id, withRows: query.rows === 'true', signal }
    const passport = await turns(user.id, () => passportOfRun(deps, asked))
    void reply.header('content-disposition', `attachment; filename="passport-${params.id}.json"`)
    return toWire(passport, deps.madeBy)
  })

  handle(contract.verifyPassport, async ({ user, request, reply }) => {
    const signal = limited(disconnectSignal(reply))
    return withUpload(request, deps.uploadFolder, FORM, (path) =>
      turns(user.id, () =>
        deps.counted(user.id, async () => {
          const owner = String(user.id)
          const passport = toDomain(await deps.compute.run('backtests/read-passport', { path }, { owner, signal }))
          return verdictToWire(await verifyPassport(deps, user.id, passport, signal))
        }),
      ),
    )
  })
}

export const toWire = ({ request, model, series, result, account }: Passport, madeBy: contract.Passport['made_by']) =>
  ({
    format: contract.PASSPORT_FORMAT,
    version: contract.PASSPORT_VERSION,
    made_by: madeBy,
    request,
    model: model ?? null,
    series: series.map(({ data, ...digest }) => ({
      ...digest,
      ...(data && {
        data: {
          timestamps: data.timestamps,
          columns: data.columns,
          known_at: data.knownAt,
          actions: data.actions,
        },
      }),
    })),
    result,
    account: account ?? null,
  }) as contract.Passport

/**
 * A setting that the schema does not know would be left out of the file, and the run repeated without it: this does not
 * compile then.
 */
type UnknownSetting = Exclude<keyof BacktestRequest, keyof contract.Passport['request']>
type CompleteRequest = [UnknownSetting] extends [never] ? contract.Passport['request'] : UnknownSetting

const Envelope = z.object({ format: z.literal(contract.PASSPORT_FORMAT), version: z.number() })

/** Exported for programs that read a passport without the server. */
export function toDomain(json: unknown): Passport {
  const envelope = Envelope.safeParse(json)
  if (!envelope.success) throw refused('format', 'This file is no passport: it was not written by Tradewright.')
  if (envelope.data.version > contract.PASSPORT_VERSION) {
    const sentence = `This passport has version ${envelope.data.version}, and this program reads versions up to ${contract.PASSPORT_VERSION}. Update Tradewright to verify it.`
    throw refused('version', sentence)
  }
  const parsed = contract.Passport.safeParse(json)
  if (!parsed.success) throw refused('content', `This passport is damaged: ${sentenceFor(parsed.error)}`)
  const { request, model, series, result, account } = parsed.data
  return {
    // Names and types were checked by the schema, and `planBacktest` checks what they mean.
    request: request satisfies CompleteRequest as BacktestRequest,
    model: (model ?? undefined) as ModelChoice | undefined,
    series: series.map(seriesToDomain),
    result,
    account: account ?? undefined,
  }
}

function seriesToDomain({ data, ...digest }: contract.Passport['series'][number]): Passport['series'][number] {
  const known = digest as Omit<Passport['series'][number], 'data'>
  if (!data) return known
  const { timestamps, columns, known_at: knownAt, actions } = data
  return { ...known, data: { timestamps, columns, knownAt, actions } }
}

const refused = (code: string, sentence: string): Problem => new Problem('invalid', `passport.${code}`, sentence)

function verdictToWire(
  verdict: PassportVerdict & { ownDataProblem: string | undefined; usesOwnRows: boolean },
): contract.PassportVerdict {
  const { changed, data, figures, comparedFigures, comparedSeries, ownDataProblem, usesOwnRows } = verdict
  const identical = isIdentical(verdict)
  return {
    identical,
    verdict: verdictOf(identical, verdict),
    // Of the data first: other data makes other figures.
    differences: [...changed, ...(usesOwnRows && !identical ? data : []), ...figures],
    data_differences: [...data],
    notes: [
      `${comparedFigures.toLocaleString('en-US')} figures and columns and ${comparedSeries} series were compared.`,
      usesOwnRows
        ? 'The passport has no rows: it was run on the data of this instance.'
        : 'It was run on the rows of the passport.',
      ...(ownDataProblem === undefined
        ? []
        : [`The rows could not be compared with data of this instance: ${ownDataProblem}`]),
    ],
  }
}

function verdictOf(identical: boolean, { changed, data }: PassportVerdict): string {
  if (identical && data.length === 0) return 'Identical to the last bit'
  if (identical) return 'Identical to the last bit on the passport’s rows; the data of this instance differs'
  if (changed.length > 0) return 'The passport was changed after it was made'
  return data.length > 0 ? 'Not identical: the data differs' : 'Not identical'
}
