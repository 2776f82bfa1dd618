import { type BoardMaterial, shareMaterial } from '@tradewright/engine/robustness/material'
import { deserialize } from 'node:v8'

/** A compute task: material that another process packed, for all threads of this one. */
export const run = (packed: Uint8Array): BoardMaterial => shareMaterial(deserialize(packed) as BoardMaterial)
