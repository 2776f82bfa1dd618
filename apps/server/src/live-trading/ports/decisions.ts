import type { Decision, DecisionOutcome } from '../decision.ts'

export interface NewDecision extends Omit<Decision, 'id'> {
  readonly id?: undefined
}

export interface DecisionStore {
  /** Undefined when this instant was decided on already. */
  insert(decision: NewDecision): Promise<Decision | undefined>
  atWork(deploymentId: number): Promise<Decision | undefined>
  latest(deploymentId: number): Promise<Decision | undefined>
  find(deploymentId: number, decidedFor: Date): Promise<Decision | undefined>
  move(id: number, outcome: DecisionOutcome, more?: Pick<Decision, 'reason' | 'isPartial'>): Promise<void>
  ofWhichAtWork(deploymentIds: readonly number[]): Promise<Set<number>>
}
