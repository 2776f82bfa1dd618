import type { Decision, DecisionOutcome } from '../decision.ts'

export interface NewDecision extends Omit<Decision, 'id'> {
  readonly id?: undefined
}

export interface DecisionStore {
  /** At most one of each deployment; those of an instant that was decided on already are left out of the answer. */
  insert(decisions: readonly NewDecision[]): Promise<ReadonlyMap<number, Decision>>
  /** By deployment: the newest that is being carried out. */
  atWork(deploymentIds: readonly number[]): Promise<ReadonlyMap<number, Decision>>
  latest(deploymentId: number): Promise<Decision | undefined>
  find(deploymentId: number, decidedFor: Date): Promise<Decision | undefined>
  move(id: number, outcome: DecisionOutcome, more?: Pick<Decision, 'reason' | 'isPartial'>): Promise<void>
  withOpenDecision(deploymentIds: readonly number[]): Promise<Set<number>>
}
