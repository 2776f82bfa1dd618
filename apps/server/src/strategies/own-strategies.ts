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
export async function saveStrategy({ strategies, clock }: StrategyDeps, userId: number, strategy: NewStrategy) {
  refuseLarge(strategy.config)
  return strategies.save(userId, strategy, clock.now())
}

/** Lists hold the settings of every strategy; those of the largest form have some 20,000 characters. */
const MAX_CONFIG_LENGTH = 100_000

export function refuseLarge(config: object): void {
  if (JSON.stringify(config).length <= MAX_CONFIG_LENGTH) return
  throw new Problem('too-large', 'strategy.size', 'The settings of this strategy are too large to be saved.')
}

export async function changeStrategy(
  { strategies, clock }: StrategyDeps,
  userId: number,
  id: number,
  change: StrategyChange,
): Promise<Strategy> {
  if (change.config) refuseLarge(change.config)
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
