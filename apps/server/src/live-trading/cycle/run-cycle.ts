import type { Deployment } from '../deployment.ts'
import { propose } from './decide.ts'
import { placeOrders } from './place-orders.ts'
import { report, tradingAsPlanned } from './report.ts'
import type { AccountSnapshot, RunDeps, Written } from './types.ts'
import type { CycleTime } from './types.ts'

/** One decision: proposed, journaled in one transaction with its orders, and only then sent. */
export async function runCycle(
  deps: RunDeps,
  deployment: Deployment,
  { broker, assets, reconciliation }: Pick<AccountSnapshot, 'broker' | 'assets' | 'reconciliation'>,
  time: CycleTime,
): Promise<Written> {
  const proposal = await propose(deps, assets, deployment, reconciliation, time.now, time.calendar)
  const written = await deps.writeDecision({ deployment, reconciliation, proposal, time })
  const { decision, intents, notes, hasRecovered } = written
  if (hasRecovered) await report(deps, deployment, tradingAsPlanned)
  if (!decision) return written
  deps.onStep('decision-committed')
  for (const note of notes) await report(deps, deployment, note)
  if (intents.length > 0) {
    deps.deploymentLog.write(deployment.id, 'INFO', `Executing Trades: ${intents.length} orders`)
    await placeOrders(deps, broker, deployment, decision, intents)
  }
  return written
}
