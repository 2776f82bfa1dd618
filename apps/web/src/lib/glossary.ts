import { glossaryEntries, plainWords } from '@tradewright/core/guide'
import text from '../../../../docs/glossary.md?raw'

const meanings = new Map(
  glossaryEntries(text).flatMap(({ names, meaning }) => names.map((name) => [name, plainWords(meaning)] as const)),
)

/** What the glossary says about a term, by any of its names; undefined where it has none of it. */
export const meaningOf = (term: string): string | undefined => meanings.get(term.toLowerCase())
