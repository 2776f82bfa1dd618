import { Problem } from '@tradewright/core/problem'
import { HttpFailure } from '../http/http-failure.ts'
import { httpClient, type HttpSurroundings } from '../http/http-client.ts'

const MAX_BYTES = 2 * 1024 * 1024

/** Reads a page as text. The surroundings must bring the guarded transport: the address was chosen by a user. */
export const pageReader =
  (surroundings: HttpSurroundings) =>
  async (address: string, signal: AbortSignal): Promise<string> => {
    const url = new URL(address)
    const http = httpClient({ service: 'documentation', baseUrl: url.origin, maxBytes: MAX_BYTES }, surroundings)
    try {
      return textOf(await http.text({ path: url.pathname + url.search, signal }))
    } catch (error) {
      if (!(error instanceof HttpFailure)) throw error
      const sentence = `The documentation at ${url.host} cannot be read: ${error.message}.`
      throw new Problem('invalid', 'provider.documentation', sentence, { cause: error })
    }
  }

/** The words of an HTML page; other text stays as it is. */
export function textOf(page: string): string {
  if (!/<html|<body|<!doctype/i.test(page)) return page
  return withoutUnread(page)
    .replaceAll(/<\/(p|div|li|tr|h\d|pre|table)>|<br\s*\/?>/gi, '\n')
    .replaceAll(/<[^<>]*>/g, ' ')
    .replaceAll(/&(lt|gt|amp|quot|nbsp|#39);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/\n\s+/g, '\n')
    .trim()
}

/**
 * Removes parts that hold no text. In one pass, since the page was chosen by a user: a part that never ends is left in.
 */
function withoutUnread(page: string): string {
  const lower = page.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  const opening = /<(script|style|svg|head)\b/g
  const endless = new Set<string>()
  let kept = ''
  let from = 0
  for (let found = opening.exec(lower); found; found = opening.exec(lower)) {
    const name = found[1]!
    if (endless.has(name)) continue
    const end = lower.indexOf(`</${name}>`, opening.lastIndex)
    if (end < 0) {
      endless.add(name)
      continue
    }
    kept += `${page.slice(from, found.index)} `
    from = end + name.length + 3
    opening.lastIndex = from
  }
  return kept + page.slice(from)
}

const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&nbsp;': ' ',
  '&#39;': "'",
}
