import { treeProblems } from '@tradewright/core/rules/problems'
import { rulesExamples } from '@tradewright/core/rules/examples'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compileRules, rulesProblems } from './compile.ts'
import { RulesEvaluator } from './evaluator.ts'
import type { RulesState } from './state.ts'
import { DAYS, firstRows, inputsOf, market, randomTree } from './test-support/random-trees.ts'

function decisions(evaluator: RulesEvaluator, from: number, to: number) {
  return Array.from({ length: to - from }, (_, i) => {
    const check = evaluator.evaluate(from + i)
    return check && { weights: [...check.weights], trades: check.trades }
  })
}

const RUNS = { numRuns: 60, seed: 20 }

it('decides the same bar by bar from stored state, on growing data, as over the whole history', () => {
  fc.assert(
    fc.property(randomTree, fc.integer(), fc.integer({ min: 1, max: DAYS.length - 1 }), (given, seed, cut) => {
      const program = compileRules(given)
      const series = market(seed)
      const whole = decisions(new RulesEvaluator(program, inputsOf(program, series)), 0, DAYS.length)
      // Only what was known at the cut, as a deployment has it on that day.
      const known = inputsOf(program, firstRows(series, cut), cut)
      let state: RulesState | undefined
      const lived = Array.from({ length: cut }, (_, bar) => {
        const evaluator = new RulesEvaluator(program, known, state)
        const [decided] = decisions(evaluator, bar, bar + 1)
        state = JSON.parse(JSON.stringify(evaluator.state())) as RulesState
        return decided
      })
      expect(lived).toEqual(whole.slice(0, cut))
      const after = decisions(new RulesEvaluator(program, inputsOf(program, series), state), cut, DAYS.length)
      expect(after).toEqual(whole.slice(cut))
    }),
    RUNS,
  )
})

it('never holds less than nothing or more than everything', () => {
  fc.assert(
    fc.property(randomTree, fc.integer(), (given, seed) => {
      const program = compileRules(given)
      for (const decided of decisions(new RulesEvaluator(program, inputsOf(program, market(seed))), 0, DAYS.length)) {
        if (!decided) continue
        expect(Math.min(0, ...decided.weights)).toBe(0)
        expect(decided.weights.reduce((sum, weight) => sum + weight, 0)).toBeLessThan(1 + 1e-9)
      }
    }),
    RUNS,
  )
})

it('finds nothing wrong with trees that can be evaluated, nor with the examples', () => {
  fc.assert(
    fc.property(randomTree, (given) => {
      expect(rulesProblems(given)).toEqual([])
    }),
    RUNS,
  )
  for (const { key, tree: example } of rulesExamples) {
    expect(treeProblems(example), key).toEqual([])
    expect(rulesProblems(example), key).toEqual([])
  }
})
