import { Problem } from '@tradewright/core/problem'
import { formatTicker, parseTicker } from '@tradewright/core/ticker'
import { withSuccessor } from '@tradewright/engine/market/successors'
import { tradedAs, type TickerMapping } from '@tradewright/engine/live/trading-weights'
import { type Actor, SYSTEM } from '../actor.ts'
import { findDeployment } from '../control.ts'
import { recordNote } from '../cycle/record-note.ts'
import { type DeployedTrade, type Deployment, deploymentMissing, type RunnableStrategy } from '../deployment.ts'
import type { LiveDeps } from '../deps.ts'
import type { LiveStores } from '../ports/database.ts'
import type { TickerChange } from '../ports/ticker-changes.ts'
import { refuseShorts } from '../deploy/refuse-shorts.ts'
import { namedTickers, tradedTickers } from '../traded-tickers.ts'
import { refuseInvalidMapping } from '../deploy/validate-tickers.ts'
import { TICKER_CHANGE } from './hold.ts'

export type TickerChoice = 'trade' | 'sell'

/**
 * The user's answer to a ticker change: the new ticker is traded in the place of the old one, by the ticker mapping, or left
 * to the next decision, which sells what the strategy does not name.
 */
export async function chooseTicker(
  deps: LiveDeps,
  userId: number,
  id: number,
  { from, to }: Pick<TickerChange, 'from' | 'to'>,
  choice: TickerChoice,
): Promise<void> {
  const known = await findDeployment(deps, userId, id)
  if (choice === 'trade') {
    const mapping = mappedTo(known, from, to)
    const changed = Object.keys(mapping).filter((signal) => mapping[signal] !== known.settings.tickerMapping[signal])
    const broker = await deps.brokerFor(userId, known.accountId)
    await refuseInvalidMapping(broker, changed, mapping, 'update')
    await refuseShorts(deps, broker, { ...known, settings: { ...known.settings, tickerMapping: mapping } })
  }
  const chosen = await deps.database.transaction(async (stores) => {
    const deployment = await stores.deployments.lock(userId, id)
    if (!deployment) throw deploymentMissing()
    const asked = (await stores.tickerChanges.of([id])).find((change) => change.from === from && change.to === to)
    if (!asked || !(await stores.tickerChanges.remove(asked))) throw notAsked(from, to)
    const { settings, healthProblem } = deployment
    await stores.deployments.change(id, {
      ...(choice === 'trade'
        ? {
            settings: { ...settings, tickerMapping: mappedTo(deployment, from, to) },
            strategy: continuedBy(deployment.strategy, asked),
          }
        : // Whatever the rebalancing schedule says, the next run trades.
          { lastTrade: sellsNext(deployment.lastTrade, { from, to }, deps.actor) }),
      ...(healthProblem?.code === TICKER_CHANGE && { healthProblem: null }),
    })
    return Object.assign(deployment, { isContinued: asked.successors.length > 0 })
  })
  const sentence =
    choice === 'trade'
      ? `${to} is traded in place of ${from} from now on, by the ticker mapping. ${pricesAfter(from, to, chosen.isContinued)}`
      : `${to} is not traded in place of ${from}: the next decision sells it.`
  await recordNote(deps, chosen, { code: 'ticker-chosen', level: 'info', sentence })
}

const pricesAfter = (from: string, to: string, isContinued: boolean): string =>
  isContinued
    ? `Signals and the replay use the prices of ${from} until the change and those of ${to} since then.`
    : `Signals are still computed from prices of ${from}, with which the strategy was tested: if no provider still has ` +
      `them, put ${to} into the strategy and save the deployment again.`

/** The strategy, whose ticker goes on as another one. */
const continuedBy = (strategy: RunnableStrategy, { successors }: TickerChange): RunnableStrategy => ({
  ...strategy,
  successors: successors.reduce(withSuccessor, strategy.successors ?? []).slice(-MAX_SUCCESSORS),
})

/** Each is one corporate action of a ticker that is held. */
const MAX_SUCCESSORS = 50

/** The next decision names who chose; where nothing was traded yet, it invests anyway. */
const sellsNext = (
  last: DeployedTrade | undefined,
  { from, to }: Pick<TickerChange, 'from' | 'to'>,
  actor: Actor = SYSTEM,
): DeployedTrade | null => {
  const chosen = actor.kind === 'user' ? `as ${actor.name} chose` : 'as chosen'
  const sentence = `${to}, which came in the place of ${from}, is sold ${chosen}.`
  return last ? { ...last, asked: last.asked ? `${last.asked} ${sentence}` : sentence, askedBy: actor } : null
}

const notAsked = (from: string, to: string) =>
  new Problem(
    'conflict',
    'deployment.no-ticker-change',
    `There is nothing to choose about ${from} and ${to}: the choice was already made, or things have changed since.`,
  )

/** All that stood for the old ticker, with the leverage that it was held with. */
function mappedTo(deployment: Pick<Deployment, 'strategy' | 'settings'>, from: string, to: string): TickerMapping {
  const { tickerMapping } = deployment.settings
  const moved = namedTickers(deployment).flatMap((signal) => {
    const traded = tradedAs(signal, tickerMapping)
    if (traded?.ticker !== from) return []
    const mapped = traded.leverage === 1 ? to : `${to}?L=${traded.leverage}`
    return [[formatTicker(parseTicker(signal)), mapped] as const]
  })
  return { ...tickerMapping, ...Object.fromEntries(moved) }
}

/**
 * An edit may answer the question, too: of a ticker that is no longer traded nothing is left to choose. Answers the strategy,
 * continued by those that are traded in the place of an old one now.
 */
export async function settleChanges(
  { tickerChanges }: Pick<LiveStores, 'tickerChanges'>,
  deployment: Pick<Deployment, 'id' | 'strategy' | 'settings'>,
): Promise<RunnableStrategy> {
  const traded = tradedTickers(deployment)
  let { strategy } = deployment
  for (const change of await tickerChanges.of([deployment.id])) {
    if (traded.includes(change.from)) continue
    await tickerChanges.remove(change)
    if (traded.includes(change.to)) strategy = continuedBy(strategy, change)
  }
  return strategy
}
