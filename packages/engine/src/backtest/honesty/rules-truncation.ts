import type { SeriesSource } from '../../features/feature-matrix.ts'
import { RulesEvaluator } from '../../rules/evaluator.ts'
import { type RulesBars, type RulesInputs, rulesInputs } from '../../rules/inputs.ts'
import type { RulesProgram } from '../../rules/program.ts'
import type { RulesTruncation } from '../rules-result.ts'
import { cutRows, knownBy } from './truncation-check.ts'

/**
 * Computes every feature again from what was known at some instants of the run, makes every check up to there again, and
 * compares both with those of the run.
 */
export function checkRulesTruncation(
  program: RulesProgram,
  inputs: RulesInputs,
  bars: RulesBars,
  seriesOf: SeriesSource,
): RulesTruncation {
  const failed = new Set<string>()
  let [checkedDecisions, failedDecisions] = [0, 0]
  const cuts = cutRows(bars.timestamps.length)
  for (const row of cuts) {
    const known = knownBy(seriesOf, bars.decisionAt[row]!)
    const shorter = {
      ...bars,
      timestamps: bars.timestamps.subarray(0, row + 1),
      decisionAt: bars.decisionAt.subarray(0, row + 1),
    }
    const again = rulesInputs(program, shorter, known)
    program.features.forEach(({ label }, i) => {
      if (!isBeginning(again.columns[i]!, inputs.columns[i]!)) failed.add(label)
    })
    const [whole, part] = [new RulesEvaluator(program, inputs), new RulesEvaluator(program, again)]
    for (let bar = 0; bar <= row; bar++) {
      const [a, b] = [whole.evaluate(bar), part.evaluate(bar)]
      if (!a && !b) continue
      checkedDecisions++
      if (a?.trades !== b?.trades || !a || !b || !isBeginning(a.weights, b.weights)) failedDecisions++
    }
  }
  return {
    passed: failed.size === 0 && failedDecisions === 0,
    checkedInstants: cuts.length,
    failedFeatures: [...failed],
    checkedDecisions,
    failedDecisions,
  }
}

const isBeginning = (part: Float64Array, whole: Float64Array): boolean =>
  part.every((value, row) => Object.is(value, whole[row]))
