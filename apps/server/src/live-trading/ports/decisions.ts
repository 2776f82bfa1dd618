import type { UtcMillis } from '@tradewright/core/time'
import type { Signal } from '@tradewright/engine/backtest/signals'
import type { RulesMemory } from '@tradewright/engine/live/rules-follower'
import type { Decision, DecisionOutcome } from '../decision.ts'

export interface NewDecision extends Omit<Decision, 'id'> {
  readonly id?: undefined
}

/** A decision without its words. */
export interface DecisionByBar {
  readonly id: number
  /** The stamp of the newest bar that it knew. */
  readonly bar: UtcMillis
  readonly decidedAt: Date
  readonly signal: Signal | undefined
  readonly modelVersion: number | undefined
  /** What a rule strategy wanted to hold, and by which check; undefined for others. */
  readonly rules: Pick<RulesMemory, 'weights' | 'trade'> | undefined
  /** Newest closes by ticker, as decimals. */
  readonly closes: Readonly<Record<string, string>>
  /** The broker's quotes, of what was held. */
  readonly quotes: Readonly<Record<string, string>>
}

export interface DecisionStore {
  /** At most one of each deployment; those of an instant that was decided on already are left out of the answer. */
  insert(decisions: readonly NewDecision[]): Promise<ReadonlyMap<number, Decision>>
  /** By deployment: the newest that is being carried out. */
  atWork(deploymentIds: readonly number[]): Promise<ReadonlyMap<number, Decision>>
  latest(deploymentId: number): Promise<Decision | undefined>
  /** By deployment. */
  latestOf(deploymentIds: readonly number[]): Promise<ReadonlyMap<number, Decision>>
  /** What the newest decision by rules left to the next one. */
  rulesMemory(deploymentId: number): Promise<RulesMemory | undefined>
  /** The first by each bar, oldest first: the one that traded it. */
  firstByBar(deploymentId: number): Promise<DecisionByBar[]>
  find(deploymentId: number, decidedFor: Date): Promise<Decision | undefined>
  move(id: number, outcome: DecisionOutcome, more?: Pick<Decision, 'reason' | 'isPartial' | 'waitsFor'>): Promise<void>
  withOpenDecision(deploymentIds: readonly number[]): Promise<Set<number>>
}
