import * as contract from '@tradewright/contract/passports'
import { z } from 'zod'
import { isIdentical, type PassportVerdict } from '../../backtests/passport/compare-passport.ts'
import type { Passport } from '../../backtests/passport/passport.ts'
import {
  passportOfRun,
  type PassportDeps,
  type Verification,
  verifyPassport,
} from '../../backtests/passport/verify-passport.ts'
import { sealOf } from '../../backtests/passport/seal.ts'
import type { CountedWork } from '../../jobs/run-limit.ts'
import { withUpload } from '../input/receive-upload.ts'
import { disconnectSignal } from '../server/client-disconnect.ts'
import type { Handle } from '../server/handle.ts'
import { turnsPerUser } from '../../turn-queue.ts'

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
          const passport = await deps.compute.run('backtests/read-passport', { path }, { owner, signal })
          return verdictToWire(await verifyPassport(deps, user.id, passport, signal))
        }),
      ),
    )
  })
}

export function toWire(
  { request, model, series, result, account }: Passport,
  madeBy: contract.Passport['made_by'],
): contract.Passport {
  // Sealed as it is sent: what the schema leaves out is in no file.
  const sealed = contract.SealedPart.parse({
    format: contract.PASSPORT_FORMAT,
    version: contract.PASSPORT_VERSION,
    made_by: madeBy,
    request,
    model: model ?? null,
    series: series.map(({ data, ...digest }) => ({
      ...digest,
      ...(data && { data: { parquet: data.parquet, has_known_at: data.hasKnownAt, actions: data.actions } }),
    })),
    result,
    account: account ?? null,
  })
  return { ...sealed, seal: sealOf(sealed) }
}

function verdictToWire(verdict: Verification): contract.PassportVerdict {
  const { changed, data, figures, comparedFigures, comparedSeries, ownDataProblem, usesOwnRows } = verdict
  const identical = isIdentical(verdict)
  return {
    identical,
    verdict: verdictOf(identical, verdict),
    // The data come first: other data make other figures.
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
