/** Control characters, line ends, and those that hide text or turn its direction around. */
const NOT_SHOWN =
  // oxlint-disable-next-line no-control-regex -- control characters are what it finds
  /[\u0000-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu

/** A text of unknown origin as one line: what is not seen is a space, and what is too long ends in `…`. */
export function plainLine(text: string, maxLength: number): string {
  const line = text.toWellFormed().replaceAll(NOT_SHOWN, ' ').replaceAll(/\s+/g, ' ').trim()
  const letters = Array.from(line)
  return letters.length <= maxLength ? line : `${letters.slice(0, maxLength - 1).join('')}…`
}
