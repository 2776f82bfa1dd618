/** The parts of a result in their order; the name is the word in the address. */
export const RESULT_SECTIONS = [
  { name: 'overview', label: 'Overview' },
  { name: 'risk', label: 'Risk' },
  { name: 'periods', label: 'Periods' },
  { name: 'robustness', label: 'Robustness' },
  { name: 'trades', label: 'Trades' },
  { name: 'data', label: 'Data' },
] as const

export type ResultSectionName = (typeof RESULT_SECTIONS)[number]['name']

export const sectionId = (name: ResultSectionName): string => `result-${name}`

/** The section that the query of an address asks for. */
export const askedSection = (query: URLSearchParams): ResultSectionName | undefined =>
  RESULT_SECTIONS.find(({ name }) => name === query.get('section'))?.name

/** The query that leads to a section; the first one needs no word. */
export function queryTo(before: URLSearchParams, name: ResultSectionName): URLSearchParams {
  const query = new URLSearchParams(before)
  if (name === 'overview') query.delete('section')
  else query.set('section', name)
  return query
}
