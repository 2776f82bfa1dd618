import { settingsOfCall, settingsToResult } from '@tradewright/core/settings-codec'
import { expect, it } from 'vitest'
import { settingFacts } from './settings-card.tsx'

const factsOf = (call: Record<string, string>) => {
  const settings = settingsToResult(settingsOfCall({ startDate: '2020-01-02', endDate: '2024-12-31', ...call }))
  return Object.fromEntries(settingFacts({ ...settings, reference_backtest_id: null }))
}

it('tells the settings of a usual run, without those that nobody chose', () => {
  expect(factsOf({})).toEqual({
    'Starting value': '$10,000.00',
    Cashflow: 'None',
    'Adjust for inflation': 'No',
    'Reinvest dividends': 'Yes',
    Rebalance: 'Yearly',
    'Trading cost': '1 bps',
    'Commission per trade': '$0.00',
    'Order fill': 'Next open',
    'Maintenance margin': 'As at US brokers',
  })
})

it('tells what was chosen, in the words of the form', () => {
  const chosen = {
    cashflow: '-4',
    cashflowKind: 'percent',
    cashflowFreq: 'Monthly',
    rebalanceBandPct: '5',
    halfSpreadBps: '2',
  }
  expect(
    factsOf({ ...chosen, shortBorrowPct: '3', maintenanceMargin: '40', stopType: 'trailing', stopPct: '10' }),
  ).toMatchObject({
    Cashflow: '-4% of the balance, monthly',
    'Rebalance band': '5 pp',
    'Half-spread': '2 bps',
    'Borrow rate of short positions': '3% a year',
    'Maintenance margin': '40% of every position',
    'Stop of every position': 'From its best price',
    'Distance of the stop': '10%',
  })
})
