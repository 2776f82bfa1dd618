import type { Model } from '../../models/model.ts'
import type { ModelVersion } from '../model-versions.ts'

/** A deployment that was trained once. */
export const onlyVersion = (model: Model): ModelVersion[] => [{ version: 1, after: null, load: () => model }]
