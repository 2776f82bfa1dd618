/** The three ways to write the tag of an action button into a text; upper case only. */
const OPENINGS = [
  { open: '[ACTION:', close: ']' },
  { open: '[ACTION]', close: '[/ACTION]' },
  { open: '<ACTION>', close: '</ACTION>' },
] as const

export interface ActionTag {
  readonly start: number
  readonly end: number
  readonly json: string
}

const ANY_OPENING = /\[ACTION:|\[ACTION\]|<ACTION>/g
/** No button needs more; it bounds the work for a text of openings that are never closed. */
const MAX_TAG_LENGTH = 4_000

/** Every tag that is complete, in the order of the text; its JSON is not read beyond its end. */
export function actionTagsIn(text: string): ActionTag[] {
  const tags: ActionTag[] = []
  let end = 0
  for (const { 0: open, index: start } of text.matchAll(ANY_OPENING)) {
    if (start < end) continue
    const { close } = OPENINGS.find((form) => form.open === open)!
    const begin = start + open.length
    const length = objectLength(text.slice(begin, begin + MAX_TAG_LENGTH))
    if (length === undefined) continue
    const after = begin + length + spaceAt(text, begin + length)
    if (!text.startsWith(close, after)) continue
    end = after + close.length
    tags.push({ start, end, json: text.slice(begin, begin + length) })
  }
  return tags
}

const spaceAt = (text: string, from: number): number => /^\s*/.exec(text.slice(from, from + MAX_TAG_LENGTH))![0].length

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

/** Where a tag begins that the text does not finish; its length where there is none. For text that is still coming. */
export function unfinishedTagAt(text: string): number {
  const done = actionTagsIn(text).at(-1)?.end ?? 0
  const rest = text.slice(done)
  const begun = OPENINGS.map(({ open }) => rest.lastIndexOf(open)).filter((start) => start >= 0)
  const partly = OPENINGS.flatMap(({ open }) => lettersOf(open, rest))
  const first = Math.min(...begun, ...partly)
  return Number.isFinite(first) ? done + first : text.length
}

/** Where the text ends with the beginning of a tag's first word. */
function lettersOf(open: string, text: string): number[] {
  for (let length = open.length - 1; length > 0; length--) {
    if (text.endsWith(open.slice(0, length))) return [text.length - length]
  }
  return []
}
