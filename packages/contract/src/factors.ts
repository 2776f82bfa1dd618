import { FACTOR_LIMITS } from '@tradewright/core/factor-sets'
import { z } from 'zod'
import { Sentence, Success } from './answers.ts'
import { IsoDate } from './backtest-figures.ts'
import { PathId } from './ids.ts'
import { longList } from './long-list.ts'
import { route } from './route.ts'

const tag = 'Factor regression'
const params = z.object({ id: PathId })

export const FACTOR_FILE_MAX_BYTES = 4 * 1024 ** 2

export const FactorFile = z.object({
  id: z.int(),
  name: z.string(),
  frequency: z.enum(['daily', 'monthly']),
  factors: z.array(z.string()).describe('RF among them is the return free of risk'),
  start_date: IsoDate,
  end_date: IsoDate,
  rows: z.int(),
  created_at: z.iso.datetime(),
})
export type FactorFile = z.infer<typeof FactorFile>

export const listFactorFiles = route({
  method: 'GET',
  path: '/api/factor-files',
  access: 'signed in',
  scope: 'read',
  tag,
  summary: "The signed-in user's files of factor returns, newest first.",
  answer: z.object({ files: z.array(FactorFile) }),
})

/** What goes with an uploaded file. */
export const FactorFileFields = z.object({ name: z.string().max(80).optional() })

export const importFactorFile = route({
  method: 'POST',
  path: '/api/factor-files',
  access: 'signed in',
  scope: 'research',
  addsRows: true,
  tag,
  summary:
    'Keep a CSV of factor returns in percent, as in the data library of Kenneth French: a header line, then rows of YYYYMMDD or YYYYMM.',
  upload: {
    fields: FactorFileFields,
    file: 'file',
    maxBytes: FACTOR_FILE_MAX_BYTES,
    description: 'A CSV of at most 4 MB.',
  },
  answer: Success.extend({ file: FactorFile }),
})

export const deleteFactorFile = route({
  method: 'DELETE',
  path: '/api/factor-files/:id',
  access: 'signed in',
  scope: 'research',
  tag,
  summary: 'Delete a file of factor returns.',
  params,
  answer: Success,
})

const { windowMonths } = FACTOR_LIMITS

const Term = z.object({
  coefficient: z.number(),
  /** The standard error by Newey and West. */
  error: z.number(),
  t: z.number().nullable().describe('null where the factors explain the returns exactly: the errors are rounding then'),
  p_value: z.number().nullable(),
})

export const FactorRegression = z.object({
  frequency: z.enum(['daily', 'monthly']),
  start_date: IsoDate,
  end_date: IsoDate,
  n: z.int(),
  lags: z.int(),
  r_squared: z.number(),
  adjusted_r_squared: z.number(),
  alpha: Term.describe('What the factors do not explain, a year'),
  loadings: z.array(Term.extend({ name: z.string(), unit: z.enum(['return', 'per point']) })),
  residual_volatility: z.number(),
  risk_free: z.string(),
  rolling: z
    .object({ dates: longList(IsoDate), alpha: longList(z.number()), loadings: z.array(longList(z.number())) })
    .nullable(),
  rolling_note: Sentence.nullable().describe('Why there are no rolling loadings'),
  synthetic: z.boolean(),
})
export type FactorRegression = z.infer<typeof FactorRegression>

export const regressOnFactors = route({
  method: 'POST',
  path: '/api/backtests/:id/factors',
  access: 'signed in',
  scope: 'research',
  changesNothing: true,
  tag,
  summary:
    'Regress the excess returns of a result, or of one ticker over its days, on series and on factors of a file, with Newey-West errors and rolling loadings. ' +
    'Nothing is kept.',
  params,
  body: z.object({
    series: z
      .array(z.object({ symbol: z.string().min(1).max(40), kind: z.enum(['return', 'change']) }))
      .max(FACTOR_LIMITS.series)
      .default([]),
    ticker: z
      .string()
      .min(1)
      .max(40)
      .optional()
      .describe('Regress this ticker over the days of the result, in place of the result'),
    file: z.object({ id: z.int(), factors: z.array(z.string().max(40)).max(30) }).optional(),
    window_months: z.number().min(windowMonths.min).max(windowMonths.max).default(windowMonths.default),
  }),
  answer: z.object({
    regression: FactorRegression.nullable(),
    not_available: Sentence.nullable().describe('The end of "n/a because …"'),
  }),
})
