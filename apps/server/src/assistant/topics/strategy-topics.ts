import { kindNamed } from '@tradewright/core/strategy-kinds'
import { z } from 'zod'
import { type QuickAction, type Topic, actionTag, type Caller } from '../action.ts'
import type { BacktestTools } from '../tools/backtest-tools.ts'
import type { StrategyTools, featureTools } from '../tools/strategy-tools.ts'
import { dataWords, fallbackNote, paragraphs, plain, ratio, signedPercent, SYNTHETIC_NOTE, table } from '../words.ts'
import { backtestWords, studioLink, namedIn } from './backtest-topics.ts'

type Tools = Pick<StrategyTools, 'listStrategies'> & Pick<BacktestTools, 'getBacktest'>
type Listed = Awaited<ReturnType<StrategyTools['listStrategies']['run']>>['strategies'][number]

const NO_STRATEGIES =
  'You have no saved strategies yet. Run one in the [Backtest Studio](/backtest) and press Save above the result.'
const MAX_ROWS = 10
const MAX_BUTTONS = 4

export function strategyTopics(tools: Tools): { topics: Topic[]; analyze: QuickAction } {
  const list = async (caller: Caller) => (await tools.listStrategies.run(caller, {})).strategies
  return {
    topics: [
      {
        example: 'What is my best strategy?',
        matches: (words) => /\b(best|top|strongest|rank)/.test(words) && /strateg/.test(words),
        answer: async (caller) => best(await list(caller)),
      },
      {
        example: 'Analyze my strategy “…”',
        matches: (words) =>
          (/\b(analy[sz]e|explain|review|tell me about)\b/.test(words) && /strateg/.test(words)) ||
          /\bwhat (?:does|would|did) my strategy\b.*\b(?:do|hold|held|earn|work)\b/.test(words),
        answer: async (caller, question) => analysis(tools, caller, question, await list(caller)),
      },
      {
        example: 'List my strategies',
        matches: (words) => /\b(list|show|which|what|my|have)\b.*strategies\b/.test(words) && !/^why\b/.test(words),
        answer: async (caller) => listing(await list(caller)),
      },
    ],
    analyze: {
      type: 'analyze_strategy',
      label: 'Analyze Strategy',
      prompt:
        'Analyze my best strategy that has a saved backtest: what it earned, at what risk, what its checks say, what I should doubt. Then name the others I could look at.',
      answer: async (caller) => analysis(tools, caller, '', await list(caller)),
    },
  }
}

function best(strategies: readonly Listed[]): string {
  const tested = strategies.filter(({ latest_backtest }) => latest_backtest)
  if (strategies.length === 0) return NO_STRATEGIES
  if (tested.length === 0) return untested(strategies)
  const [first] = tested
  return paragraphs(
    `By CAGR of its latest saved backtest, your best strategy is **${plain(first!.name)}** with **${signedPercent(first!.latest_backtest!.cagr)}** a year.`,
    ranking(tested),
    tested.some(({ latest_backtest }) => latest_backtest!.synthetic) && SYNTHETIC_NOTE,
    fallbackNote(shown(tested).flatMap(({ latest_backtest }) => latest_backtest!.fallback_prices)),
    'The periods may differ: compare the backtests themselves before you choose. [All strategies](/strategies)',
  )
}

const untested = (strategies: readonly Listed[]): string =>
  `None of your ${strategies.length} strategies has a saved backtest, so there is nothing to rank. Run one in the [Backtest Studio](/backtest) and press Save above the result.`

const ranking = (strategies: readonly Listed[]): string =>
  table(
    ['Strategy', 'CAGR', 'Sharpe', 'Total return', 'Max drawdown', 'Data'],
    shown(strategies).map(({ name, latest_backtest: latest }) => [
      plain(name),
      signedPercent(latest?.cagr),
      ratio(latest?.sharpe),
      signedPercent(latest?.total_return),
      signedPercent(latest?.max_drawdown),
      latest ? dataWords(latest) : 'no backtest',
    ]),
  )

const shown = (strategies: readonly Listed[]) => strategies.slice(0, MAX_ROWS)

