import type { Clock } from '@tradewright/core/clock'
import { PRICE_INDEXES } from '@tradewright/engine/backtest/inflation'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import { requiredSeries } from '@tradewright/engine/backtest/required-series'
import type { StoredSignals } from '@tradewright/engine/robustness/prepare'
import { z } from 'zod'
import { defineJobKind } from '../../jobs/job-kind.ts'
import { portable, type RunDeps } from '../execute-run.ts'
import { fetchRequired } from '../market-data-for.ts'
import type { BacktestReport } from '../report.ts'
import { type BacktestReader, findBacktest } from '../saved-backtests.ts'

const Order = z.object({ backtestId: z.int(), seed: z.int() })

export const robustnessJob = { kind: 'robustness', input: Order } as const

const ATTEMPTS = 2
const FRACTION_FETCHED = 0.1
/** The month of a price index is needed before the run begins. */
const INDEX_LEAD_DAYS = 70

interface RobustnessDeps extends RunDeps, BacktestReader {
  readonly clock: Clock
}

export const robustnessJobKind = (deps: RobustnessDeps) =>
  defineJobKind({
    ...robustnessJob,
    attemptLimit: ATTEMPTS,
    async run({ userId, signal, report }, { backtestId, seed }): Promise<{ backtestId: number }> {
      const begun = deps.clock.now().getTime()
      report({ fraction: 0, note: 'Fetching prices' })
      const { report: kept } = await findBacktest(deps, userId, backtestId)
      const { request, provider } = kept.order
      const plan = planBacktest(request)
      const { from, to } = plan.settings
      // Withdrawals keep their value where consumer prices are at hand, whatever the run was reported in.
      const indexes = PRICE_INDEXES.map((symbol) => ({
        symbol,
        from: from - INDEX_LEAD_DAYS,
        to,
        isEssential: false,
        purpose: 'rates' as const,
      }))
      const access = { userId, provider, source: deps.source, signal }
      const fetched = await fetchRequired([...requiredSeries(plan), ...indexes], plan.settings, access)
      signal.throwIfAborted()
      const { data, buffers } = portable(fetched.data)
      report({ fraction: FRACTION_FETCHED, note: 'Waiting for a free thread' })
      const { board, fingerprint, digests } = await deps.compute.run(
        'backtests/robustness',
        { request, data, signals: signalsOf(kept), seed },
        {
          owner: String(userId),
          signal,
          transfer: buffers,
          onProgress: (fraction, note = '') =>
            report({ fraction: FRACTION_FETCHED + (1 - FRACTION_FETCHED) * fraction, note }),
        },
      )
      signal.throwIfAborted()
      const now = deps.clock.now()
      await deps.backtests.saveBoard(userId, backtestId, {
        board,
        fingerprint,
        changedSeries: kept.digest ? changedSince(kept.digest.series, digests) : null,
        computedAt: now.toISOString(),
        seconds: (now.getTime() - begun) / 1000,
      })
      return { backtestId }
    },
  })

/** What the model predicted, as columns: stored lists have null for "no value". */
function signalsOf({ result }: BacktestReport): StoredSignals | undefined {
  const { ml, curve } = result
  if (!ml) return undefined
  return {
    timestamps: Float64Array.from(curve.timestamps, (stamp) => stamp ?? Number.NaN),
    signals: Int8Array.from(ml.signals, (signal) => signal ?? -1),
    probabilities: Float64Array.from(ml.probabilities, (probability) => probability ?? Number.NaN),
  }
}

type Digests = readonly { readonly ticker: string; readonly sha256: string }[]

function changedSince(before: Digests, now: Digests): string[] {
  const known = new Map(now.map(({ ticker, sha256 }) => [ticker, sha256]))
  return before.flatMap(({ ticker, sha256 }) => (known.get(ticker) === sha256 ? [] : [ticker]))
}
