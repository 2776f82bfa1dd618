import { Problem } from '@tradewright/core/problem'
import { runsOutAt } from '@tradewright/engine/live/schedule'
import type { Broker } from '@tradewright/engine/trading/broker'
import { hasEnded } from '@tradewright/engine/trading/order'
import { type Decision, isOpen } from '../decision.ts'
import type { Deployment } from '../deployment.ts'
import { isOfLiquidation } from '../liquidation/is-liquidation.ts'
import { liquidate } from '../liquidation/liquidate.ts'
import { recordStop } from '../record-stops.ts'
import { scheduleOf } from '../schedule.ts'
import { advance } from './advance.ts'
import { tradesCoinsOnly } from './decide.ts'
import { prepareModel } from './model.ts'
import type { MarketTime } from './market-time.ts'
import { resolveUnheard } from './place-orders.ts'
import { report, setHealth } from './report.ts'
import { nextRunOf } from './plan-decision.ts'
import { runCycle } from './run-cycle.ts'
import { checkLosses, valuate } from './valuation.ts'
import { disagreement } from './write-decisions.ts'
import type { AccountSnapshot, CycleDeps, Reconciliation, RunDeps } from './types.ts'

/** Everything that one deployment needs at this moment, after its account was compared with the broker. */
export async function runDeployment(deps: RunDeps, deployment: Deployment, look: AccountSnapshot): Promise<void> {
  const { broker, reconciliation } = look
  if (deployment.status === 'running' && deps.gate.isClosed(deployment)) return stopForGood(deps, broker, deployment)
  const decision = look.atWork.get(deployment.id)
  const unheard = reconciliation.unheard.filter(({ deploymentId }) => deploymentId === deployment.id)
  const mayTrade = reconciliation.verdict === 'agreed' && reconciliation.account.blockedBecause === undefined
  await resolveUnheard(deps, broker, deployment, decision, unheard, mayTrade)
  if (deployment.status === 'stopped') await cancelOpen(deps, broker, deployment)
  if (decision) await advance(deps, broker, deployment, decision, reconciliation)
  if (deployment.liquidatingSince) await liquidate(deps, deployment, deployment.liquidatingSince, look)
  if (deployment.status !== 'running') return
  if (await pausedByLosses(deps, deployment, reconciliation)) return
  if (isDue(deployment, look.time)) await runDue(deps, deployment, look)
  else await tellAccount(deps, deployment, reconciliation)
}

/** A fault of the account is told at once; that it is right again, too. */
async function tellAccount(deps: CycleDeps, deployment: Deployment, { verdict, disagreement: why }: Reconciliation) {
  if (verdict === 'disagreed') await setHealth(deps, deployment, disagreement(why!).message)
  const isAboutAccount = deployment.healthProblem !== null && ACCOUNT_TROUBLE.test(deployment.healthProblem)
  if (verdict === 'agreed' && isAboutAccount) await setHealth(deps, deployment, null)
}

const ACCOUNT_TROUBLE = /^(Broker and books disagree|The brokerage account cannot be used)/

export const isDue = ({ nextRunAt }: Deployment, { now }: Pick<MarketTime, 'now'>): boolean =>
  nextRunAt !== null && nextRunAt <= now

async function runDue(deps: RunDeps, deployment: Deployment, look: AccountSnapshot): Promise<void> {
  const { broker, reconciliation, time } = look
  const scheduledFor = deployment.nextRunAt!
  const limit = new Date(runsOutAt(scheduleOf(deployment), scheduledFor.getTime(), time.calendar))
  if (time.now >= limit) {
    const why = deployment.healthProblem ? ` ${deployment.healthProblem}` : ''
    await report(deps, deployment, 'warning', `The run of ${scheduledFor.toISOString()} was missed.${why}`)
    return scheduleNext(deps, deployment, time)
  }
  if (!isTradable(deployment, time)) {
    deps.deploymentLog.write(
      deployment.id,
      'WARNING',
      'Status: the broker says that the market is closed, this run is skipped',
    )
    return scheduleNext(deps, deployment, time)
  }
  const atWork = await stillAtWork(deps, deployment, look)
  // Decided for this very run before a crash: it is being carried out, only the next run was not written yet.
  if (atWork?.decidedFor.getTime() === scheduledFor.getTime()) return scheduleNext(deps, deployment, time)
  if (atWork && (await ordersHaveEnded(deps, broker, deployment))) {
    if (reconciliation.verdict === 'disagreed') throw disagreement(reconciliation.disagreement!)
    // The next poll books what was filled and carries the decision to its end; this run is due until then.
    return
  }
  if (atWork) {
    await report(
      deps,
      deployment,
      'warning',
      'Orders of the last decision are still open; they are cancelled and this run is skipped.',
    )
    await cancelOpen(deps, broker, deployment)
    return scheduleNext(deps, deployment, time)
  }
  // An order that was given up may have arrived all the same: until it has ended, what is held is not known.
  if (reconciliation.mayHaveOrders(deployment.id) && (await openOrders(deps, deployment)).length > 0) {
    await cancelOpen(deps, broker, deployment)
    return
  }
  if ((await prepareModel(deps, deployment)) === 'trained') return
  // Executions are coming in: the next poll will see an account that stands still.
  if (reconciliation.verdict === 'moving') return
  if (reconciliation.verdict === 'disagreed') throw disagreement(reconciliation.disagreement!)
  if (reconciliation.account.blockedBecause !== undefined) throw blocked(reconciliation.account.blockedBecause)
  deps.onStep('reconciled')
  const { decision, nextRunAt } = await runCycle(deps, deployment, look, {
    scheduledFor,
    runsOutAt: limit,
    calendar: time.calendar,
    now: time.now,
  })
  tellNextRun(deps, deployment, nextRunAt)
  if (decision && decision.outcome !== 'selling' && decision.outcome !== 'buying') {
    deps.onStep('snapshot-taken')
    deps.deploymentLog.write(deployment.id, 'INFO', `Execution Complete: ${decision.outcome}`)
  }
}

