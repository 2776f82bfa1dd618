import { prepareStudy, type StudyMarket } from '@tradewright/engine/study/evaluate'
import { planStudy, type StudyPlan } from '@tradewright/engine/study/plan'
import { unpackData } from '../optimizer/market-data.ts'
import type { PreparedStudy } from './study.ts'

interface ReadStudy {
  readonly plan: StudyPlan
  readonly market: StudyMarket
}

/** The study that this thread worked on last: most pieces are of the same one. */
let last: (ReadStudy & { readonly key: string }) | undefined

/** The prices of a study, read and arranged once by each thread. */
export function studyMarketOf({ key, request, data }: PreparedStudy): ReadStudy {
  if (last?.key !== key) {
    const { data: prices } = unpackData(Uint8Array.from(data))
    last = { key, plan: planStudy(request), market: prepareStudy(request, prices) }
  }
  return last
}
