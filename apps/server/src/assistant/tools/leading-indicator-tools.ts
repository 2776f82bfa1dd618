import { formatDate } from '@tradewright/core/time'
import { z } from 'zod'
import { type CorrelationDeps, findCorrelations } from '../../leading-indicators/correlations.ts'
import { defineTool } from '../tool.ts'
import { rounded } from './backtest-facts.ts'

const MAX_LISTED = 20

export const leadingIndicatorTools = (deps: CorrelationDeps) => ({
  getLeadingIndicators: defineTool({
    name: 'get_leading_indicators',
    description:
      "Which other series' metrics preceded a ticker's returns: lagged correlations with p-values, also adjusted for how many pairs were tried.",
    note: 'Looking for leading indicators',
    input: z.object({
      ticker: z.string().trim().min(1).max(60),
      period_days: z.int().min(30).max(3650).default(365),
      min_correlation: z.number().min(0).max(1).default(0.1),
    }),
    async run({ userId, signal }, { ticker, period_days, min_correlation }) {
      const query = {
        ticker,
        minCorrelation: min_correlation,
        periodDays: period_days,
        limit: MAX_LISTED,
        lagDays: undefined,
      }
      const found = await findCorrelations(deps, userId, query, signal)
      return {
        ticker: found.ticker,
        start_date: formatDate(found.period.from),
        end_date: formatDate(found.period.to),
        pairs_tested: found.tested,
        indicators: found.indicators.map((one) => ({
          ticker: one.ticker,
          metric: one.metric,
          lag_days: one.lag,
          correlation: rounded(one.correlation),
          p_value: rounded(one.pValue),
          adjusted_p_value: rounded(one.adjustedPValue),
          feature: one.feature.name,
        })),
        synthetic: found.synthetic,
        notes: found.notes,
      }
    },
  }),
})

export type LeadingIndicatorTools = ReturnType<typeof leadingIndicatorTools>
