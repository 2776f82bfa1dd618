import { z } from 'zod'
import { Drawdown, Figure } from './backtest-figures.ts'

/** Fractions: of one dollar over the whole run, and of the yearly volatility. */
const Contribution = z.object({ to_return: z.number(), to_volatility: z.number() })

/** What a reader asks beyond the figures; null in results that were saved before it was computed. */
export const Analysis = z.object({
  bars_per_year: z.number(),
  /** The deepest ten, deepest first. `days`: from the high until it was reached again, or until the end. */
  drawdowns: z.array(Drawdown.extend({ days: z.int() })),
  /**
   * Correlations of bar returns, dividends included, between the assets that were held; null with too many for a table.
   */
  correlations: z.object({ tickers: z.array(z.string()), matrix: z.array(z.array(Figure)) }).nullable(),
  /** Assets and rest (costs and interest) add up to the total, in dollars of their day. */
  contributions: z.object({
    assets: z.array(Contribution.extend({ ticker: z.string() })),
    rest: Contribution,
    total: Contribution,
  }),
  /** Calendar years. `figure_notes` says under `analysis.annual.real` and the like why a column is null. */
  annual: z.array(
    z.object({ year: z.int(), nominal: Figure, real: Figure, reference_nominal: Figure, reference_real: Figure }),
  ),
})
export type Analysis = z.infer<typeof Analysis>
