import { definitionOf, isModelKind } from './catalogue.ts'
import { damagedFile, readModelFile } from './model-file.ts'
import type { Model } from './model.ts'

/** Reads what `save` of any model wrote, now or in an older release. */
export function loadModel(bytes: Uint8Array): Model {
  const file = readModelFile(bytes)
  if (!isModelKind(file.kind)) throw damagedFile()
  return definitionOf(file.kind).load(file)
}
