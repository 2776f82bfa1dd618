/** Where the server keeps the result on show. */
export interface KeptRun {
  id: number
  name: string
  /** Among the saved backtests, not only among the recent runs. */
  isSaved: boolean
  strategyId: number | null
}

export interface KeptProps {
  kept: KeptRun
  /** `strategyName`: where the strategy has a new one. */
  onKept: (kept: KeptRun, strategyName?: string) => void
}
