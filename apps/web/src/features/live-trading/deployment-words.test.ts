import type { Deployment } from '@tradewright/contract/live-trading-fields'
import { describe, expect, it } from 'vitest'
import { moneyIn } from '../../deployment-words/money-in.ts'
import { daysText, frequencyText, modeText, percentText } from './deployment-words.ts'

const deployment = (changes: Partial<Deployment>): Deployment =>
  ({ check_frequency_minutes: 60, trading_frequency_type: 'continuous', ticker_mapping: {}, ...changes }) as Deployment

describe('the schedule in words', () => {
  it('says how often [LIVE-012, LIVE-013]', () => {
    expect(frequencyText(deployment({ check_frequency_minutes: 15 }))).toBe('Every 15 minutes')
    expect(frequencyText(deployment({ check_frequency_minutes: 0 }))).toBe('Every 60 minutes')
    expect(
      frequencyText(deployment({ trading_frequency_type: 'end_of_day', end_of_day_minutes_before_close: 30 })),
    ).toBe('End-of-day, 30 minutes before close')
  })

  it('reads the settings that the list keeps in the mapping [LIVE-085]', () => {
    const ticker_mapping = { trading_frequency_type: 'end_of_day', end_of_day_minutes_before_close: 45 }
    expect(frequencyText(deployment({ ticker_mapping }))).toBe('End-of-day, 45 minutes before close')
    expect(modeText(deployment({ ticker_mapping: { bypass_market_hours: true } }))).toBe('24/7 Trading')
  })

  it('says when [LIVE-014..017]', () => {
    expect(modeText(deployment({ bypass_market_hours: true }))).toBe('24/7 Trading')
    expect(modeText(deployment({ bypass_market_hours: false }))).toBe('Market Hours Only')
    expect(daysText(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'])).toBe('Every day')
    expect(daysText(['Friday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday'])).toBe('Weekdays only')
    expect(daysText([])).toBe('Weekdays only')
    expect(daysText(['Friday', 'Monday', 'Sunday'])).toBe('Mon, Fri, Sun')
  })
})

describe('money and percentages', () => {
  it('have two decimals, and other currencies their code in front [LIVE-217]', () => {
    expect(moneyIn('USD', 1000)).toBe('$1,000.00')
    expect(moneyIn('EUR', 1000.5)).toBe('EUR 1,000.50')
    expect(moneyIn(null, 0)).toBe('$0.00')
    expect(moneyIn('USD', null)).toBe('N/A')
    expect(percentText(36.9)).toBe('36.9%')
  })
})
