import { type BoardPart, runBoardPart } from '@tradewright/engine/robustness/board'
import type { BoardMaterial } from '@tradewright/engine/robustness/material'

interface PartPayload {
  /** On shared memory. */
  readonly material: BoardMaterial
  readonly part: BoardPart
}

/** A compute task: one part of one check, a fraction of a second. */
export const run = ({ material, part }: PartPayload): unknown => runBoardPart(material, part)
