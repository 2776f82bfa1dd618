import { type Board, type BoardPart, joinBoard } from '@tradewright/engine/robustness/board'
import type { BoardMaterial } from '@tradewright/engine/robustness/material'

interface JoinPayload {
  readonly material: BoardMaterial
  readonly seed: number
  readonly parts: readonly BoardPart[]
  /** In the order of the parts. */
  readonly results: readonly unknown[]
}

/** A compute task: the board of all parts. */
export const run = ({ material, seed, parts, results }: JoinPayload): Board => joinBoard(material, seed, parts, results)
