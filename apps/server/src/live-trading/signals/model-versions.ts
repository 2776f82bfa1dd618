import type { ModelVersion } from '@tradewright/engine/live/model-versions'
import { loadModel } from '@tradewright/engine/models/catalogue'
import type { ModelBytes } from '../ports/signal-service.ts'

/** Stored models as the engine takes them: each is read when it decides. */
export const versionsOf = (models: readonly ModelBytes[]): ModelVersion[] =>
  models.map(({ version, after, bytes }) => ({ version, after, load: () => loadModel(bytes) }))
