import type { Topic } from '../area.ts'
import type { LeadingIndicatorTools } from '../tools/leading-indicator-tools.ts'
import { count, date, paragraphs, plain, pValue, ratio, SYNTHETIC_NOTE, table } from '../words.ts'
import { tickersIn } from './tickers-in.ts'

const MAX_ROWS = 10
const SIGNIFICANT = 0.05

export const leadingIndicatorTopic = (tools: LeadingIndicatorTools): Topic => ({
  example: 'Which features lead BTC?',
  matches: (words) => /\blead(s|ing)?\b|\bpredicts?\b|goes before/.test(words),
  async answer(caller, question) {
    const [ticker = 'BTC-USD'] = tickersIn(question)
    const found = await tools.getLeadingIndicators.run(caller, { ticker, period_days: 365, min_correlation: 0.1 })
    const { indicators, pairs_tested, synthetic, notes } = found
    const explained = notes.map((note) => `- ${plain(note)}`).join('\n')
    if (indicators.length === 0) {
      return paragraphs(`None of the series tested led the returns of ${plain(found.ticker)}.`, explained)
    }
    const solid = indicators.filter(({ adjusted_p_value }) => adjusted_p_value < SIGNIFICANT).length
    return paragraphs(
      `What led the returns of **${plain(found.ticker)}** from ${date(found.start_date)} to ${date(found.end_date)}, strongest first:`,
      table(
        ['Series', 'Metric', 'Lag', 'Correlation', 'p', 'p adjusted'],
        indicators
          .slice(0, MAX_ROWS)
          .map((one) => [
            plain(one.ticker),
            plain(one.metric),
            `${one.lag_days}d`,
            ratio(one.correlation),
            pValue(one.p_value),
            pValue(one.adjusted_p_value),
          ]),
      ),
      `${count(pairs_tested)} pairs were tested, so about ${count(pairs_tested * SIGNIFICANT)} would pass p < 0.05 by chance alone. After adjusting for that, ${solid === 0 ? '**none of these is convincing**' : `${solid} of these hold`}.`,
      synthetic && SYNTHETIC_NOTE,
      explained,
      'More in the [Optimizer](/optimizer), tab Leading Indicators.',
    )
  },
})
