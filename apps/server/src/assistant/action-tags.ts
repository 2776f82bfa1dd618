import { type ActionObject, type AnyAction, inputOf } from './action.ts'

/** The three ways to write a tag; upper case only. */
const OPENINGS = [
  { open: '[ACTION:', close: ']' },
  { open: '[ACTION]', close: '[/ACTION]' },
  { open: '<ACTION>', close: '</ACTION>' },
] as const

export const actionTag = (action: ActionObject): string => `[ACTION:${JSON.stringify(action)}]`

/** A button for an action of ours. */
export const buttonFor = <Input extends object>(action: { type: string; label(input: Input): string }, input: Input) =>
  actionTag({ label: action.label(input), type: action.type, ...input })

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
  for (const tag of tagsIn(text)) {
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
    return actionTag({ ...object, label: action.label(inputOf(action, object)) })
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

interface FoundTag {
  readonly start: number
  readonly end: number
  readonly json: string
}

export function tagsIn(text: string): FoundTag[] {
  const tags: FoundTag[] = []
  for (let from = 0; ;) {
    const next = OPENINGS.map((form) => ({ form, start: text.indexOf(form.open, from) }))
      .filter(({ start }) => start >= 0)
      .sort((a, b) => a.start - b.start)[0]
    if (!next) return tags
    const { form, start } = next
    const begin = start + form.open.length
    const length = objectLength(text.slice(begin))
    const after = length === undefined ? undefined : begin + length + spaceAt(text, begin + length)
    if (length !== undefined && after !== undefined && text.startsWith(form.close, after)) {
      tags.push({ start, end: after + form.close.length, json: text.slice(begin, begin + length) })
      from = after + form.close.length
    } else from = begin
  }
}

const spaceAt = (text: string, from: number): number => /^\s*/.exec(text.slice(from))![0].length

/** How far a JSON object reaches that begins the text: brackets inside its strings do not count. */
function objectLength(text: string): number | undefined {
  const first = spaceAt(text, 0)
  if (text[first] !== '{') return undefined
  let depth = 0
  let isInString = false
  for (let at = first; at < text.length; at++) {
    const letter = text[at]
    if (isInString) {
      if (letter === '\\') at++
      else if (letter === '"') isInString = false
    } else if (letter === '"') isInString = true
    else if (letter === '{') depth++
    else if (letter === '}' && --depth === 0) return at + 1
  }
  return undefined
}
