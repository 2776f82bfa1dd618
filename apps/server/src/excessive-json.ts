const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/** What a text has too much of. Asked before it is parsed: millions of small values take a hundred times their bytes in memory. */
export function excessOfJson(
  json: Buffer,
  most: { readonly values: number; readonly depth: number },
): 'values' | 'depth' | undefined {
  let [values, depth] = [0, 0]
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]!
    if (byte === QUOTE) at = endOfText(json, at)
    else if (byte === COMMA) values += 1
    else if (OPENING.has(byte)) [values, depth] = [values + 1, depth + 1]
    else if (CLOSING.has(byte)) depth -= 1
    if (values > most.values) return 'values'
    if (depth > most.depth) return 'depth'
  }
  return undefined
}

/** Where the text that begins at `start` has its closing quotation mark, or the file its end. */
function endOfText(json: Buffer, start: number): number {
  for (let at = start + 1; ;) {
    const quote = json.indexOf(QUOTE, at)
    if (quote < 0) return json.length
    let before = quote
    while (json[before - 1] === BACKSLASH) before -= 1
    if ((quote - before) % 2 === 0) return quote
    at = quote + 1
  }
}
