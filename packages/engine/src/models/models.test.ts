import { Random } from '@tradewright/core/random'
import { describe, expect, it } from 'vitest'
import { type BoostingRequest, fitAndPredictBoosting, fitBoosting, withFoundRounds } from './boosting/model.ts'
import { defaultBoostingSettings, defaultForestSettings, type ForestSettings } from './settings.ts'
import { choiceOf, definitionOf, settingsOf, loadModel } from './catalogue.ts'
import { codeColumns } from './coded-matrix.ts'
import { fitAndPredictForest, fitForest, type ForestRequest } from './forest/fit.ts'
import { encodeLabels, type Model } from './model.ts'
import { fitLinear } from './linear/model.ts'
import { rowRange } from './splits.ts'

/** Column 0 decides the label (with some noise), column 1 is noise with ties, column 2 is constant. */
function planted(rows: number, seed = 1, noise = 0.2) {
  const random = new Random(seed)
  const signal = Float64Array.from({ length: rows }, () => random.float() * 4 - 2)
  const other = Float64Array.from({ length: rows }, () => random.below(9))
  const columns = [signal, other, new Float64Array(rows).fill(3)]
  const labels = Array.from(signal, (value) => ((random.float() < noise ? random.float() - 0.5 : value) > 0 ? 1 : 0))
  return { columns, labels: encodeLabels(labels) }
}

const forest = (
  columns: Float64Array[],
  labels: Int8Array,
  trainRows: Int32Array,
  settings: Partial<ForestSettings> = {},
): ForestRequest => ({
  matrix: codeColumns(columns, trainRows),
  labels,
  trainRows,
  settings: { ...defaultForestSettings, trees: 30, seed: 7, ...settings },
})
const boosting = (columns: Float64Array[], labels: Int8Array, trainRows: Int32Array): BoostingRequest => ({
  matrix: codeColumns(columns, trainRows),
  labels,
  trainRows,
  settings: { ...defaultBoostingSettings, rounds: 20 },
})

/** Every kind of model, fitted the same way. */
const kinds: [string, (columns: Float64Array[], labels: Int8Array, rows: Int32Array) => Model][] = [
  ['forest', (columns, labels, rows) => fitForest(forest(columns, labels, rows)).model],
  ['boosting', (columns, labels, rows) => fitBoosting(boosting(columns, labels, rows)).model],
  ['linear', fitLinear],
]

