import type { Strategy } from '../../strategies/strategy.ts'
import type { RunnableStrategy } from '../deployment.ts'

/** Reads the form that a strategy was saved with; a Problem says why it cannot be deployed. */
export type ReadStrategy = (strategy: Strategy) => RunnableStrategy
