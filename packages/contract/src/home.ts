import { z } from 'zod'
import { LeftOutCount, Sentence } from './answers.ts'
import { SplicedTickers } from './backtest-figures.ts'
import { route } from './route.ts'

const tag = 'Home'

/** Steps of the checklist, in the order in which they are suggested. */
export const CHECKLIST_STEPS = ['backtest', 'strategy', 'data', 'account', 'deployment'] as const
export type ChecklistStep = (typeof CHECKLIST_STEPS)[number]

/** Results on each of the two lists of Home. */
export const HOME_RESULTS = 3
/** Points of a small chart; the first and the last day of the result are among them. */
export const HOME_CURVE_POINTS = 60

export const HomeResult = z.object({
  backtest_id: z.int(),
  name: z.string(),
  strategy_name: z.string(),
  created_at: z.iso.datetime(),
  /** First and last bar of the result. */
  start_date: z.iso.date(),
  end_date: z.iso.date(),
  cagr: z.number().nullable(),
  sharpe: z.number().nullable(),
  max_drawdown: z.number(),
  /** Why a figure is null, as the end of "n/a because …", under its name. */
  figure_notes: z.record(z.string(), Sentence),
  synthetic: z.boolean(),
  /** Whose prices stood in for a ticker before it had its own; also before the first bar of the result. */
  spliced_tickers: SplicedTickers,
  /** What one dollar became, flows left out. */
  growth: z.array(z.number()).max(HOME_CURVE_POINTS),
})
export type HomeResult = z.infer<typeof HomeResult>

export const getHomeResults = route({
  method: 'GET',
  path: '/api/home/results',
  access: 'signed in',
  scope: 'read',
  tag,
  summary:
    'The newest backtests, saved or not, and the best saved ones by Sharpe ratio, one of each strategy, with small curves.',
  answer: z.object({ latest: z.array(HomeResult), best: z.array(HomeResult), left_out: LeftOutCount }),
})

export const HomeAlert = z.object({
  source: z.enum(['deployment', 'account']),
  /** The id of the deployment or of the account, as `source` says. */
  id: z.int(),
  name: z.string(),
  level: z.enum(['warning', 'error']),
  text: z.string(),
  /** When it happened; null for what is so now. */
  at: z.iso.datetime().nullable(),
})
export type HomeAlert = z.infer<typeof HomeAlert>

export const getHomeAlerts = route({
  method: 'GET',
  path: '/api/home/alerts',
  access: 'signed in',
  scope: 'read',
  tag,
  summary:
    'What needs attention: deployments that do not trade although they run, the newest warning of each deployment in ' +
    'the last 7 days, and brokerage accounts that are not verified.',
  answer: z.object({ alerts: z.array(HomeAlert) }),
})

const Checklist = z.object({
  done: z.array(z.enum(CHECKLIST_STEPS)),
  hidden: z.boolean(),
})
export type Checklist = z.infer<typeof Checklist>

export const getChecklist = route({
  method: 'GET',
  path: '/api/home/checklist',
  access: 'signed in',
  scope: 'read',
  tag,
  summary:
    'Which of the first steps the user has completed. A step stays completed when what it created is deleted later.',
  answer: Checklist,
})

export const hideChecklist = route({
  method: 'PUT',
  path: '/api/home/checklist',
  access: 'signed in',
  tag,
  summary: 'Hide the checklist, or show it again.',
  body: z.object({ hidden: z.boolean('hidden must be true or false.') }),
  answer: Checklist,
})
