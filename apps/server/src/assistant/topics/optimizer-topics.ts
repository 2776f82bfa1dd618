import type { Topic } from '../action.ts'
import type { OptimizerTools, LeadingIndicatorTools } from '../tools/optimizer-tools.ts'
import {
  count,
  date,
  fallbackNote,
  paragraphs,
  percent,
  plain,
  ratio,
  signedPercent,
  SYNTHETIC_NOTE,
  table,
  pValue,
} from '../words.ts'
import { tickersIn } from './market-topics.ts'

const NO_RUNS = 'You have no optimizer runs yet. Start one in the [Optimizer](/optimizer).'
const MAX_ROWS = 8

export const optimizerTopic = (tools: OptimizerTools): Topic => ({
  example: 'What did my last optimizer run find?',
  matches: (words) =>
    /\boptimi[sz](er|ation)\b.*\bruns?\b|\bruns?\b.*\boptimi[sz](er|ation)\b|last optimi[sz]/.test(words),
  async answer(caller) {
    const { runs } = await tools.listRuns.run(caller, {})
    const [newest] = runs
    if (!newest) return NO_RUNS
    const ended = runs.find(({ status }) => status === 'completed')
    const found = ended ? (await tools.getRun.run(caller, ended)).result : null
    return paragraphs(
      table(
        ['Run', 'Target', 'Started', 'Status', 'Generations', 'Best fitness'],
        runs
          .slice(0, MAX_ROWS)
          .map((run) => [
            String(run.run_id),
            plain(run.target_assets.join(', ')),
            date(run.created),
            plain(run.status),
            `${run.generations_done} of ${run.generations_planned}`,
            fitness(run.metric, run.best_fitness),
          ]),
      ),
      ended && found
        ? `Run ${ended.run_id} found ${count(found.best_features.length)} features: ${plain(found.best_features.join('; '))}. In the test windows: accuracy ${percent(found.accuracy)}, Sharpe ${ratio(found.sharpe)}, CAGR ${signedPercent(found.cagr)}.${holdOut(found.hold_out)}${holding(found.buy_and_hold)}`
        : undefined,
      found
        ? `${count(found.trials)} sets were tried. ${plain(found.luck.words)}: ${plain(found.luck.sentence)}`
        : undefined,
      ended?.synthetic === true && SYNTHETIC_NOTE,
      fallbackNote(ended?.fallback_prices ?? []),
      '[Optimizer](/optimizer)',
    )
  },
})

/** As the Optimizer shows it. */
const fitness = (metric: string, value: number | null): string =>
  metric === 'sharpe' ? ratio(value) : percent(value, 2)

const holdOut = (scores: { accuracy: number | null; sharpe: number | null; cagr: number | null } | null): string =>
  scores
    ? ` On the hold-out that no generation saw: accuracy ${percent(scores.accuracy)}, Sharpe ${ratio(scores.sharpe)}, CAGR ${signedPercent(scores.cagr)}.`
    : ''

interface HoldingFacts {
  test_windows: { cagr: number | null }
  hold_out: { cagr: number | null } | null
}

const holding = (held: HoldingFacts | null): string =>
  held
    ? ` Always holding the buy allocation: CAGR ${signedPercent(held.test_windows.cagr)} in the test windows${held.hold_out ? `, ${signedPercent(held.hold_out.cagr)} on the hold-out` : ''}.`
    : ''

const MAX_INDICATOR_ROWS = 10
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
          .slice(0, MAX_INDICATOR_ROWS)
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
