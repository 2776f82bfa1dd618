/**
 * The number of a text with an exponent, `1e9` or `$2.5E-3`, as spreadsheets paste it; null for any other text. A number
 * field drops letters, which would leave 19 of `1e9`.
 */
export function exponentOf(text: string): number | null {
  const plain = text.replaceAll(/[\s,$%×]/g, '')
  if (!/^[+-]?(\d+\.?\d*|\.\d+)e[+-]?\d+$/i.test(plain)) return null
  const value = Number(plain)
  return Number.isFinite(value) ? value : null
}

/** Whether a key would write something that belongs to no number, such as the `e` of `1e9`. */
export const isStrayLetter = (key: string): boolean => key.length === 1 && /\p{L}/u.test(key)
