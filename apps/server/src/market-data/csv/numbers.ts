/** How spreadsheets and vendors write "nothing here". */
const NOTHING: ReadonlySet<string> = new Set(['', '.', '-', 'nan', 'null', 'none', 'n/a', 'na', '#n/a'])

const THOUSANDS = /^[-+]?\d{1,3}(,\d{3})+(\.\d+)?$/
const DECIMAL_COMMA = /^[-+]?\d+,\d+$/

/** NaN for an empty cell, undefined for what is no number. Plain numbers keep every bit of what was written. */
export function readNumber(text: string, delimiter: string): number | undefined {
  const direct = text === '' ? Number.NaN : Number(text)
  if (Number.isFinite(direct)) return direct
  if (NOTHING.has(text.toLowerCase())) return Number.NaN
  const bare = text.replace(/^([-+]?)\$/, '$1').replaceAll(/[\s_]/g, '')
  const plain = plainDigits(bare, delimiter)
  const value = plain === '' ? Number.NaN : Number(plain)
  return Number.isFinite(value) ? value : undefined
}

function plainDigits(text: string, delimiter: string): string {
  // Where commas separate no cells they separate decimals, as in Germany or France.
  if (delimiter !== ',' && DECIMAL_COMMA.test(text)) return text.replace(',', '.')
  return THOUSANDS.test(text) ? text.replaceAll(',', '') : text
}
