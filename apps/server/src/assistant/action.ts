import { Problem } from '@tradewright/core/problem'
import { z } from 'zod'
import { actionTagsIn } from '@tradewright/core/action-tags'
import type { ToolDeclaration } from './model.ts'

/**
 * Something that changes data or starts work. It is only ever offered as a button: nothing but a user's own press, in a
 * call of their own session, runs it. There is none that trades on a live account, and none that deletes.
 */
interface Action<Input = unknown> {
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
function labelFor<Input>(action: Pick<Action<Input>, 'label'>, input: Input): string {
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

export const actionTag = (action: ActionObject): string => `[ACTION:${JSON.stringify(action)}]`

/** A button for an action of ours. */
export const buttonFor = <Input extends object>(action: Pick<Action<Input>, 'type' | 'label'>, input: Input): string =>
  actionTag({ label: labelFor(action, input), type: action.type, ...input })

/** Text that comes from data cannot declare a button: where it is quoted, the tag is one no longer. */
export const withoutTags = (text: string): string =>
  text.replaceAll(/([[<]\s*\/?\s*)ACTION/g, (_, before: string) => `${before}action`)

/** The same for every text in a value, keys included. */
export function withoutTagsInside(value: unknown): unknown {
  if (typeof value === 'string') return withoutTags(value)
  if (Array.isArray(value)) return value.map(withoutTagsInside)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [withoutTags(key), withoutTagsInside(part)]))
}

/** Gives each button that does something our own words for what it does; what is no valid action stays as it was. */
export function withHonestLabels(text: string, actions: readonly AnyAction[]): string {
  let settled = ''
  let from = 0
  for (const tag of actionTagsIn(text)) {
    settled += text.slice(from, tag.start) + (honest(tag.json, actions) ?? text.slice(tag.start, tag.end))
    from = tag.end
  }
  return settled + text.slice(from)
}

function honest(json: string, actions: readonly AnyAction[]): string | undefined {
  const object = parsedObject(json)
  const action = actions.find(({ type }) => type === object?.['type'])
  if (!object || !action) return undefined
  try {
    return actionTag({ ...object, label: labelFor(action, inputOf(action, object)) })
  } catch {
    return undefined
  }
}

function parsedObject(json: string): ActionObject | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ActionObject) : undefined
  } catch {
    return undefined
  }
}

/** On whose behalf, and until when. Everything a tool or an action reads and does is that user's own. */
export interface Caller {
  readonly userId: number
  readonly username: string
  readonly signal: AbortSignal
}

/** A use case that only reads or computes, so that a model may call it by itself. */
interface Tool<Input = unknown, Output = unknown> {
  readonly name: string
  /** For the model. */
  readonly description: string
  /** For the user, while it works: `Looking at your strategies`. */
  readonly note: string
  readonly input: z.ZodType<Input>
  run(caller: Caller, input: Input): Promise<Output>
}

/** A tool whose types only it knows, as lists of tools hold it. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyTool = Tool<any>

export const defineTool = <Input, Output>(tool: Tool<Input, Output>): Tool<Input, Output> => tool

export const declarationOf = ({ name, description, input }: AnyTool): ToolDeclaration => ({
  name,
  description,
  parameters: parametersOf(input),
})

/** JSON Schema as models read it: without the dialect's address. */
export function parametersOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...parameters } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return parameters
}

/** A common question that the built-in assistant answers with tools and a template. */
export interface Topic {
  /** How a user would ask, for the list of what it can do; a topic that takes the rest has none. */
  readonly example?: string
  /** `words` is the question in lower case. */
  matches(words: string, question: string): boolean
  answer(caller: Caller, question: string): Promise<string>
}

/** One of the sidebar's quick actions. */
export interface QuickAction {
  readonly type: string
  readonly label: string
  /** The question to a connected model in its place. */
  readonly prompt: string
  /** The built-in assistant's answer. */
  answer(caller: Caller): Promise<string>
}

/** An area's contribution to the assistant; the wiring joins all of them. */
export interface AssistantArea {
  readonly tools: readonly AnyTool[]
  readonly actions?: readonly AnyAction[]
  readonly topics?: readonly Topic[]
  readonly quickActions?: readonly QuickAction[]
}

/** All tools, actions and topics of the assistant. */
export interface Abilities {
  readonly tools: readonly AnyTool[]
  readonly actions: readonly AnyAction[]
  readonly topics: readonly Topic[]
  readonly quickActions: readonly QuickAction[]
}

export function joinAreas(areas: readonly AssistantArea[]): Abilities {
  const abilities = {
    tools: areas.flatMap(({ tools }) => tools),
    actions: areas.flatMap(({ actions = [] }) => actions),
    topics: areas.flatMap(({ topics = [] }) => topics),
    quickActions: areas.flatMap(({ quickActions = [] }) => quickActions),
  }
  refuseTwice(abilities.tools.map(({ name }) => name))
  refuseTwice([...abilities.actions, ...abilities.quickActions].map(({ type }) => type))
  return abilities
}

function refuseTwice(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`the assistant knows "${twice}" twice`)
}
