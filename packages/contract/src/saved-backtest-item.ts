import { z } from 'zod'

export const SavedBacktestItem = z.object({
  id: z.int(),
  name: z.string(),
  /** Also of a backtest that was saved without its strategy. */
  strategy_name: z.string(),
  /** Null when the strategy was not saved. */
  strategy_id: z.int().nullable(),
  created_at: z.iso.datetime(),
})
export type SavedBacktestItem = z.infer<typeof SavedBacktestItem>
