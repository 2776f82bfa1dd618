import { kindNamed } from '@tradewright/core/strategy-kinds'
import { z } from 'zod'
import type { QuickAction, Topic } from '../area.ts'
import type { Caller } from '../tool.ts'
import type { featureTools } from '../tools/feature-tools.ts'
import type { StrategyTools } from '../tools/strategy-tools.ts'
import { paragraphs, plain, table } from '../words.ts'

type Tools = typeof featureTools & StrategyTools
const Features = z.array(z.object({ id: z.union([z.number(), z.string()]) }))
const MAX_ROWS = 12

/** Features that an ML strategy does not use yet. */
export function featureTopics(tools: Tools): { topic: Topic; addFeature: QuickAction } {
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

async function featureWords(tools: Tools, caller: Caller): Promise<string> {
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
      others.slice(0, MAX_ROWS).map(({ name, description }) => [plain(name), plain(description)]),
    ),
    others.length > MAX_ROWS && `And ${others.length - MAX_ROWS} more.`,
    'Add one in the [Backtest Studio](/backtest) (strategy type ML, Features), or let the [Optimizer](/optimizer) search for a good set. Whether it helps shows only in the test windows.',
  )
}

async function usedFeatures({ listStrategies, getStrategy }: Tools, caller: Caller) {
  const { strategies } = await listStrategies.run(caller, {})
  const newest = strategies
    .filter(({ type }) => kindNamed(type).learns)
    .toSorted((a, b) => (a.updated < b.updated ? 1 : -1))[0]
  if (!newest) return undefined
  const { settings } = await getStrategy.run(caller, newest)
  const rows = Features.safeParse(settings['features'])
  return { name: newest.name, ids: rows.success ? rows.data.map(({ id }) => id) : [] }
}
