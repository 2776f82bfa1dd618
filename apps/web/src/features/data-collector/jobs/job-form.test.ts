import type { CollectionJob, Provider } from '@tradewright/contract/data-collector'
import { CollectionJobBody } from '@tradewright/contract/data-collector'
import { describe, expect, it } from 'vitest'
import {
  checkedJobForm,
  categoryChoices,
  fromJob,
  type JobForm,
  newJobForm,
  problemsOf,
  tickersOf,
  toBody,
  withProvider,
  withTickers,
} from './job-form.ts'

const TODAY = '2026-11-15'
const form = (more: Partial<JobForm> = {}): JobForm => ({
  ...newJobForm(TODAY, '3'),
  name: 'Apple',
  providerId: 'yahoo',
  tickers: 'AAPL',
  ...more,
})

const provider = (more: Partial<Provider> = {}): Provider => ({
  id: 'yahoo',
  display_name: 'Yahoo Finance',
  provider_type: 'market data',
  requires_auth: false,
  max_ticker_batch: 1,
  is_custom: false,
  supported_categories: ['open', 'close', 'volume', 'split'],
  capabilities: { bulk_mode: false },
  granularities: ['1h', '1d'],
  synthetic: false,
  ...more,
})

describe('a new job', () => {
  it('begins in 2020 and ends today, with closes of New York weekdays [DATA-139] [DATA-140] [DATA-143] [DATA-144] [DATA-145]', () => {
    expect(newJobForm(TODAY, '3')).toMatchObject({
      startDate: '2020-01-01',
      endDate: TODAY,
      startOffsetDays: 30,
      endOffsetDays: 0,
      categories: ['close'],
      timezone: 'America/New_York',
      days: ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'],
      startTime: '09:30:00',
    })
    expect(categoryChoices(undefined)).toEqual(
      'price,open,high,low,close,volume,market_cap,pe_ratio,dividend,earnings,sentiment,company_score,leading_indicator_score,custom'.split(
        ',',
      ),
    )
  })

  it.each([
    ['a name', { name: ' ' }, { name: 'Job name is required' }],
    ['a granularity', { granularity: '' as const }, { granularity: 'Data granularity is required' }],
    ['a provider', { providerId: '' }, { providerId: 'Provider is required for fetch jobs' }],
    ['a ticker', { tickers: ' , ,' }, { tickers: 'At least one ticker is required' }],
    [
      'a start offset of 0 or more',
      { isDynamic: true, startOffsetDays: -1 },
      { startOffsetDays: expect.stringContaining('0 or more') },
    ],
    ['whole offsets', { isDynamic: true, endOffsetDays: '' }, { endOffsetDays: expect.any(String) }],
  ])('is not sent without %s [DATA-063] [DATA-064] [DATA-065] [DATA-066] [DATA-068]', (_, more, problems) => {
    expect(problemsOf(form(more))).toEqual(problems)
  })

  it('is sent when nothing is missing, with an end offset that may be negative [DATA-068]', () => {
    expect(problemsOf(form({ isDynamic: true, endOffsetDays: -3 }))).toEqual({})
  })
})

describe('choosing a provider', () => {
  it('limits the categories to its own, falling back to its first one [DATA-060]', () => {
    expect(withProvider(form({ categories: ['close', 'pe_ratio'] }), 'yahoo', [provider()]).categories).toEqual([
      'close',
    ])
    expect(withProvider(form({ categories: ['pe_ratio'] }), 'yahoo', [provider()]).categories).toEqual(['open'])
    expect(categoryChoices(provider())).toEqual(['open', 'close', 'volume', 'split'])
  })

  it('drops a bulk mode that it does not have [DATA-059]', () => {
    const bulk = provider({ id: 'sample', capabilities: { bulk_mode: true } })
    expect(withProvider(form({ isBulk: true }), 'yahoo', [provider()]).isBulk).toBe(false)
    expect(withProvider(form({ isBulk: true }), 'sample', [bulk]).isBulk).toBe(true)
  })

  it('leaves a granularity that it does not offer', () => {
    expect(withProvider(form({ granularity: '1m' }), 'yahoo', [provider()]).granularity).toBe('1d')
    expect(withProvider(form({ granularity: '1h' }), 'yahoo', [provider()]).granularity).toBe('1h')
  })
})

describe('what is sent', () => {
  it('trims tickers and drops empty ones [DATA-067]', () => {
    expect(tickersOf(' AAPL,, MSFT ,AAPL, ')).toEqual(['AAPL', 'MSFT'])
    expect(withTickers('AAPL, ', ['MSFT', 'AAPL'])).toBe('AAPL, MSFT')
  })

  it('has either dates or offsets [DATA-061]', () => {
    expect(toBody(form())).toMatchObject({ start_date: '2020-01-01', end_date: TODAY, dynamic_start_offset_days: null })
    expect(toBody(form({ isDynamic: true }))).toMatchObject({
      start_date: null,
      end_date: null,
      dynamic_start_offset_days: 30,
      dynamic_end_offset_days: 0,
    })
  })

  it('has the moments of a schedule as date and time with seconds [DATA-069]', () => {
    const body = toBody(form({ isScheduled: true, scheduleStart: '2026-01-05T09:30', startTime: '08:15' }))
    expect(body).toMatchObject({
      schedule_start_date: '2026-01-05 09:30:00',
      schedule_end_date: '',
      schedule_start_time: '08:15:00',
    })
    expect(CollectionJobBody.safeParse(body).success).toBe(true)
  })

  it('is what a job was when it is opened again unchanged', () => {
    const sent = form({
      isScheduled: true,
      cron: '0 18 * * 1-5',
      scheduleStart: '2026-01-05T09:30',
      isBulk: true,
      otherParams: { note: 1 },
      dependsOn: [4],
      days: ['Monday', 'Sunday'],
      isActive: false,
    })
    const job: CollectionJob = {
      ...(CollectionJobBody.parse(toBody(sent)) as unknown as CollectionJob),
      id: 9,
      data_store_id: 3,
    }
    expect(fromJob(job, TODAY)).toEqual(sent)
  })
})

describe('a new job that was left', () => {
  const left = { ...newJobForm('2026-01-02', '1'), name: 'Bonds', tickers: 'TLT, SPY', dependsOn: [3] }

  it('is taken up as it was', () => {
    expect(checkedJobForm(JSON.parse(JSON.stringify(left)))).toEqual(left)
  })

  it.each([undefined, 'Bonds', { ...left, days: 'Monday' }, { ...left, cron: undefined }])(
    'is not taken up where another version wrote it: %j',
    (draft) => {
      expect(checkedJobForm(draft)).toBeNull()
    },
  )
})
