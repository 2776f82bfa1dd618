import { z } from 'zod'
import type { OptimizationSettings } from '../../optimizer/run.ts'
import { startRun, type StartDeps } from '../../optimizer/start-run.ts'
import { defineAction } from '../action.ts'
import { plain } from '../words.ts'
import { IsoDate } from '../tools/iso-date.ts'

interface OptimizerActionDeps extends StartDeps {
  /** Reads the Optimizer's form; a Problem says which field is wrong. */
  readonly settingsOf: (fields: Readonly<Record<string, unknown>>) => OptimizationSettings
}

/** Percent change, RSI, MACD, volatility and momentum: a small but varied start. */
const USUAL_FEATURES = [1, 7, 8, 11, 13]
const WINDOWS = [5, 10, 14, 20, 30]
const NEXT_BAR_DIRECTION = 1

/** Searches features for one ticker, small enough to end in reasonable time. */
export const startOptimizerRunAction = (deps: OptimizerActionDeps) =>
  defineAction({
    type: 'start_optimizer_run',
    description:
      'Start an optimizer run that searches good features for predicting one ticker. feature_ids are ids of list_features.',
    input: z.object({
      target: z.string().trim().min(1).max(60),
      start_date: IsoDate,
      end_date: IsoDate,
      feature_ids: z.array(z.int()).min(1).max(20).default(USUAL_FEATURES),
      population: z.int().min(2).max(100).default(20),
      generations: z.int().min(1).max(50).default(8),
    }),
    label: ({ target, start_date, end_date, population, generations }) =>
      `Start optimizer run for ${target} (${start_date} to ${end_date}, population ${population}, ${generations} generations)`,
    async run({ userId }, { target, start_date, end_date, feature_ids, population, generations }) {
      const settings = deps.settingsOf({
        target_asset: target,
        target_id: NEXT_BAR_DIRECTION,
        feature_types: feature_ids,
        window_sizes: WINDOWS,
        start_date,
        end_date,
        population_size: population,
        generations,
        walk_forward_enabled: true,
      })
      const id = await startRun(deps, userId, settings)
      return `Optimizer run ${id} for **${plain(target)}** has started. It continues on its own; follow it in the [Optimizer](/optimizer), or ask me later what it found.`
    },
  })
