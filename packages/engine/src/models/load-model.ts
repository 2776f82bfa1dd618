import { loadBoosting } from './boosting/model.ts'
import { loadForest } from './forest/model.ts'
import { loadLinear } from './linear/model.ts'
import { damagedFile, readModelFile } from './model-file.ts'
import type { Model } from './model.ts'

/** Reads what `save` of any model wrote, now or in an older release. */
export function loadModel(bytes: Uint8Array): Model {
  const file = readModelFile(bytes)
  switch (file.kind) {
    case 'forest':
      return loadForest(file)
    case 'boosting':
      return loadBoosting(file)
    case 'linear':
      return loadLinear(file)
    default:
      throw damagedFile()
  }
}
