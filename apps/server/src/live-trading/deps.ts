import type { StrategyStore } from '../strategies/ports.ts'
import type { AccountRows } from '../brokerage/ports.ts'
import type { ReadStrategy } from './ports/strategies.ts'
import type { CycleDeps } from './cycle/types.ts'

export interface LiveDeps extends CycleDeps {
  readonly accounts: Pick<AccountRows, 'list' | 'find'>
  readonly strategies: Pick<StrategyStore, 'list' | 'find' | 'findMany' | 'performance'>
  readonly readStrategy: ReadStrategy
  /** Deployments of accounts with real money are not started. */
  readonly isPaperOnly?: boolean
}
