import { expect, it } from 'vitest'
import { firstSeed, tellShare } from '../../../../scripts/campaign-seeds.ts'
import { runBoard } from './board.ts'
import { type BoardMaterial, FULL_EFFORT } from './material.ts'
import { learnedTiming } from './test-support/learned-timing.ts'
import { allocationStudy, SMALL_EFFORT, timingStudy } from './test-support/studies.ts'

/** SEEDS takes more of each. */
const SEEDS = Number(process.env['SEEDS'] ?? 60)
/** Boards that train 28 models each. */
const MODEL_SEEDS = Math.min(SEEDS, 40)

/** The share of boards that look genuine. */
async function genuineShare(
  name: string,
  materialOf: (seed: number) => BoardMaterial | Promise<BoardMaterial>,
  { seeds = SEEDS, effort = SMALL_EFFORT } = {},
): Promise<number> {
  let genuine = 0
  for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
    if (runBoard(await materialOf(seed), seed, effort).verdict.words === 'Looks genuine') genuine++
  }
  tellShare(`${name}: ${genuine} of ${seeds} look genuine`)
  return genuine / seeds
}

const WITH_MODELS = { seeds: MODEL_SEEDS, effort: { ...SMALL_EFFORT, groups: FULL_EFFORT.groups } }

it.each([
  ['signals of noise on an asset that drifts upwards', (seed: number) => timingStudy(seed, 0)],
  ['signals of noise on an asset that goes nowhere', (seed: number) => timingStudy(seed, 0, 0)],
  ['signals of noise on an asset that falls', (seed: number) => timingStudy(seed, 0, -0.5)],
  ['a mix of assets that go nowhere', (seed: number) => allocationStudy(seed, 0)],
])('calls at most 5 in 100 strategies of noise genuine: %s', async (name, materialOf) => {
  expect(await genuineShare(name, materialOf)).toBeLessThanOrEqual(0.05)
})

it.each([0.3, 0, -0.5])('calls at most 5 in 100 trained models of noise genuine: drift %d', async (drift) => {
  const share = await genuineShare(
    `trained models of noise, drift ${drift}`,
    (seed) => learnedTiming({ seed, edge: 0, drift }),
    WITH_MODELS,
  )
  expect(share).toBeLessThanOrEqual(0.05)
})

interface Planted {
  readonly kind: 'timing' | 'mix' | 'model'
  /** Sharpe ratio: of the asset, what its timing is worth; of a mix, its own. */
  readonly size: number
  readonly years: number
  /** docs/method.md and the screen state that 80 in 100 of these are found. */
  readonly isStated?: true
}

const CURVES: readonly Planted[] = [
  ...[1, 1.25, 1.5, 2].map((size) => ({ kind: 'timing' as const, size, years: 20 })),
  { kind: 'timing', size: 1.75, years: 20, isStated: true },
  ...[1.5, 2, 3].map((size) => ({ kind: 'timing' as const, size, years: 10 })),
  { kind: 'timing', size: 2.5, years: 10, isStated: true },
  ...[0.5, 0.7, 1.1].map((size) => ({ kind: 'mix' as const, size, years: 20 })),
  { kind: 'mix', size: 0.9, years: 20, isStated: true },
  ...[0.9, 1.5].map((size) => ({ kind: 'mix' as const, size, years: 10 })),
  { kind: 'mix', size: 1.2, years: 10, isStated: true },
  ...[2, 3].map((size) => ({ kind: 'model' as const, size, years: 20 })),
  { kind: 'model', size: 3.5, years: 20, isStated: true },
]

/** CURVES=yes tells the shares of every size, too; else those that are stated. */
const POWER = CURVES.filter(({ isStated }) => isStated || process.env['CURVES'] === 'yes')

it.each(POWER)('tells how many planted edges look genuine: %o', async ({ kind, size, years, isStated }) => {
  const name = `${kind} worth a Sharpe ratio of ${size} over ${years} years`
  const share =
    kind === 'model'
      ? await genuineShare(name, (seed) => learnedTiming({ seed, edge: size, drift: 0.3 }), WITH_MODELS)
      : await genuineShare(name, (seed) =>
          kind === 'timing' ? timingStudy(seed, size, 0.3, years) : allocationStudy(seed, size, 3, years),
        )
  if (isStated) expect(share).toBeGreaterThanOrEqual(0.8)
})
