/** Boosting in plain TypeScript: the oracle that the WebAssembly kernel must equal to the last bit. */
import { MISSING_CODE } from '../column-edges.ts'
import {
  exponential,
  bestRounds,
  gradientScale,
  MIN_GAIN,
  logisticLoss,
  sampleRound,
  shouldStopEarly,
  startMargin,
  type BoostedTree,
  type BoostingGrowth,
  type BoostingJob,
  LEAF,
} from './booster.ts'

const f = Math.fround

interface Split {
  column: number
  missingLeft: boolean
  cut: number
  leftG: number
  leftH: number
  contrast: number
}

export function growReferenceBoosting(job: BoostingJob): BoostingGrowth {
  const places = [...job.trainRows, ...job.validationRows, ...job.testRows]
  const trainCount = job.trainRows.length
  const validationEnd = trainCount + job.validationRows.length
  const baseMargin = startMargin(job)
  const margins = new Float64Array(places.length).fill(baseMargin)
  const trees: BoostedTree[] = []
  const losses: number[] = []
  let testMargins = margins.slice(validationEnd)
  for (let round = 0; round < job.settings.rounds; round++) {
    trees.push(growRound(job, places, margins, round))
    if (job.validationRows.length > 0) {
      losses.push(logisticLoss(margins.slice(trainCount, validationEnd), job.labels, job.validationRows))
    }
    const early = job.settings.earlyStoppingRounds !== null && losses.length > 0
    if (!early || bestRounds(losses) === losses.length) testMargins = margins.slice(validationEnd)
    if (shouldStopEarly(losses, job.settings.earlyStoppingRounds)) break
  }
  const early = job.settings.earlyStoppingRounds !== null && losses.length > 0
  const rounds = early ? bestRounds(losses) : trees.length
  return {
    baseMargin,
    rounds,
    trees: job.keepTrees ? trees.slice(0, rounds) : [],
    testMargins,
    validationLosses: losses,
  }
}

function growRound(job: BoostingJob, places: number[], margins: Float64Array, round: number): BoostedTree {
  const { settings } = job
  const trainCount = job.trainRows.length
  const scale = gradientScale(trainCount, settings.lambda)
  const lambda = f(settings.lambda * scale)
  const minGain = f(Math.max(settings.gamma, MIN_GAIN) * scale)
  const minChildWeight = Math.max(1, f(settings.minChildWeight * scale))
  const { teaches, columns } = sampleRound(job, round)
  const gradients = new Float64Array(trainCount)
  const hessians = new Float64Array(trainCount)
  for (let i = 0; i < trainCount; i++) {
    const probability = 1 / (1 + exponential(-margins[i]!))
    gradients[i] = Math.floor((probability - job.labels[places[i]!]!) * scale + 0.5)
    hessians[i] = Math.max(1, Math.floor(probability * (1 - probability) * scale + 0.5))
  }
  const codeAt = (column: number, place: number) =>
    job.matrix.codes[job.columns[column]! * job.matrix.rowCount + places[place]!]!
  /** Orders the splits of a node as XGBoost's gain does; see gain.ts of the kernel. */
  const contrastOf = (leftG: number, leftH: number, g: number, h: number) => {
    const x = f(f(leftH) + lambda)
    const y = f(f(h - leftH) + lambda)
    const difference = f(f(f(leftG) * y) - f(f(g - leftG) * x))
    return f(f(difference * difference) / f(x * y))
  }

  const bestSplit = (learned: number[], g: number, h: number, least: number): Split | null => {
    let best: Split | null = null
    let bestContrast = least
    columns.forEach((column) => {
      const binG = new Float64Array(256)
      const binH = new Float64Array(256)
      for (const place of learned) {
        binG[codeAt(column, place)]! += gradients[place]!
        binH[codeAt(column, place)]! += hessians[place]!
      }
      for (const missingLeft of binH[MISSING_CODE] === 0 ? [false] : [false, true]) {
        let leftG = missingLeft ? binG[MISSING_CODE]! : 0
        let leftH = missingLeft ? binH[MISSING_CODE]! : 0
        for (let cut = 0; cut < MISSING_CODE; cut++) {
          leftG += binG[cut]!
          leftH += binH[cut]!
          if (f(leftH) < minChildWeight || f(h - leftH) < minChildWeight) continue
          const contrast = contrastOf(leftG, leftH, g, h)
          if (contrast > bestContrast) {
            bestContrast = contrast
            best = { column, missingLeft, cut, leftG, leftH, contrast }
          }
        }
      }
    })
    return best
  }

  const links: number[] = []
  const numbers: number[] = []
  const grow = (learned: number[], routed: number[], g: number, h: number, depth: number): number => {
    const index = links.length / 3
    const value = (-settings.eta * g) / (h + lambda)
    links.push(LEAF, 0, 0)
    numbers.push(value, 0)
    const freeContrast = f(f(f(f(g) * f(g)) / f(f(h) + lambda)) * lambda)
    const wholeH = f(f(f(h) + lambda) + lambda)
    const splittable = depth < settings.maxDepth && learned.length > 1 && f(h) >= f(2 * minChildWeight)
    const split = splittable ? bestSplit(learned, g, h, f(freeContrast + f(minGain * wholeH))) : null
    if (split === null) {
      for (const place of [...learned, ...routed]) margins[place]! += value
      return index
    }
    links[index * 3] = (split.column << 9) | (split.missingLeft ? 0x100 : 0) | split.cut
    numbers[index * 2 + 1] = f(f(split.contrast - freeContrast) / wholeH) / scale
    const goesLeft = (place: number) => {
      const code = codeAt(split.column, place)
      return code === MISSING_CODE ? split.missingLeft : code <= split.cut
    }
    const child = (side: boolean) => ({
      learned: learned.filter((place) => goesLeft(place) === side),
      routed: routed.filter((place) => goesLeft(place) === side),
    })
    const left = child(true)
    const right = child(false)
    const growLeft = () => grow(left.learned, left.routed, split.leftG, split.leftH, depth + 1)
    const growRight = () => grow(right.learned, right.routed, g - split.leftG, h - split.leftH, depth + 1)
    // The child with the smaller sum of hessians is numbered first, as in the kernel.
    const leftFirst = split.leftH <= h - split.leftH
    const first = leftFirst ? growLeft() : growRight()
    const second = leftFirst ? growRight() : growLeft()
    links[index * 3 + 1] = leftFirst ? first : second
    links[index * 3 + 2] = leftFirst ? second : first
    return index
  }

  const all = [...places.keys()]
  const learned = all.filter((place) => place < trainCount && (teaches === null || teaches[place] === 1))
  const routed = all.filter((place) => place >= trainCount || (teaches !== null && teaches[place] === 0))
  const sum = (values: Float64Array) => learned.reduce((total, place) => total + values[place]!, 0)
  grow(learned, routed, sum(gradients), sum(hessians), 0)
  return { links: Int32Array.from(links), numbers: Float64Array.from(numbers) }
}