describe.each(kinds)('%s', (_, fit) => {
  const { columns, labels } = planted(400)
  const train = rowRange(0, 300)
  const model = fit(columns, labels, train)

  it('learns the planted signal', () => {
    const probabilities = model.predict(columns, rowRange(300, 400))
    const right = [...probabilities].filter((p, i) => p > 0.5 === (labels[300 + i] === 1)).length
    expect(right).toBeGreaterThan(75)
    expect(probabilities.every((p) => p >= 0 && p <= 1)).toBe(true)
  })

  it('gives importances that sum to 1, most to the signal and none to a constant column', () => {
    const importances = model.importances()
    expect(importances.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12)
    expect(importances[0]).toBeGreaterThan(0.5)
    expect(importances[2]).toBe(0)
  })

  it('predicts the same to the last bit after saving and loading', () => {
    expect([...loadModel(model.save()).predict(columns)]).toEqual([...model.predict(columns)])
  })

  it('explains a prediction by parts that add up to it', () => {
    for (const row of [0, 150, 399]) {
      const { base, contributions, probability, unit } = model.explain(columns, row)
      const sum = contributions.reduce((total, change) => total + change, base)
      const expected = unit === 'log-odds' ? 1 / (1 + Math.exp(-sum)) : Math.min(1, Math.max(0, sum))
      expect(probability).toBeCloseTo(expected, 9)
      expect(probability).toBeCloseTo(model.predict(columns, Int32Array.of(row))[0]!, 12)
      expect(contributions[2]).toBe(0)
    }
  })

  it('does not care how a column is scaled and shifted', () => {
    const moved = [
      columns[0]!.map((value) => value * 1024 + 65_536),
      columns[1]!.map((value) => value / 4),
      columns[2]!,
    ]
    const other = fit(moved, labels, train).predict(moved)
    model.predict(columns).forEach((probability, row) => expect(other[row]).toBeCloseTo(probability, 9))
  })

  it('leaves out training rows whose label is unknown', () => {
    const unknown = Int8Array.from(labels, (label, row) => (row % 3 === 0 ? -1 : label))
    const known = train.filter((row) => row % 3 !== 0)
    const coarse = columns.map((column) => column.map((value) => Math.round(value * 4) / 4))
    const expected = fit(coarse, labels, known).predict(coarse)
    expect([...fit(coarse, unknown, train).predict(coarse)]).toEqual([...expected])
    expect(() => fit(columns, new Int8Array(400).fill(-1), train)).toThrow('There are no rows to train on.')
  })

  it('answers with the one class there is', () => {
    for (const only of [0, 1]) {
      const probabilities = fit(columns, new Int8Array(400).fill(only), train).predict(columns)
      probabilities.forEach((p) => expect(Math.abs(p - only)).toBeLessThan(0.01))
    }
  })

  it('answers with the base rate when all columns are constant', () => {
    const constant = [new Float64Array(400).fill(1), new Float64Array(400).fill(-5)]
    const rate = labels.subarray(0, 300).reduce((sum, label) => sum + label, 0) / 300
    const probabilities = fit(constant, labels, train).predict(constant)
    const deviation = model.kind === 'forest' ? 0.05 : 1e-6
    probabilities.forEach((p) => expect(Math.abs(p - rate)).toBeLessThan(deviation))
    expect([...fit(constant, labels, train).importances()]).toEqual([0, 0])
  })

  it('refuses to train on nothing', () => {
    expect(() => fit(columns, labels, rowRange(0, 0))).toThrow('There are no rows to train on.')
    expect(() => fit([], labels, train)).toThrow('There are no rows to train on.')
    expect(() => fit([new Float64Array(0)], new Int8Array(0), train)).toThrow('There are no rows to train on.')
  })

  it('learns from a single row, and says nothing about no rows', () => {
    const one = fit(columns, labels, rowRange(7, 8))
    one.predict(columns).forEach((p) => expect(p >= 0 && p <= 1).toBe(true))
    expect(model.predict(columns, rowRange(0, 0))).toHaveLength(0)
    expect(model.predict(columns.map(() => new Float64Array(0)))).toHaveLength(0)
  })

  it('learns from values as large and as small as numbers are', () => {
    const extreme = [
      columns[0]!.map((value) => Math.sign(value) * 2 ** 500 * (1 + Math.abs(value))),
      columns[1]!.map((value) => value * Number.MIN_VALUE),
      columns[2]!,
    ]
    fit(extreme, labels, train)
      .predict(extreme)
      .forEach((p) => expect(p >= 0 && p <= 1).toBe(true))
  })

  it('refuses two million rows by two hundred columns', () => {
    const many = new Float64Array(2_000_000)
    const wide = Array.from({ length: 200 }, () => many)
    expect(() => fit(wide, new Int8Array(many.length), rowRange(0, 10))).toThrow('are too many to train on')
  })

  it('refuses infinite values', () => {
    const infinite = [columns[0]!.map((value, row) => (row === 5 ? Infinity : value)), columns[1]!, columns[2]!]
    expect(() => fit(infinite, labels, train)).toThrow('infinite')
    expect(() => model.predict(infinite)).toThrow('infinite')
  })

  it('refuses rows and columns that do not exist', () => {
    expect(() => fit(columns, labels, Int32Array.of(0, 400))).toThrow(RangeError)
    expect(() => model.predict(columns.slice(1))).toThrow(RangeError)
    expect(() => model.predict(columns, Int32Array.of(400))).toThrow(RangeError)
    expect(() => fit(columns, labels.subarray(1), train)).toThrow(RangeError)
  })

  it('refuses a damaged file', () => {
    const bytes = model.save()
    for (const damaged of [bytes.subarray(0, 5), bytes.subarray(0, bytes.length - 8), bytes.slice().fill(7, 12, 40)]) {
      expect(() => loadModel(damaged)).toThrow('This is not a model file, or it is damaged.')
    }
    const newer = bytes.slice()
    newer[4] = 9
    expect(() => loadModel(newer)).toThrow('version 9')
  })
})

