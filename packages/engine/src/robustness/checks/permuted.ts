import { Random } from '@tradewright/core/random'
import { graded } from '../../optimizer/verdicts.ts'
import { type Check, ratio, skip } from '../check.ts'
import { histogramOf } from '../histogram.ts'
import type { DecisionTape } from '../material.ts'
import { figuresOf, heldPlaces, replay } from '../replay.ts'
import { joinedColumn } from './bootstrap-check.ts'

const PERMUTATIONS_PER_PART = 25
/** With fewer stretches the shuffled histories are all alike. */
const MIN_STRETCHES = 4

/** Whether it matters when the strategy held what it held. */
export const permutedCheck: Check<Float64Array> = {
  key: 'permuted',
  label: 'Against shuffled signals',
  explain:
    'Shuffles the same holdings randomly over the same prices: as much time in each of them, as many trades, ' +
    'but at other times. Timing that knows something beats nearly all of these.',
  whyNot: ({ kind, tape }) => {
    if (kind === 'allocation') return 'fixed percentages give no signals that could be shuffled'
    if (stretchesOf(tape).length < MIN_STRETCHES) return `what is held changed fewer than ${MIN_STRETCHES} times`
    return undefined
  },
  parts: ({ permutations }) => Math.ceil(permutations / PERMUTATIONS_PER_PART),
  run({ material, effort, seed }, part) {
    const random = new Random(seed)
    const count = Math.min(PERMUTATIONS_PER_PART, effort.permutations - part * PERMUTATIONS_PER_PART)
    return Float64Array.from({ length: count }, () => {
      const tape = shuffledTape(material.tape, random)
      return figuresOf(material, replay(material, { tape })).sharpe ?? 0
    })
  },
  join({ figures }, parts) {
    if (figures.sharpe === null) return skip('the strategy has no Sharpe ratio')
    const actual = figures.sharpe
    const sharpes = joinedColumn(parts)
    const better = sharpes.filter((one) => one >= actual).length
    const p = (1 + better) / (1 + sharpes.length)
    return {
      judgement: {
        ...graded(p, p <= 0.05, p <= 0.2, [
          'Timing is better than chance',
          'Timing may be chance',
          'Timing looks like chance',
        ]),
        sentence: `${better} of ${sharpes.length} shuffled histories reach the Sharpe ratio of ${ratio(actual)}: p = ${p.toFixed(3)}.`,
      },
      summary: `Sharpe ratio of ${sharpes.length} histories with the same holdings in random order.`,
      figures: [{ label: 'p-value', unit: 'ratio', value: p }],
      details: histogramOf(sharpes, actual, 'ratio', { from: actual }),
    }
  },
}

interface Stretch {
  readonly place: number
  readonly bars: number
}

/** Bars in a row with the same decision in force. */
function stretchesOf(tape: DecisionTape): Stretch[] {
  const held = heldPlaces(tape)
  const stretches: Stretch[] = []
  let from = 0
  for (let bar = 1; bar <= held.length; bar++) {
    if (bar < held.length && held[bar] === held[from]) continue
    stretches.push({ place: held[from]!, bars: bar - from })
    from = bar
  }
  return stretches
}

/** Fisher-Yates of the stretches, then turned on the circle of bars, so that few stretches have many arrangements. */
function shuffledTape(tape: DecisionTape, random: Random): DecisionTape {
  const stretches = stretchesOf(tape)
  for (let i = stretches.length - 1; i > 0; i--) {
    const other = random.below(i + 1)
    ;[stretches[i], stretches[other]] = [stretches[other]!, stretches[i]!]
  }
  const bars = tape.decisions.length
  const nothing = tape.weights.length
  const held = new Int32Array(bars)
  let at = random.below(bars)
  for (const { place, bars: length } of stretches) {
    for (let i = 0; i < length; i++) {
      held[at] = place < 0 ? nothing : place
      at = at + 1 === bars ? 0 : at + 1
    }
  }
  const decisions = held.map((place, bar) => (bar > 0 && held[bar - 1] === place ? -1 : place))
  return { decisions, weights: [...tape.weights, new Float64Array(tape.weights[0]?.length ?? 0)] }
}
