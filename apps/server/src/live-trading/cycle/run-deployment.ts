import type { Broker } from '@tradewright/engine/trading/broker'
import type { Deployment } from '../deployment.ts'
import { disagreement, healthProblemOf, isAboutAccount } from '../health.ts'
import { recordStop } from '../stops/record-stops.ts'
import { TICKER_CHANGE, undecided } from '../ticker-changes/hold.ts'
import { carryOn } from './carry-on.ts'
import { isDue, runDue } from './due-run.ts'
import { stoppedByLosses } from './loss-limits.ts'
import { closeAtStops } from './position-stops.ts'
import { cancelOpen } from './send/cancel-orders.ts'
import type { AccountSnapshot, DeploymentDeps, RunDeps } from './types.ts'

/** Everything that one deployment needs at this moment, after its account was reconciled with the broker. */
export async function runDeployment(deps: RunDeps, deployment: Deployment, snapshot: AccountSnapshot): Promise<void> {
  const isRunning = deployment.status === 'running'
  if (isRunning && deps.gate.isClosed(deployment)) return stopForGood(deps, snapshot.broker, deployment)
  await carryOn(deps, deployment, snapshot)
  const isWatched = isRunning || deployment.status === 'paused'
  const isStopped = isWatched && (await stoppedByLosses(deps, deployment, snapshot))
  const goesOn = isRunning && !isStopped && !(await closeAtStops(deps, deployment, snapshot))
  if (goesOn && isDue(deployment, snapshot.time)) await runDue(deps, deployment, snapshot)
  else if (goesOn) await tellAccount(deps, deployment, snapshot)
}

/** The file `all` lies on this machine, or a stop waits for the database to be recorded: it runs no more, anywhere. */
async function stopForGood(deps: DeploymentDeps, broker: Broker, deployment: Deployment): Promise<void> {
  await recordStop(deps, deployment)
  await cancelOpen(deps, broker, deployment)
}

/** A fault of the account is told at once; that it is right again, too. */
async function tellAccount(
  deps: DeploymentDeps,
  deployment: Deployment,
  { reconciliation, tickerChanges }: AccountSnapshot,
) {
  const { verdict, disagreement: why } = reconciliation
  const { healthProblem } = deployment
  const changes = tickerChanges.get(deployment.id)
  const isOver = healthProblem && (isAboutAccount(healthProblem) || healthProblem.code === TICKER_CHANGE)
  if (verdict === 'disagreed') await deps.setHealth(healthProblemOf(disagreement(why!)))
  else if (changes) await deps.setHealth(healthProblemOf(undecided(changes)))
  else if (verdict === 'agreed' && isOver) await deps.setHealth(null)
}
