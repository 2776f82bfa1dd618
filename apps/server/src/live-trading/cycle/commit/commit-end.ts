import { usdPerShare } from '@tradewright/core/money'
import type { Note } from '@tradewright/core/note'
import { epochDayOf } from '@tradewright/core/time'
import { type Decision, type OrderIntent, tradedBy } from '../../decision.ts'
import type { Deployment } from '../../deployment.ts'
import { isCarriedOut } from '../send/time-out.ts'
import type { DeploymentDeps, Reconciliation } from '../types.ts'
import { takeSnapshot } from '../valuation.ts'

/** Journals the end of a decision whose orders have all ended; `isCutShort` where purchases were due and may not be sent. */
export async function commitEnd(
  deps: DeploymentDeps,
  deployment: Deployment,
  decision: Decision,
  reconciliation: Reconciliation,
  isCutShort: boolean,
): Promise<void> {
  const intents = await deps.database.orders.ofDecision(decision.id)
  const isComplete =
    intents.every((one) => isCarriedOut(deployment, decision, one, intents)) && !isCutShort && !decision.isPartial
  const lastTrade = {
    ...tradedBy(decision.signal),
    day: epochDayOf(decision.decidedFor.getTime()),
    isComplete,
    ...(decision.signal.contributions !== undefined && { contributions: decision.signal.contributions }),
  }
  await deps.database.transaction(async (stores) => {
    await stores.decisions.move(decision.id, isComplete ? 'done' : 'incomplete')
    await stores.deployments.change(deployment.id, { lastTrade })
    await deps.putMail(stores, deployment, 'trades', {
      subject: `${deployment.name}: ${intents.length} ${intents.length === 1 ? 'order' : 'orders'} ${isComplete ? 'filled' : 'ended'}`,
      text: intents.map(sentenceOf).join('\n'),
      key: `trades:${decision.id}`,
    })
  })
  deps.onStep('decision-ended')
  await deps.note(endNote(isComplete, intents.map(sentenceOf).join('; ')))
  await takeSnapshot(deps, deployment, reconciliation)
}

const endNote = (isComplete: boolean, orders: string): Note =>
  isComplete
    ? { code: 'decision-done', level: 'info', sentence: `Execution Complete. ${orders}` }
    : {
        code: 'decision-incomplete',
        level: 'warning',
        sentence: `Execution Complete, but not everything was traded. ${orders}`,
      }

function sentenceOf({ side, ticker, state, filledQuantity, averagePrice, reason }: OrderIntent): string {
  const what = `${side === 'buy' ? 'Buy' : 'Sell'} ${ticker}: ${state}`
  const filled =
    filledQuantity.isZero || !averagePrice ? '' : `, ${String(filledQuantity)} at ${usdPerShare(averagePrice)}`
  return `${what}${filled}${reason ? ` (${reason})` : ''}`
}
