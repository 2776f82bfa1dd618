import type { StudyRequest } from '@tradewright/contract/studies'
import type { z } from 'zod'
import type { StudyOrder } from '../../studies/study.ts'
import { toDomain as backtestToDomain } from '../backtests/form.ts'
import { invalidField } from '../input/form-values.ts'

/** Reads the body of a study; a Problem says in a sentence which field is wrong. */
export function toDomain(body: z.output<typeof StudyRequest>): Omit<StudyOrder, 'variants' | 'labels'> {
  const { order } = backtestToDomain(body.backtest)
  const { strategy, ...settings } = order.request
  if (strategy.kind !== 'rules') throw invalidField('A parameter study needs a strategy of type Rules.')
  return {
    request: {
      backtest: { ...settings, strategy },
      numbers: body.numbers,
      method: body.method,
      count: body.count,
      seed: body.seed,
      holdOutPct: body.hold_out_pct,
      measure: body.measure,
    },
    strategyName: order.strategyName,
    provider: order.provider,
    retriesData: order.retriesData ?? false,
    config: order.config,
  }
}
