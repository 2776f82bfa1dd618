import { RulesTree } from '@tradewright/contract/rules'
import { compileRules } from '@tradewright/engine/rules/compile'
import { randomTree } from '@tradewright/engine/rules/test-support/random-trees'
import fc from 'fast-check'
import { expect, it } from 'vitest'

it('random trees come back from JSON and the schema of the wire as they were, and mean the same', () => {
  fc.assert(
    fc.property(randomTree, (tree) => {
      const read = RulesTree.parse(JSON.parse(JSON.stringify(tree)))
      expect(read).toEqual(tree)
      expect(JSON.stringify(compileRules(read))).toBe(JSON.stringify(compileRules(tree)))
    }),
    { numRuns: 200, seed: 20 },
  )
})
