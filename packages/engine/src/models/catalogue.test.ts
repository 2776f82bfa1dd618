import { modelCatalogue, type ModelKind } from '@tradewright/core/model-catalogue'
import { Random } from '@tradewright/core/random'
import { describe, expect, it } from 'vitest'
import { growBoosting } from './boosting/grow.ts'
import { choiceOf, definitionOf, settingsOf, loadModel } from './catalogue.ts'
import { codeColumns } from './coded-matrix.ts'
import { growForest, forestSlices } from './forest/fit.ts'
import type { Growers, TrainingData } from './model.ts'
import { rowRange } from './splits.ts'

/** The label follows the first column; the second is noise. */
function planted(): TrainingData & { rows: Int32Array } {
  const random = new Random(5)
  const columns = [0, 1].map(() => Float64Array.from({ length: 500 }, () => random.float()))
  const labels = Int8Array.from(columns[0]!, (value) => (value + 0.4 * random.float() > 0.7 ? 1 : 0))
  const trainRows = rowRange(0, 400)
  return {
    columns: () => columns,
    matrix: () => codeColumns(columns, trainRows),
    labels,
    trainRows,
    seed: 11,
    isCancelled: () => false,
    rows: rowRange(400, 500),
  }
}

/** Parts in the wrong order, as threads may deliver them. */
const onThreads: Growers = {
  growForest: async (job, isCancelled) =>
    forestSlices(job, 3)
      .map((slice) => growForest(slice, isCancelled))
      .toReversed(),
  growBoosted: async (job, isCancelled) => growBoosting(job, isCancelled),
}

const smaller: Partial<Record<string, object>> = { trees: { trees: 90 }, rounds: { rounds: 15 } }

describe.each(modelCatalogue)('$label', ({ kind, settings: settingsKind }) => {
  const definition = definitionOf(kind)
  const settings = settingsOf(choiceOf(kind, smaller[settingsKind]))
  const data = planted()
  const model = definition.fit(data, settings)
  const probabilities = [...model.predict(data.columns(), data.rows)]

  it('learns a planted signal', () => {
    const right = probabilities.filter((p, i) => p > 0.5 === (data.labels[400 + i] === 1)).length
    expect(right).toBeGreaterThan(80)
  })

  it('knows its kind', () => {
    expect(model.kind).toBe(kind satisfies ModelKind)
  })

  it('predicts the same to the last bit without keeping the model', () => {
    expect([...definition.predict(data, settings, data.rows)]).toEqual(probabilities)
  })

  it('predicts the same to the last bit after saving and loading', () => {
    const loaded = loadModel(model.save())
    expect(loaded.kind).toBe(kind)
    expect([...loaded.predict(data.columns(), data.rows)]).toEqual(probabilities)
  })

  it('predicts the same to the last bit where threads share the work', async () => {
    const shared = definition.onThreads
    if (!shared) return expect(definition.isGrownInParts).toBe(false)
    const fitted = await shared.fit(data, settings, onThreads)
    expect([...fitted.predict(data.columns(), data.rows)]).toEqual(probabilities)
    expect([...(await shared.predict(data, settings, data.rows, onThreads))]).toEqual(probabilities)
  })
})
