/** Control characters, line ends, letters without a shape, and those that hide text or turn its direction around. */
const NOT_SHOWN =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- control characters and marks are what it finds
  /[\u0000-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u2800\u3164\uFE00-\uFE0D\uFEFF\uFFA0\u{E0000}-\u{E0FFF}]/gu
/** Marks upon a letter, more than any language writes: they would cover the lines around it. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu

/** A text of unknown origin as one line: what is not seen is a space, and what is too long ends in `…`. */
export function plainLine(text: string, maxLength: number): string {
  const line = text
    .toWellFormed()
    .replaceAll(NOT_SHOWN, ' ')
    .replaceAll(PILED_MARKS, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const letters = Array.from(line)
  return letters.length <= maxLength ? line : `${letters.slice(0, maxLength - 1).join('')}…`
}
