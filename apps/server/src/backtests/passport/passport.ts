import { Problem } from '@tradewright/core/problem'
import type { BacktestRequest } from '@tradewright/engine/backtest/request'
import type { ModelChoice } from '@tradewright/engine/models/settings'
import type { BacktestReport } from '../report.ts'
import type { PackedTable } from './packed-rows.ts'
import type { ResultDigest, SeriesDigest } from './run-digest.ts'

/** Longer curves are compared by their checksum alone. */
const MAX_ACCOUNT_VALUES = 20_000

/** What a result was computed from and came to, without anything about its owner. */
export interface Passport {
  readonly request: BacktestRequest
  readonly model: ModelChoice | undefined
  readonly series: readonly (SeriesDigest & { readonly data?: PackedTable | undefined })[]
  readonly result: ResultDigest
  /** At every bar, to name the first that differs; undefined where there are too many. */
  readonly account: { readonly days: readonly number[]; readonly values: readonly (number | null)[] } | undefined
}

/** The passport of a run that is stored; `rows` where they are to be in it. */
export function passportOf(report: BacktestReport, rows?: ReadonlyMap<string, PackedTable>): Passport {
  const { run, digest, result } = report
  if (!digest) {
    const sentence =
      'This result was made by an earlier version, which kept no checksums of its data. Run it again to get a passport.'
    throw new Problem('conflict', 'passport.earlier', sentence)
  }
  const { days, values } = result.curve
  return {
    request: run.request,
    model: run.model,
    series: digest.series.map((one) => ({ ...one, ...(rows && { data: rows.get(one.ticker) }) })),
    result: digest.result,
    account:
      values.length > MAX_ACCOUNT_VALUES
        ? undefined
        : { days: Array.from(days, Number), values: Array.from(values, (value) => value) },
  }
}
