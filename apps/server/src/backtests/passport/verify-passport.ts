import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import type { MarketData } from '@tradewright/engine/backtest/market-data'
import { planBacktest } from '@tradewright/engine/backtest/plan'
import { SAMPLE_PROVIDER_ID } from '@tradewright/engine/market/sample/sample-provider'
import { AUTO_PROVIDER } from '../../market-data/series-for.ts'
import { portable, type RunDeps } from '../execute-run.ts'
import { marketDataFor } from '../market-data-for.ts'
import { type BacktestReader, findBacktest } from '../saved-backtests.ts'
import { checkDates } from '../validate-run.ts'
import { type PassportVerdict, withBroken } from './compare-passport.ts'
import { type Passport, passportOf } from './passport.ts'
import type { ReadPassport } from './read-passport.ts'

export interface PassportDeps extends RunDeps, BacktestReader {
  readonly clock: Clock
}

/**
 * The passport of a run that is stored. It has rows only while they are still the ones that the run was computed from.
 */
export async function passportOfRun(
  deps: PassportDeps,
  { userId, id, withRows, signal }: { userId: number; id: number; withRows: boolean; signal: AbortSignal },
): Promise<Passport> {
  const { report } = await findBacktest(deps, userId, id)
  const passport = passportOf(report)
  if (!withRows) return passport
  const { request, provider } = report.run
  const { data } = await marketDataFor(planBacktest(request), { userId, provider, source: deps.source, signal })
  const { data: moved, buffers } = portable(data)
  const owner = String(userId)
  const { digests, rows } = await deps.compute.run(
    'backtests/pack-rows',
    { data: moved },
    { owner, signal, transfer: buffers },
  )
  const now = new Map(digests.map(({ ticker, sha256 }) => [ticker, sha256]))
  const other = passport.series.find(({ ticker, sha256 }) => now.get(ticker) !== sha256)
  if (other) {
    const sentence = `The data of ${other.ticker} has changed since this run. Run it again for a passport with rows, or download this one without.`
    throw new Problem('conflict', 'passport.data', sentence)
  }
  return passportOf(report, rows)
}

export interface Verification extends PassportVerdict {
  readonly ownDataProblem: string | undefined
  readonly usesOwnRows: boolean
}

/** Runs the passport's backtest once more, and compares. */
export async function verifyPassport(
  deps: PassportDeps,
  userId: number,
  passport: ReadPassport,
  signal: AbortSignal,
): Promise<Verification> {
  const nothing = { ownDataProblem: undefined, usesOwnRows: !passport.hasRows }
  return { ...nothing, ...(await withBroken(passport.broken, () => runAgain(deps, userId, passport, signal))) }
}

/** Own data that cannot be had matters only where the passport has no rows. */
async function runAgain(
  deps: PassportDeps,
  userId: number,
  { request, isSynthetic, hasRows, bytes }: ReadPassport,
  signal: AbortSignal,
): Promise<Verification> {
  checkDates(request, deps.clock)
  const plan = planBacktest(request)
  const provider = isSynthetic ? SAMPLE_PROVIDER_ID : AUTO_PROVIDER
  const usesOwnRows = !hasRows
  let ours: { data: MarketData; buffers: ArrayBuffer[] } | undefined
  let ownDataProblem: string | undefined
  try {
    ours = portable((await marketDataFor(plan, { userId, provider, source: deps.source, signal })).data)
  } catch (error) {
    if (usesOwnRows || !(error instanceof Problem)) throw error
    ownDataProblem = error.message
  }
  const verdict = await deps.compute.run(
    'backtests/verify-passport',
    { bytes, ours: ours?.data },
    { owner: String(userId), signal, transfer: [bytes.buffer, ...(ours?.buffers ?? [])] },
  )
  return { ...verdict, ownDataProblem, usesOwnRows }
}
