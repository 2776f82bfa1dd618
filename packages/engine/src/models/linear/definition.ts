import type { ModelDefinition, TrainingData } from '../model-definition.ts'
import { fitLinear } from './fit.ts'
import { loadLinear } from './model.ts'

const fitted = (columns: readonly Float64Array[], { labels, trainRows, isCancelled }: TrainingData) =>
  fitLinear(columns, labels, trainRows, isCancelled)

export const linear: ModelDefinition<undefined> = {
  defaults: undefined,
  readsCodes: false,
  isGrownInParts: false,
  fit: (data) => fitted(data.columns(), data),
  predict(data, _, rows) {
    const columns = data.columns()
    return fitted(columns, data).predict(columns, rows)
  },
  load: loadLinear,
}