describe('forest', () => {
  it('fits distinct rows exactly with one fully grown tree without bootstrap', () => {
    const random = new Random(3)
    const columns = [0, 1, 2].map(() => Float64Array.from({ length: 500 }, () => random.float()))
    const labels = encodeLabels(Array.from({ length: 500 }, () => random.below(2)))
    const { model, outOfBag } = fitForest(
      forest(columns, labels, rowRange(0, 500), { trees: 1, bootstrap: false, maxFeatures: 1 }),
    )
    expect([...model.predict(columns)]).toEqual([...labels])
    expect(outOfBag).toBeNull()
  })

  it('splits even where a single cut gains nothing, as scikit-learn does', () => {
    const columns = [Float64Array.of(0, 0, 1, 1), Float64Array.of(0, 1, 0, 1)]
    const labels = encodeLabels([0, 1, 1, 0])
    const { model } = fitForest(forest(columns, labels, rowRange(0, 4), { trees: 1, bootstrap: false }))
    expect([...model.predict(columns)]).toEqual([0, 1, 1, 0])
  })

  it('predicts while it grows exactly what the fitted model predicts', () => {
    const { columns, labels } = planted(900, 5)
    const request = forest(columns, labels, rowRange(0, 700), { trees: 300, minSamplesLeaf: 3 })
    const test = rowRange(700, 900)
    const fused = fitAndPredictForest(request, test)
    expect([...fitForest(request).model.predict(columns, test)]).toEqual([...fused])
  })

  it('scores itself out of the bag', () => {
    const { columns, labels } = planted(500, 6)
    const { outOfBag } = fitForest(forest(columns, labels, rowRange(0, 500)))
    expect(outOfBag!.score).toBeGreaterThan(0.75)
    expect(outOfBag!.score).toBeLessThan(1)
    const few = fitForest(forest(columns, labels, rowRange(0, 500), { trees: 1 })).outOfBag!
    expect(few.probabilities.filter((probability) => probability === null).length).toBeGreaterThan(250)
  })

  it('answers with the base rate of the bag when there are fewer rows than min_samples_split', () => {
    const { columns, labels } = planted(10, 8)
    const settings = { trees: 1, bootstrap: false, minSamplesSplit: 11 }
    const { model } = fitForest(forest(columns, labels, rowRange(0, 10), settings))
    const rate = labels.reduce((sum, label) => sum + label, 0) / 10
    expect([...model.predict(columns)]).toEqual(Array.from({ length: 10 }, () => rate))
  })

  it('refuses missing values where it would use them, and only there', () => {
    const { columns, labels } = planted(60)
    const holes = [columns[0]!.map((value, row) => (row < 5 ? NaN : value)), columns[1]!]
    expect(() => fitForest(forest(holes, labels, rowRange(0, 50)))).toThrow('Feature 1 has missing values')
    expect(() => fitAndPredictForest(forest(holes, labels, rowRange(10, 50)), rowRange(0, 10))).toThrow('missing')
    const { model } = fitForest(forest(holes, labels, rowRange(5, 50)))
    expect(() => model.predict(holes)).toThrow('Feature 1 has missing values')
    expect(model.predict(holes, rowRange(50, 60))).toHaveLength(10)
  })

  it.each([
    ['sqrt', 10, 3],
    ['auto', 10, 3],
    ['log2', 10, 3],
    [0.5, 10, 5],
    [4, 10, 4],
    [50, 10, 10],
    ['log2', 1, 1],
  ] as const)('max_features %s of %i columns looks at %i', async (maxFeatures, columns, expected) => {
    const { candidateColumns } = await import('./settings.ts')
    expect(candidateColumns(maxFeatures, columns)).toBe(expected)
  })

  it.each([{ trees: 0 }, { minSamplesLeaf: 0 }, { minSamplesSplit: 1 }, { maxFeatures: 0 }, { maxFeatures: 1.5 }])(
    'refuses %o',
    (settings) => {
      const { columns, labels } = planted(20)
      expect(() => fitForest(forest(columns, labels, rowRange(0, 20), settings))).toThrow('must be')
    },
  )
})

it('linear regression refuses missing values', () => {
  const { columns, labels } = planted(60)
  const holes = [columns[0]!.map((value, row) => (row === 30 ? NaN : value)), columns[1]!]
  expect(() => fitLinear(holes, labels, rowRange(0, 50))).toThrow('Feature 1 has missing values')
  const model = fitLinear(holes, labels, rowRange(31, 60))
  expect(() => model.predict(holes)).toThrow('Feature 1 has missing values')
})

describe('boosting', () => {
  it('answers with the base rate when there are fewer rows than min_child_weight asks for', () => {
    const { columns, labels } = planted(10, 8)
    const request = boosting(columns, labels, rowRange(0, 10))
    const { model } = fitBoosting({ ...request, settings: { ...request.settings, minChildWeight: 50 } })
    const rate = labels.reduce((sum, label) => sum + label, 0) / 10
    model.predict(columns).forEach((p) => expect(p).toBeCloseTo(rate, 5))
  })

  it('uses missing values as a hint of their own', () => {
    const random = new Random(9)
    const labels = encodeLabels(Array.from({ length: 300 }, () => random.below(2)))
    const column = Float64Array.from(labels, (label) => (label === 1 ? NaN : random.float()))
    const { model } = fitBoosting(boosting([column], labels, rowRange(0, 300)))
    const [missing, present] = model.predict([Float64Array.of(NaN, 0.5)])
    expect(missing).toBeGreaterThan(0.9)
    expect(present).toBeLessThan(0.1)
  })

  it('predicts while it grows exactly what the fitted model predicts', () => {
    const { columns, labels } = planted(700, 5)
    const request = boosting(columns, labels, rowRange(0, 600))
    const test = rowRange(600, 700)
    expect([...fitBoosting(request).model.predict(columns, test)]).toEqual([...fitAndPredictBoosting(request, test)])
  })

  it('stops when the validation window gets no better, and keeps the best round', () => {
    const { columns, labels } = planted(600, 5, 0.6)
    const request = boosting(columns, labels, rowRange(0, 300))
    const settings = { ...request.settings, rounds: 200, earlyStoppingRounds: 5 }
    const { rounds, validationLosses } = fitBoosting({ ...request, settings, validationRows: rowRange(300, 600) })
    expect(rounds).toBe(validationLosses.indexOf(Math.min(...validationLosses)) + 1)
    expect(validationLosses.length).toBe(rounds + 5)
  })
})

