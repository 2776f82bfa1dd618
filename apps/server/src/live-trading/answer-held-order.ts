import { Problem } from '@tradewright/core/problem'
import { MINUTE } from '@tradewright/core/time'
import { awaitsAnswer, type HeldOrder, orderName } from '@tradewright/engine/live/held-orders'
import { SYSTEM } from './actor.ts'
import { checkNow } from './check-now.ts'
import { findDeployment } from './control.ts'
import { recordNote } from './cycle/record-note.ts'
import { deploymentMissing } from './deployment.ts'
import type { LiveDeps } from './deps.ts'

/**
 * The user's answer about an order that is held: `send` lets the next decision send it, which is made at once where that
 * is possible; `leave` leaves it out until the strategy wants something else.
 */
export async function answerHeldOrder(
  deps: LiveDeps,
  userId: number,
  id: number,
  order: Pick<HeldOrder, 'ticker' | 'side'>,
  choice: 'send' | 'leave',
): Promise<void> {
  await findDeployment(deps, userId, id)
  const actor = deps.actor ?? SYSTEM
  const who = actor.kind === 'user' ? `as ${actor.name} chose` : 'as chosen'
  const { ticker, side } = order
  const sentence =
    choice === 'send'
      ? `The order to ${side} ${ticker} is sent again, ${who}.`
      : `The order to ${side} ${ticker} is left, ${who}, until the signal changes or a rebalance is due.`
  const deployment = await deps.database.transaction(async ({ deployments }) => {
    const current = await deployments.lock(userId, id)
    if (!current) throw deploymentMissing()
    const { heldOrders = [], lastTrade } = current
    const asked = heldOrders.find((one) => orderName(one) === orderName(order) && awaitsAnswer(one))
    if (!asked) throw notAsked(order)
    const others = heldOrders.filter((one) => one !== asked)
    await deployments.change(id, {
      heldOrders: choice === 'send' ? others : [...others, { ...asked, isLeft: true }],
      ...(choice === 'send' &&
        lastTrade && { lastTrade: { ...lastTrade, asked: lastTrade.asked ?? sentence, askedBy: actor } }),
    })
    return current
  })
  await recordNote(deps, deployment, { code: 'held-order-answered', level: 'info', sentence })
  if (choice === 'leave' || deployment.status !== 'running') return
  try {
    const { outcome } = await checkNow(deps, userId, id)
    const soon = new Date(deps.clock.now().getTime() + MINUTE)
    if (outcome === 'just_checked') await deps.database.deployments.change(id, { nextRunAt: soon })
  } catch (error) {
    deps.log.debug({ err: error }, 'an order that is sent again waits for the next check')
  }
}

const notAsked = ({ side, ticker }: Pick<HeldOrder, 'ticker' | 'side'>) =>
  new Problem(
    'conflict',
    'deployment.no-held-order',
    `There is nothing to choose about the order to ${side} ${ticker}: the choice was already made, or things have changed since.`,
  )