/** One that was carried on a moment ago may have ended by that. */
async function stillAtWork(
  deps: RunDeps,
  { id }: Deployment,
  { atWork }: AccountSnapshot,
): Promise<Decision | undefined> {
  return atWork.has(id) ? (await deps.database.decisions.atWork([id])).get(id) : undefined
}

const blocked = (reason: string) =>
  new Problem('conflict', 'deployment.blocked', `The broker takes no orders for this account: ${reason}`)

/** An exchange that is closed takes no orders that are meant for now; coins always trade. */
const isTradable = (deployment: Deployment, { isOpen: isMarketOpen }: MarketTime): boolean =>
  isMarketOpen || tradesCoinsOnly(deployment)

async function scheduleNext(deps: CycleDeps, deployment: Deployment, time: MarketTime): Promise<void> {
  const nextRunAt = nextRunOf(deployment, time)
  await deps.database.deployments.change(deployment.id, { nextRunAt })
  tellNextRun(deps, deployment, nextRunAt)
}

const tellNextRun = ({ deploymentLog }: CycleDeps, { id }: Deployment, nextRunAt: Date | null): void =>
  deploymentLog.write(id, 'INFO', `Next Execution: ${nextRunAt?.toISOString() ?? 'never'}`)

async function pausedByLosses(
  deps: CycleDeps,
  deployment: Deployment,
  reconciliation: Reconciliation,
): Promise<boolean> {
  if (deployment.settings.maxDailyLossPct === null && deployment.settings.maxDrawdownPct === null) return false
  const broken = await checkLosses(deps, deployment, await valuate(deps.database, deployment, reconciliation))
  if (broken === undefined) return false
  // Money that moved since the deployment was read is in the books, but not in its sums: the next poll knows both.
  const current = await deps.database.deployments.byId(deployment.id)
  if (!current?.totals.net.equals(deployment.totals.net)) return false
  await deps.database.deployments.change(deployment.id, { status: 'paused', healthProblem: broken })
  await report(deps, deployment, 'error', `Paused by its loss limit. ${broken}`)
  return true
}

/** The file `all` lies on this machine, or a stop waits for the database to be recorded: it runs no more, anywhere. */
async function stopForGood(deps: CycleDeps, broker: Broker, deployment: Deployment): Promise<void> {
  await recordStop(deps, deployment)
  await cancelOpen(deps, broker, deployment)
}

const openOrders = async (deps: CycleDeps, deployment: Deployment) =>
  (await deps.database.orders.unsettled(deployment.accountId)).filter(
    (intent) => intent.deploymentId === deployment.id && isOpen(intent),
  )

/**
 * A snapshot reads orders before executions: what was filled in between is still open by it. So the broker is asked
 * again.
 */
async function ordersHaveEnded(deps: CycleDeps, broker: Broker, deployment: Deployment): Promise<boolean> {
  for (const { clientOrderId, state } of await openOrders(deps, deployment)) {
    const order = state === 'intended' ? undefined : await broker.orderByClientId(clientOrderId)
    if (!order || !hasEnded(order.state)) return false
    await deps.database.orders.adopt(order, deps.clock.now())
  }
  return true
}

/** Asks for the end of every open order; what was filled by then is booked as ever. */
export async function cancelOpen(deps: CycleDeps, broker: Broker, deployment: Deployment): Promise<number> {
  const open = (await openOrders(deps, deployment)).filter((intent) => !isOfLiquidation(deployment, intent))
  let cancelled = 0
  for (const intent of open) {
    if (intent.brokerOrderId === null) {
      if (intent.state === 'intended') {
        await deps.database.orders.end(
          intent.clientOrderId,
          'abandoned',
          'Stopped before it was sent.',
          deps.clock.now(),
        )
      }
      continue
    }
    try {
      await broker.cancel(intent.brokerOrderId)
      cancelled++
    } catch (error) {
      // It has ended by itself meanwhile; the next poll says how.
      deps.log.debug({ err: error, order: intent.clientOrderId }, 'cancel refused')
    }
  }
  return cancelled
}
