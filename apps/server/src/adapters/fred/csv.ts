import { HttpFailure } from '../http/http-failure.ts'

export interface DatedValue {
  readonly date: string
  readonly value: string
}

/** The download behind FRED's graphs. Older files call the first column DATE. */
export function parseFredCsv(text: string): DatedValue[] {
  const [header = '', ...lines] = text.trim().split(/\r?\n/)
  if (header.startsWith('<')) throw new HttpFailure('malformed', 'it sent a web page instead of data')
  if (!/^(observation_date|date),/i.test(header))
    throw new HttpFailure('malformed', 'it sent something other than its CSV')
  return lines.map((line) => {
    const [date = '', value = ''] = line.split(',')
    return { date, value }
  })
}
