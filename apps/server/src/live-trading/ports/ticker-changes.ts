import type { TickerSuccessor } from '@tradewright/engine/market/successors'

/** A holding that a corporate action turned into another ticker, and whose fate the user has not chosen yet. */
export interface TickerChange {
  readonly deploymentId: number
  /** The strategy's, by the ticker mapping. */
  readonly from: string
  /** What is held in its place. */
  readonly to: string
  /** What happened: "Symbol change: 15 FB became 15 META." */
  readonly sentence: string
  /** The exchanges that led from one to the other, oldest first; none where they are not known. */
  readonly successors: readonly TickerSuccessor[]
}

export interface TickerChangeStore {
  /** Oldest first. */
  of(deploymentIds: readonly number[]): Promise<TickerChange[]>
  /** Takes the place of one from the same ticker. */
  put(change: TickerChange, at: Date): Promise<void>
  /** True where it was there. */
  remove(change: Pick<TickerChange, 'deploymentId' | 'from' | 'to'>): Promise<boolean>
}