it('linear regression finds the least-squares line', () => {
  const x = Float64Array.of(0, 1, 2, 3, 4, 5)
  const labels = encodeLabels([0, 0, 1, 0, 1, 1])
  const model = fitLinear([x], labels, rowRange(0, 6))
  // Slope 1/5 (covariance 3.5 over 17.5) through the means 2.5 and 0.5.
  model.predict([x]).forEach((probability, i) => expect(probability).toBeCloseTo(0.5 + 0.2 * (x[i]! - 2.5), 12))
})

it('linear regression takes equal columns by a ridge instead of failing', () => {
  const { columns, labels } = planted(300)
  const twice = [columns[0]!, columns[0]!.slice(), columns[1]!]
  const importances = fitLinear(twice, labels, rowRange(0, 300)).importances()
  expect(importances[0]).toBeCloseTo(importances[1]!, 9)
  expect(importances.every(Number.isFinite)).toBe(true)
})

it('labels other than 0, 1 and null are refused', () => {
  expect(() => encodeLabels([0, 1, 2])).toThrow('Label of row 3 must be 0, 1 or null, was 2.')
  expect(() => encodeLabels([NaN])).toThrow('must be 0, 1 or null')
  expect([...encodeLabels([0, 1, null])]).toEqual([0, 1, -1])
})

it('two million rows by two hundred columns are refused before anything is allocated', () => {
  const column = new Float64Array(2_000_000)
  const columns = Array.from({ length: 200 }, () => column)
  const before = process.memoryUsage().arrayBuffers
  expect(() => codeColumns(columns, rowRange(0, 10))).toThrow('2000000 rows by 200 columns are too many to train on')
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 ** 20)
})

describe('settings by share', () => {
  const { columns, labels } = planted(900, 3, 0.9)
  const [train, test] = [rowRange(0, 600), rowRange(600, 900)]

  it('counts a leaf below 1 as a share of the training rows, rounded up', () => {
    const byShare = fitAndPredictForest(forest(columns, labels, train, { minSamplesLeaf: 0.0501 }), test)
    expect(byShare).toEqual(fitAndPredictForest(forest(columns, labels, train, { minSamplesLeaf: 31 }), test))
    expect(() => fitForest(forest(columns, labels, train, { minSamplesLeaf: 0.6 }))).toThrow(/between/)
  })

  it('weighs a row of boosting by a quarter', () => {
    const request = boosting(columns, labels, train)
    const withSettings = (more: object) =>
      fitAndPredictBoosting({ ...request, settings: { ...request.settings, ...more } }, test)
    expect(withSettings({ minLeafShare: 0.05 })).toEqual(withSettings({ minChildWeight: 7.5 }))
    expect(withSettings({ minLeafShare: 0.05 })).not.toEqual(withSettings({}))
  })

  it('finds few rounds where there is nothing to learn, and more where there is', () => {
    const settings = { ...defaultBoostingSettings, rounds: 150, maxDepth: 2, eta: 0.1, earlyStoppingRounds: 150 }
    const found = (noise: number) => {
      const data = planted(900, 5, noise)
      const request = { matrix: codeColumns(data.columns, train), labels: data.labels, trainRows: train, settings }
      return withFoundRounds(request).settings
    }
    expect(found(0.1).rounds).toBeGreaterThan(2 * found(1).rounds)
    expect(found(1).earlyStoppingRounds).toBeNull()
  })

  it('learns the same whether threads help or not, and in a search', () => {
    const choice = choiceOf('boosting', { rounds: 40, maxDepth: 2, earlyStoppingRounds: 40 })
    const data = {
      columns: () => columns,
      matrix: () => codeColumns(columns, train),
      labels,
      trainRows: train,
      seed: 1,
      isCancelled: () => false,
    }
    const definition = definitionOf(choice.kind)
    const probabilities = definition.predict(data, settingsOf(choice), test)
    expect(definition.fit(data, settingsOf(choice)).predict(columns, test)).toEqual(probabilities)
  })
})
