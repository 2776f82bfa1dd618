import * as contract from '@tradewright/contract/factors'
import { formatDate } from '@tradewright/core/time'
import { plainLine } from '@tradewright/core/plain-line'
import type { FactorReport } from '@tradewright/engine/backtest/factor-report'
import { importFactorFile, type ListedFactorFile, removeFactorFile } from '../../backtests/factors/factor-files.ts'
import { type RegressDeps, regressResult } from '../../backtests/factors/regress-result.ts'
import type { CountedWork } from '../../jobs/run-limit.ts'
import { withUpload } from '../input/receive-upload.ts'
import { disconnectSignal } from '../server/client-disconnect.ts'
import type { Handle } from '../server/handle.ts'

interface Deps extends RegressDeps {
  readonly counted: CountedWork
  readonly uploadFolder: string
}

const TIME_LIMIT_MS = 2 * 60_000
const DEFAULT_NAME = 'Factors'
const FORM = { fields: contract.FactorFileFields, file: 'file', maxBytes: contract.FACTOR_FILE_MAX_BYTES }

export function serveFactors(handle: Handle, deps: Deps): void {
  const limited = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(TIME_LIMIT_MS)])
  handle(contract.listFactorFiles, async ({ user }) => ({
    files: (await deps.factorFiles.list(user.id)).map(fileToWire),
  }))
  handle(contract.importFactorFile, async ({ user, request, reply }) => {
    const signal = limited(disconnectSignal(reply))
    return withUpload(request, deps.uploadFolder, FORM, async (path, { name }) => {
      const told = plainLine(name ?? '', 80)
      const asked = { path, name: told === '' ? DEFAULT_NAME : told, signal }
      const file = await deps.counted(user.id, () => importFactorFile(deps, user.id, asked))
      return { success: true as const, file: fileToWire(file) }
    })
  })
  handle(contract.deleteFactorFile, async ({ user, params }) => {
    await removeFactorFile(deps, user.id, params.id)
    return { success: true as const }
  })
  handle(contract.regressOnFactors, async ({ user, params, body, reply }) => {
    const signal = limited(disconnectSignal(reply))
    const { series, file, ticker, window_months: windowMonths } = body
    const asked = { backtestId: params.id, series, file, ticker, windowMonths }
    const { report, isSynthetic } = await deps.counted(user.id, () => regressResult(deps, user.id, asked, signal))
    if ('notAvailable' in report) return { regression: null, not_available: report.notAvailable }
    return { regression: reportToWire(report, isSynthetic), not_available: null }
  })
}

const fileToWire = ({ factors, from, to, createdAt, ...file }: ListedFactorFile): contract.FactorFile => ({
  ...file,
  factors: [...factors],
  start_date: formatDate(from),
  end_date: formatDate(to),
  created_at: createdAt.toISOString(),
})

type Term = FactorReport['alpha']
const termToWire = ({ coefficient, error, t, pValue }: Term) => ({ coefficient, error, t, p_value: pValue })

function reportToWire(report: FactorReport, synthetic: boolean): contract.FactorRegression {
  const { rolling } = report
  const hasRolling = !('notAvailable' in rolling)
  return {
    frequency: report.frequency,
    start_date: formatDate(report.from),
    end_date: formatDate(report.to),
    n: report.n,
    lags: report.lags,
    r_squared: report.rSquared,
    adjusted_r_squared: report.adjustedRSquared,
    alpha: termToWire(report.alpha),
    loadings: report.loadings.map(({ name, unit, ...term }) => Object.assign(termToWire(term), { name, unit })),
    residual_volatility: report.residualVolatility,
    risk_free: report.riskFree,
    rolling: hasRolling
      ? {
          dates: rolling.days.map(formatDate),
          alpha: [...rolling.alpha],
          loadings: rolling.loadings.map((values) => [...values]),
        }
      : null,
    rolling_note: hasRolling ? null : rolling.notAvailable,
    synthetic,
  }
}
