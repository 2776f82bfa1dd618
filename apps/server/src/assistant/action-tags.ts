import { actionTagsIn } from '@tradewright/core/action-tags'
import { type Action, type ActionObject, type AnyAction, inputOf, labelFor } from './action.ts'

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
