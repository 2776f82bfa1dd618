import { usd } from '@tradewright/core/money'
import { sentenceFor } from '@tradewright/core/problem'
import { epochDayOf, formatDate } from '@tradewright/core/time'
import { loaded } from '../cycle/propose/model.ts'
import type { DailyWork } from '../cycle/runner.ts'
import type { ExplainedReplay } from '@tradewright/engine/live/drift-causes'
import { borrowCosts, fillsOf, filledOrders, livedOrders } from './lived-orders.ts'
import { accrueDividends, accrueForOthers } from '../cycle/reconcile/dividends.ts'
import { takeSnapshot, valuate } from '../cycle/valuation.ts'
import { dataChoiceOf, type Deployment } from '../deployment.ts'
import { withKnownSignals } from '../signals/known-signals.ts'
import { replayRequest } from '../replay/replay-request.ts'
import { recipeOf } from '../retraining/recipe.ts'
import { scheduleOf } from '../schedule.ts'
import type { LiveSignalService } from '../signals/signal-service.ts'
import type { Snapshot, StoredReplay } from '../ports/journal.ts'
import type { CycleDeps } from '../cycle/types.ts'

/** After each session: a point of the curve, the replay as a backtest, and the summary. Once per session. */
export const endOfDay =
  (deps: CycleDeps, signalService: LiveSignalService): DailyWork =>
  async (known, reconciliation, sessionClose) => {
    const last = await deps.database.journal.replayedAt(known.id)
    if (last && last >= sessionClose) return
    await accrueDividends(deps, known, reconciliation, sessionClose)
    await accrueForOthers(deps, known, reconciliation, sessionClose)
    const deployment = (await deps.database.deployments.byId(known.id)) ?? known
    await takeSnapshot(deps, deployment, reconciliation)
    const replay = await replayOf(deps, signalService, deployment)
    const { value } = await valuate(deps.database, deployment, reconciliation)
    const day = formatDate(epochDayOf(sessionClose.getTime()))
    const drift = replay.driftPct === null ? '' : `\nDrift from the replayed backtest: ${replay.driftPct.toFixed(2)}%`
    const summary = {
      subject: `${deployment.name}: ${usd(value)} on ${day}`,
      text: `Value: ${usd(value)}\nProfit and loss: ${usd(value.minus(deployment.totals.net))}${drift}`,
      key: `summary:${day}`,
    }
    // With the note that the day is done: it is told once, and not lost in between.
    await deps.database.transaction(async (stores) => {
      await stores.journal.saveReplay(deployment.id, replay)
      await deps.putMail(stores, deployment, 'daily_summary', summary)
    })
  }

/** A backtest of the same days, how far the deployment is from it, and why. */
async function replayOf(
  deps: CycleDeps,
  signalService: LiveSignalService,
  deployment: Deployment,
): Promise<StoredReplay> {
  const computedAt = deps.clock.now()
  const nothing = { computedAt, points: [], driftPct: null }
  try {
    const snapshots = await deps.database.journal.snapshots(deployment.id, 5000)
    const first = snapshots[0]
    if (!first) return { ...nothing, error: null }
    const filled = await filledOrders(deps.database, deployment)
    const decisions = await deps.database.decisions.firstByBar(deployment.id)
    const pauses = await deps.database.deployments.pauses(deployment.id)
    const { strategy, userId } = deployment
    const versions = strategy.model ? await deps.database.models.versions(deployment.id, recipeOf(deployment)) : []
    const explained = await signalService.replay(
      {
        userId,
        request: await withKnownSignals(
          deps.database,
          deployment,
          replayRequest(deployment, computedAt.getTime()),
          computedAt,
        ),
        ...dataChoiceOf(strategy),
        models: await loaded(deps, deployment.id, versions),
        schedule: scheduleOf(deployment),
        from: epochDayOf(first.at.getTime()),
        decisions: decisions.map(({ decidedAt, ...decision }) => ({ ...decision, at: decidedAt.getTime() })),
        orders: livedOrders(deployment, filled),
        borrowCosts: await borrowCosts(deps.database, deployment, snapshots),
        pauses: pauses.map(({ from, to }) => ({ from: from.getTime(), to: (to ?? computedAt).getTime() })),
      },
      deps.signal,
    )
    const fills = fillsOf(filled, decisions)
    return { computedAt, ...compared(snapshots, explained), fills, error: null }
  } catch (error) {
    deps.log.warn({ err: error, deploymentId: deployment.id }, 'a deployment could not be replayed')
    return { ...nothing, error: sentenceFor(error) }
  }
}

/** The day of a close, also where it is midnight of the next one. */
const dayOf = (at: number): number => epochDayOf(at - 1)

const valuedOn = (snapshots: readonly Snapshot[], at: number): Snapshot | undefined =>
  snapshots.findLast((snapshot) => dayOf(snapshot.at.getTime()) <= dayOf(at))

/**
 * Both curves leave from the first close that both have: what happened before it that day is not drift. What no other
 * cause explains is rounding and idle cash, so that the causes add up to the drift.
 */
function compared(
  snapshots: readonly Snapshot[],
  { points, lines }: ExplainedReplay,
): Pick<StoredReplay, 'points' | 'driftPct' | 'causes'> {
  const [first, last] = [points[0], points.at(-1)]
  const base = first && valuedOn(snapshots, first.at)?.growth
  const live = last && valuedOn(snapshots, last.at)
  if (base === undefined || !live) return { points: [], driftPct: null }
  const causes = lines.map(({ cause, growth, orders, days }) => ({
    cause,
    pct: growth * base * 100,
    orders,
    days: days.map(formatDate),
  }))
  const driftPct = (live.growth - last.growth * base) * 100
  const rest = causes.reduce((left, { pct }) => left - pct, driftPct)
  return {
    points: points.map(({ at, growth }) => ({ at, growth: growth * base })),
    driftPct,
    causes: [...causes, { cause: 'rounding', pct: rest, orders: [], days: [] }],
  }
}
