import { defaultRange, treeNumbers } from '@tradewright/core/rules/numbers'
import { STUDY_LIMITS, studyMeasureKeys, studyMethods } from '@tradewright/core/rules/study'
import { featureName } from '@tradewright/engine/features/catalogue'
import { z } from 'zod'
import { statusOf } from '../jobs/job.ts'
import { BacktestedStrategy } from '../proposals/proposed-strategy.ts'
import {
  cancelStudy,
  findStudy,
  type OwnStudiesDeps,
  plannedStudy,
  startStudy,
  studySettingsOf,
} from '../studies/study-job.ts'
import { askedRun, type AskedRunDeps } from './research-tools.ts'
import { studyLink, variantsLink, studyFacts, studyOutcome, studySummary, defineMcpTool } from './resources.ts'

type StudyToolDeps = OwnStudiesDeps & AskedRunDeps

const { variants, holdOutPct } = STUDY_LIMITS
/** A tree may have hundreds. */
const MAX_NUMBERS_LISTED = 80
const MAX_LISTED = 20
const MAX_PATH_LENGTH = 300

const RuleStrategy = BacktestedStrategy.omit({ allocation: true })
const StudyId = z.object({ study_id: z.int() })
const NumberRange = z.object({
  path: z.string().max(MAX_PATH_LENGTH).describe('Of list_strategy_numbers.'),
  from: z.number(),
  to: z.number(),
  step: z.number(),
})

export const studyTools = (deps: StudyToolDeps) => [
  defineMcpTool({
    name: 'list_strategy_numbers',
    title: 'List the numbers of a strategy',
    description:
      'The numbers of a strategy of rules that a parameter study can vary, with their limits and a range to begin with.',
    scopes: ['research'],
    effect: 'reads',
    input: RuleStrategy,
    async run({ userId }, input) {
      const settings = studySettingsOf(await askedRun(deps, userId, input), NO_CHOICES)
      const numbers = treeNumbers(settings.request.backtest.strategy.tree, featureName)
      return {
        data: {
          total: numbers.length,
          numbers: numbers.slice(0, MAX_NUMBERS_LISTED).map((number) => {
            const { path, label, value, isWhole, min, max } = number
            const { from, to, step } = defaultRange(number)
            return { path, label, value, is_whole: isWhole, min, max, range: { from, to, step } }
          }),
        },
      }
    },
  }),
  defineMcpTool({
    name: 'start_parameter_study',
    title: 'Start a parameter study',
    description:
      'Backtest a strategy of rules with other numbers, and judge how much of the best variant is luck. It runs in ' +
      'the background: get_parameter_study has its status and what it found, cancel_parameter_study ends it. Nothing is ' +
      'saved as a strategy or a backtest.',
    scopes: ['research'],
    effect: 'computes',
    input: RuleStrategy.extend({
      numbers: z.array(NumberRange).min(1).max(STUDY_LIMITS.numbers),
      method: z.enum(studyMethods).default('grid').describe('Every combination of the values, or a random sample.'),
      count: z.int().min(2).max(variants).default(500).describe('Variants of a random search.'),
      seed: z.int().min(0).max(2_147_483_647).default(42).describe('Of a random search.'),
      hold_out_pct: z
        .number()
        .min(holdOutPct.min)
        .max(holdOutPct.max)
        .default(holdOutPct.default)
        .describe('The last part of the period, which the choice of the best variant never sees.'),
      measure: z.enum(studyMeasureKeys).default('sharpe').describe('What the best variant is chosen by.'),
    }),
    async run({ userId }, { numbers, method, count, seed, hold_out_pct, measure, ...strategy }) {
      const run = await askedRun(deps, userId, strategy)
      const choices = { numbers, method, count, seed, holdOutPct: hold_out_pct, measure }
      const study = await startStudy(deps, userId, plannedStudy(studySettingsOf(run, choices), deps.clock))
      return {
        summary: `Parameter study ${study.id} of ${study.settings.variants} variants has started.`,
        data: studyFacts(study),
        links: [studyLink(study.id)],
      }
    },
  }),
  defineMcpTool({
    name: 'get_parameter_study',
    title: 'Read a parameter study',
    description:
      'The status of a parameter study; once it is complete, its best variant and how much of it may be luck.',
    scopes: ['read', 'research'],
    effect: 'reads',
    input: StudyId,
    async run({ userId }, { study_id: id }) {
      const study = await findStudy(deps, userId, id)
      const results = study.outcome ? await deps.studies.results(id) : []
      return {
        summary: studySummary(study, results),
        data: studyOutcome(study, results),
        links: study.outcome ? [studyLink(id), variantsLink(id)] : [studyLink(id)],
      }
    },
  }),
  defineMcpTool({
    name: 'list_parameter_studies',
    title: 'List parameter studies',
    description: 'The newest parameter studies with their status, including those of calls whose answer was lost.',
    scopes: ['read', 'research'],
    effect: 'reads',
    input: z.object({}),
    async run({ userId }) {
      const studies = await deps.studies.list(userId)
      return { data: { total: studies.length, studies: studies.slice(0, MAX_LISTED).map(studyFacts) } }
    },
  }),
  defineMcpTool({
    name: 'cancel_parameter_study',
    title: 'Cancel a parameter study',
    description: 'End a parameter study that is in progress. One that has ended stays as it is.',
    scopes: ['research'],
    effect: 'computes',
    input: StudyId,
    async run({ userId }, { study_id: id }) {
      const study = await cancelStudy(deps, userId, id)
      return { data: { study_id: id, status: statusOf(study) }, links: [studyLink(id)] }
    },
  }),
]

/** Stands for the choices of a study where none is started. */
const NO_CHOICES = { numbers: [], method: 'grid', count: 2, seed: 0, holdOutPct: 0, measure: 'sharpe' } as const
