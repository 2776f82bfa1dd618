import type { SearchReport } from '@tradewright/engine/optimizer/report'
import { type Judgement, unknown } from '@tradewright/engine/optimizer/verdicts'

type Luck = SearchReport['luck']

/** Reports from before winners were compared with holding have neither its figures nor its curves. */
export const wasComparedWithHolding = ({ details }: SearchReport): boolean =>
  (details as Partial<SearchReport['details']>).holding !== undefined

const NOT_COMPARED = 'the run is from before winners were compared with always holding the buy allocation; rerun it'

/** Such reports measured profit against zero, so their verdicts about it are withdrawn. */
export function luckOf(report: SearchReport): Luck {
  const { luck } = report
  if (wasComparedWithHolding(report)) return luck
  const withdrawn: Judgement = unknown(NOT_COMPARED)
  return {
    ...luck,
    holdOut: { ...withdrawn, value: luck.holdOut.value },
    deflated: withdrawn,
    activeSharpe: null,
    summary: withdrawn,
  }
}
