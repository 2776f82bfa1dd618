import { answerCode, answerOf, compare, least, most, NO, operandAt, UNKNOWN, YES } from './conditions.ts'
import type { ProgramCondition, ProgramOperand } from './program.ts'
import type { RulesInputs } from './inputs.ts'
import type { RulesState } from './state.ts'

/** What the conditions of a program answered at the last check, and what latches and streaks remember of earlier ones. */
export class ConditionAnswers {
  readonly #conditions: readonly ProgramCondition[]
  readonly #inputs: RulesInputs
  /** By condition: 1 is yes, 0 no, -1 no answer. */
  readonly answers: Int8Array
  readonly #streaks: Int32Array
  /** Whether every condition has known answers, so that none has to be kept. */
  readonly #allKnown: boolean
  #bar = 0

  constructor(conditions: readonly ProgramCondition[], inputs: RulesInputs, state: RulesState | undefined) {
    this.#conditions = conditions
    this.#inputs = inputs
    this.answers = Int8Array.from(conditions, ({ key }) => answerCode(state?.answers[key]))
    this.#streaks = Int32Array.from(conditions, ({ key }) => state?.streaks[key] ?? 0)
    this.#allKnown = inputs.known?.answers.every((answers) => answers !== undefined) ?? false
  }

  readonly valueOf = (operand: ProgramOperand): number => operandAt(operand, this.#inputs.columns, this.#bar)

  readonly of = (place: number): number =>
    this.#allKnown ? this.#inputs.known!.answers[place]![this.#bar]! : this.answers[place]!

  answerAt(bar: number): void {
    this.#bar = bar
    if (this.#allKnown) return
    const known = this.#inputs.known?.answers
    const { answers } = this
    for (let i = 0; i < answers.length; i++) {
      const column = known?.[i]
      answers[i] = column ? column[bar]! : this.#answer(this.#conditions[i]!, i)
    }
  }

  state(): Pick<RulesState, 'answers' | 'streaks'> {
    return {
      answers: Object.fromEntries(this.#conditions.map(({ key }, i) => [key, answerOf(this.answers[i]!)])),
      streaks: Object.fromEntries(
        this.#conditions.flatMap(({ key, kind }, i) => (kind === 'streak' ? [[key, this.#streaks[i]!]] : [])),
      ),
    }
  }

  #answer(condition: ProgramCondition, place: number): number {
    const answers = this.answers
    if (condition.kind === 'compare') {
      return compare(condition, this.valueOf(condition.left), this.valueOf(condition.right), answers[place]!)
    }
    if (condition.kind === 'all') return least(condition.of, answers)
    if (condition.kind === 'any') return most(condition.of, answers)
    if (condition.kind === 'not') return answers[condition.of] === UNKNOWN ? UNKNOWN : 1 - answers[condition.of]!
    if (condition.kind === 'streak') {
      const now = answers[condition.of]!
      this.#streaks[place] = now === YES ? this.#streaks[place]! + 1 : 0
      if (now !== YES) return now
      return this.#streaks[place] >= condition.checks ? YES : NO
    }
    const [enter, exit] = [answers[condition.enter]!, answers[condition.exit]!]
    if (exit === YES) return NO
    if (enter === YES) return YES
    return answers[place] === UNKNOWN && enter === NO && exit === NO ? NO : answers[place]!
  }
}