function listing(strategies: readonly Listed[]): string {
  if (strategies.length === 0) return NO_STRATEGIES
  const more = strategies.length > MAX_ROWS ? `The first ${MAX_ROWS} of ${strategies.length}. ` : ''
  const fallbacks = shown(strategies).flatMap(({ latest_backtest: latest }) => latest?.fallback_prices ?? [])
  return paragraphs(ranking(strategies), fallbackNote(fallbacks), `${more}[All strategies](/strategies)`)
}

/** The one that the question names, else the best; buttons lead to the others. */
async function analysis(
  tools: Tools,
  caller: Caller,
  question: string,
  strategies: readonly Listed[],
): Promise<string> {
  if (strategies.length === 0) return NO_STRATEGIES
  const [named] = namedIn(question, strategies)
  const chosen = named ?? strategies.find(({ latest_backtest }) => latest_backtest)
  if (!chosen) return untested(strategies)
  const others = strategies.filter((one) => one !== chosen && one.latest_backtest).slice(0, MAX_BUTTONS)
  const latest = chosen.latest_backtest
  return paragraphs(
    latest
      ? backtestWords(chosen.name, await tools.getBacktest.run(caller, latest), studioLink({ ...chosen, ...latest }))
      : `**${plain(chosen.name)}** has no saved backtest yet. Open it from [Strategies](/strategies), run it, and save the result.`,
    others.map(({ name }) => actionTag({ label: `Analyze strategy “${name}”`, type: 'ask' })).join('\n'),
  )
}

type FeatureTopicTools = typeof featureTools & StrategyTools
const Features = z.array(z.object({ id: z.union([z.number(), z.string()]) }))
const MAX_FEATURE_ROWS = 12

/** Features that an ML strategy does not use yet. */
export function featureTopics(tools: FeatureTopicTools): { topic: Topic; addFeature: QuickAction } {
  const answer = (caller: Caller) => featureWords(tools, caller)
  return {
    topic: {
      example: 'Which features can I add?',
      matches: (words) => /\bfeatures?\b/.test(words) && !/\blead/.test(words),
      answer,
    },
    addFeature: {
      type: 'add_feature',
      label: 'Add Feature',
      prompt:
        'Look at my newest ML strategy and the catalogue of features. Suggest two or three features that it does not use yet, say why each might carry new information, and how to add them in the Backtest Studio.',
      answer,
    },
  }
}

async function featureWords(tools: FeatureTopicTools, caller: Caller): Promise<string> {
  const { features } = await tools.listFeatures.run(caller, {})
  const used = await usedFeatures(tools, caller)
  const names = new Set(used?.ids.map(String) ?? [])
  const others = features.filter(({ id, name }) => !names.has(String(id)) && !names.has(name))
  return paragraphs(
    used
      ? `**${plain(used.name)}** uses ${used.ids.length} of ${features.length} features. Not used yet:`
      : `There are ${features.length} features. You have no ML strategy yet, so none is in use:`,
    table(
      ['Feature', 'What it measures'],
      others.slice(0, MAX_FEATURE_ROWS).map(({ name, description }) => [plain(name), plain(description)]),
    ),
    others.length > MAX_FEATURE_ROWS && `And ${others.length - MAX_FEATURE_ROWS} more.`,
    'Add one in the [Backtest Studio](/backtest) (strategy type ML, Features), or let the [Optimizer](/optimizer) search for a good set. Whether it helps shows only in the test windows.',
  )
}

async function usedFeatures({ listStrategies, getStrategy }: FeatureTopicTools, caller: Caller) {
  const { strategies } = await listStrategies.run(caller, {})
  const newest = strategies
    .filter(({ type }) => kindNamed(type).learns)
    .toSorted((a, b) => (a.updated < b.updated ? 1 : -1))[0]
  if (!newest) return undefined
  const { settings } = await getStrategy.run(caller, newest)
  const rows = Features.safeParse(settings['features'])
  return { name: newest.name, ids: rows.success ? rows.data.map(({ id }) => id) : [] }
}
