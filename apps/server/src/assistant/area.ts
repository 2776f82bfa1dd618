import type { AnyAction } from './action.ts'
import type { AnyTool, Caller } from './tool.ts'

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
