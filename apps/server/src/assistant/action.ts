import { Problem } from '@tradewright/core/problem'
import { z } from 'zod'
import type { Caller } from './tool.ts'

/**
 * Something that changes data or starts work. It is only ever offered as a button: nothing but a user's own press, in a
 * call of their own session, runs it. There is none that trades on a live account, and none that deletes.
 */
export interface Action<Input = unknown> {
  readonly type: string
  /** For the model: what it does, and when to offer it. */
  readonly description: string
  readonly input: z.ZodType<Input>
  /** The button's text. It is made from the input, so that no text can call a thing what it is not. */
  label(input: Input): string
  /** The outcome, in Markdown. */
  run(caller: Caller, input: Input): Promise<string>
}

// oxlint-disable-next-line typescript/no-explicit-any
export type AnyAction = Action<any>

export const defineAction = <Input>(action: Action<Input>): Action<Input> => action

/** An action as a button carries it. */
export type ActionObject = Readonly<Record<string, unknown>>

/** Longest label on the wire and on a screen, in UTF-16 units. */
const LABEL_LENGTH = 300
const HALF_LETTER = /[\uD800-\uDBFF]$/

/** The words of a button, never longer than a button can be. */
export function labelFor<Input>(action: Pick<Action<Input>, 'label'>, input: Input): string {
  const text = action.label(input).replaceAll(/\s+/g, ' ')
  return text.length <= LABEL_LENGTH ? text : `${text.slice(0, LABEL_LENGTH - 1).replace(HALF_LETTER, '')}…`
}

/** The input of an action; a Problem says what is wrong with it. */
export function inputOf<Input>({ type, input }: Action<Input>, object: ActionObject): Input {
  const given = Object.entries(object).filter(([name]) => name !== 'label' && name !== 'type')
  const parsed = input.safeParse(Object.fromEntries(given))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue?.path.join('.')
  const sentence = `The action "${type}" cannot be carried out: ${where ? `${where}: ` : ''}${issue?.message ?? 'invalid'}.`
  throw new Problem('invalid', 'assistant.action', sentence.replace(/\.+$/, '.'))
}
