import { describe, expect, it } from 'vitest'
import { NO_FILTER, readLine, SECTIONS, sectionOf, shownLines } from './log-lines.ts'

describe('a raw line', () => {
  it('is read into its parts, its time as UTC [LIVE-097, LIVE-100]', () => {
    const text = '2026-11-13 20:30:05,123 - [INFO] - live - decide:42 - Signal: Buy - probability 0.61'
    expect(readLine(text)).toEqual({
      timestamp: '2026-11-13T20:30:05.123Z',
      level: 'INFO',
      logger: 'live',
      place: 'decide:42',
      message: 'Signal: Buy - probability 0.61',
      section: 'Generating Signal',
    })
    expect(readLine(text.replace(' 20:30:05,123', 'T20:30:05.123Z')).timestamp).toBe('2026-11-13T20:30:05.123Z')
  })

  it.each(['Traceback (most recent call last):', '', '2026-11-13 - [INFO] - half a line'])(
    'that cannot be read has the level RAW and stays as it is: %j [LIVE-098]',
    (text) => {
      expect(readLine(text)).toMatchObject({ level: 'RAW', timestamp: null, message: text })
    },
  )

  it.each([
    ['Fetching market data for SPY, TLT', 'Fetching Market Data'],
    ['Loading model trained on 1,250 rows', 'Loading Model'],
    ['Generating signal', 'Generating Signal'],
    ['Executing trades: 2 orders', 'Executing Trades'],
    ['Execution complete in 0.4 s', 'Execution Complete'],
    ['Next execution at 15:30', 'Next Execution'],
    ['Sleeping for 3600 seconds', 'Sleep'],
    ['Status: running', 'Status'],
    ['Status: Stopped: open orders are cancelled, positions are kept.', 'Status'],
    ['Nothing of note', 'Other'],
  ] as const)('"%s" belongs to %s [LIVE-099]', (message, section) => {
    expect(sectionOf(message)).toBe(section)
    expect(SECTIONS).toContain(section)
  })
})

describe('the filter', () => {
  const lines = ['ERROR', 'WARNING', 'INFO', 'DEBUG'].map((level) =>
    readLine(`2026-11-13 20:30:05 - [${level}] - live - decide:42 - Status of ${level.toLowerCase()}`),
  )

  it('leaves DEBUG out from the start [LIVE-053]', () => {
    expect(shownLines(lines, NO_FILTER).map(({ level }) => level)).toEqual(['ERROR', 'WARNING', 'INFO'])
  })

  it('goes by level, section and words [LIVE-052, LIVE-054]', () => {
    expect(shownLines(lines, { ...NO_FILTER, levels: ['DEBUG'] })).toHaveLength(1)
    expect(shownLines(lines, { ...NO_FILTER, sections: ['Sleep'] })).toHaveLength(0)
    expect(shownLines(lines, { ...NO_FILTER, search: ' OF ERR ' })).toHaveLength(1)
  })
})
