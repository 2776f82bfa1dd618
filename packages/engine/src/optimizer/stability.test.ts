import { expect, it } from 'vitest'
import type { Generation, Member } from './search.ts'
import { featureStability, stabilityOf, judgeStability } from './verdicts.ts'
import type { WinnerDetails } from './winner.ts'

/** Ten generations of one individual each; the last one swaps its second feature for another that fits better. */
const history: Generation[] = Array.from({ length: 10 }, (_, index) => generationOf(index + 1, index === 9))

function generationOf(number: number, isLast: boolean): Generation {
  const evaluation = { fitness: isLast ? 0.7 : 0.6 } as Member['evaluation']
  const member: Member = { target: 0, genes: isLast ? [4, 9] : [4, 5], evaluation }
  return { number, members: [member], diversity: 0, newEvaluations: 1 }
}

const windows = [{ importances: [0.5, 0.5] }, { importances: [0.5, 0.5] }]
const features = featureStability(history, { windows } as unknown as WinnerDetails)

it('counts every generation: a feature of the last one alone is no stable one', () => {
  expect(features.map(({ gene, generationShare }) => [gene, generationShare])).toEqual([
    [4, 1],
    [9, 0.1],
  ])
})

it('says of how many features the best sets of most generations knew', () => {
  const { sentence, value } = judgeStability(features, stabilityOf(features, history.length))
  expect(sentence).toContain('1 of 2 features were in the best set of most generations')
  expect(value).toBeCloseTo(0.775, 12)
})

it('says nothing of a run that was too short to change its mind', () => {
  expect(judgeStability(features, stabilityOf(features, 2))).toMatchObject({
    verdict: 'unknown',
    sentence: 'It could not be computed because fewer than three generations were bred.',
  })
})
