import type { Clock } from '@tradewright/core/clock'
import { Problem } from '@tradewright/core/problem'
import type { StrategyStore } from './ports.ts'
import type { NewStrategy, Strategy, StrategyChange } from './strategy.ts'

export interface StrategyDeps {
  readonly strategies: StrategyStore
  readonly clock: Clock
}

/** Names of the user's deployments of a strategy that are not stopped. */
export type DeploymentsOfStrategy = (userId: number, strategyId: number) => Promise<readonly string[]>

export async function findStrategy({ strategies }: StrategyDeps, userId: number, id: number): Promise<Strategy> {
  return (await strategies.find(userId, id)) ?? missing()
}

/** A strategy has one place per name and type, so saving again under the same name updates it. */
export const saveStrategy = ({ strategies, clock }: StrategyDeps, userId: number, strategy: NewStrategy) =>
  strategies.save(userId, strategy, clock.now())

export async function changeStrategy(
  { strategies, clock }: StrategyDeps,
  userId: number,
  id: number,
  change: StrategyChange,
): Promise<Strategy> {
  const changed = await strategies.change(userId, id, change, clock.now())
  if (changed === 'missing') return missing()
  if (changed === 'taken') {
    throw new Problem('conflict', 'strategy.name', 'You have another strategy of this name and type.')
  }
  return changed
}

export async function removeStrategy(
  { strategies, deploymentsOf }: StrategyDeps & { readonly deploymentsOf: DeploymentsOfStrategy },
  userId: number,
  id: number,
): Promise<void> {
  const names = await deploymentsOf(userId, id)
  if (names.length > 0) {
    const list = names.map((name) => `"${name}"`).join(', ')
    throw new Problem('conflict', 'strategy.deployed', `The strategy is deployed as ${list}. Stop it there first.`)
  }
  if (!(await strategies.remove(userId, id))) missing()
}

function missing(): never {
  throw new Problem('missing', 'strategy.missing', 'There is no such strategy.')
}
