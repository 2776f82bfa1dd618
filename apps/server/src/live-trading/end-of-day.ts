import { usd } from '@tradewright/core/money'
import { sentenceFor } from '@tradewright/core/problem'
import { epochDayOf, formatDate } from '@tradewright/core/time'
import { loaded } from './cycle/propose/model.ts'
import type { DailyWork } from './cycle/runner.ts'
import { takeSnapshot, valuate } from './cycle/valuation.ts'
import { type Deployment, requestFor } from './deployment.ts'
import { recipeOf } from './retraining/recipe.ts'
import { scheduleOf } from './schedule.ts'
import type { LiveDesk } from './signal-service.ts'
import type { Snapshot, StoredReplay } from './ports/journal.ts'
import type { CycleDeps } from './cycle/types.ts'

/** After each session: a point of the curve, the replay as a backtest, and the summary. Once per session. */
export const endOfDay =
  (deps: CycleDeps, signalService: LiveDesk): DailyWork =>
  async (deployment, reconciliation, sessionClose) => {
    const last = await deps.database.journal.replayedAt(deployment.id)
    if (last && last >= sessionClose) return
    await takeSnapshot(deps, deployment, reconciliation)
    const replay = await replayOf(deps, signalService, deployment)
    const { value } = await valuate(deps.database, deployment, reconciliation)
    const day = formatDate(epochDayOf(sessionClose.getTime()))
    const drift = replay.driftPct === null ? '' : `\nDrift from the replayed backtest: ${replay.driftPct.toFixed(2)} %`
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

/** A backtest of the same days, and how far the deployment is from it. */
async function replayOf(deps: CycleDeps, signalService: LiveDesk, deployment: Deployment): Promise<StoredReplay> {
  const computedAt = deps.clock.now()
  const nothing = { computedAt, points: [], driftPct: null }
  try {
    const snapshots = await deps.database.journal.snapshots(deployment.id, 5000)
    const first = snapshots[0]
    if (!first) return { ...nothing, error: null }
    const request = requestFor(deployment, computedAt.getTime())
    const { settings, strategy, userId } = deployment
    const versions = strategy.model ? await deps.database.models.versions(deployment.id, recipeOf(deployment)) : []
    const replayed = await signalService.replay(
      {
        userId,
        request: {
          ...request,
          cashflow: 0,
          adjustInflation: false,
          referenceTicker: undefined,
          rebalanceFrequency: settings.rebalanceFrequency,
          rebalanceBandPct: settings.rebalanceThresholdPct > 0 ? settings.rebalanceThresholdPct : undefined,
        },
        provider: strategy.provider,
        models: await loaded(deps, deployment.id, versions),
        schedule: scheduleOf(deployment),
        from: epochDayOf(first.at.getTime()),
      },
      deps.signal,
    )
    const points = joined(snapshots, replayed)
    return { computedAt, points, driftPct: driftOf(snapshots, points), error: null }
  } catch (error) {
    deps.log.warn({ err: error, deploymentId: deployment.id }, 'a deployment could not be replayed')
    return { ...nothing, error: sentenceFor(error) }
  }
}

/** The day of a close, also where it is midnight of the next one. */
const dayOf = (at: number): number => epochDayOf(at - 1)

const valuedOn = (snapshots: readonly Snapshot[], at: number): Snapshot | undefined =>
  snapshots.findLast((snapshot) => dayOf(snapshot.at.getTime()) <= dayOf(at))

/** Both curves leave from the first close that both have: what happened before it that day is not drift. */
function joined(snapshots: readonly Snapshot[], points: StoredReplay['points']): StoredReplay['points'] {
  const base = points[0] && valuedOn(snapshots, points[0].at)?.growth
  return base === undefined ? [] : points.map(({ at, growth }) => ({ at, growth: growth * base }))
}

function driftOf(snapshots: readonly Snapshot[], points: StoredReplay['points']): number | null {
  const last = points.at(-1)
  const live = last && valuedOn(snapshots, last.at)
  return last && live ? (live.growth - last.growth) * 100 : null
}
