import { DAY } from '@tradewright/core/time'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startSecStandIn } from '../../../test-support/stand-ins/sec.ts'
import type { StandIn } from '../../../test-support/stand-ins/stand-in.ts'
import { testSurroundings } from '../../../test-support/test-surroundings.ts'
import { secTickerSource } from './tickers.ts'

const CONTACT = 'operator@example.com'
const never = new AbortController().signal

describe('SEC tickers [DATA-034]', () => {
  let standIn: StandIn
  let surroundings: ReturnType<typeof testSurroundings>
  beforeEach(async () => {
    surroundings = testSurroundings()
    standIn = await startSecStandIn()
  })
  afterEach(() => standIn.close())

  const opened = () => secTickerSource(standIn.url, surroundings)
  const source = () => opened().first

  it('gives the first N of the file, having said whom to contact', async () => {
    expect(await source()(5, CONTACT, never)).toEqual(['NVDA', 'AAPL', 'MSFT', 'GOOGL', 'GOOG'])
    expect(standIn.requests[0]?.headers['user-agent']).toBe(`Tradewright ${CONTACT}`)
  })

  it('leaves out a row of another form, and logs it', async () => {
    standIn.misbehave('nan')
    expect(await source()(3, CONTACT, never)).toEqual(['NVDA', 'MSFT', 'GOOGL'])
    expect(surroundings.log.warnings.join()).toContain('left out of a list')
  })

  it('asks once a day', async () => {
    const secTickers = source()
    await secTickers(200, CONTACT, never)
    await secTickers(50, CONTACT, never)
    expect(standIn.requests).toHaveLength(1)
    surroundings.timing.advance(DAY)
    await secTickers(50, CONTACT, never)
    expect(standIn.requests).toHaveLength(2)
  })

  it('serves the last good list when the SEC blocks us', async () => {
    const secTickers = source()
    const good = await secTickers(200, CONTACT, never)
    surroundings.timing.advance(2 * DAY)
    standIn.misbehave('html')
    expect(await secTickers(200, CONTACT, never)).toEqual(good)
  })

  it('says what is wrong when there is no list yet', async () => {
    standIn.misbehave('html')
    await expect(source()(50, CONTACT, never)).rejects.toMatchObject({
      kind: 'upstream',
      message: 'The SEC did not deliver its list of tickers: it sent a web page instead of data.',
    })
  })

  it('gives names of what is known without waiting, and fetches the list once for the next time', async () => {
    const sec = opened()
    expect(sec.known(CONTACT)).toEqual([])
    expect(sec.known(CONTACT)).toEqual([])
    await expect.poll(() => sec.known(CONTACT)[0]).toEqual({ ticker: 'NVDA', name: 'COMPANY 0 INC' })
    expect(standIn.requests).toHaveLength(1)
    expect(opened().known(undefined)).toEqual([])
  })

  it('does not call without a contact, and says what to set', async () => {
    await expect(source()(50, undefined, never)).rejects.toThrow('SEC_CONTACT')
    expect(standIn.requests).toHaveLength(0)
  })
})
