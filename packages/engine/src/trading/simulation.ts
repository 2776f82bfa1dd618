import { kernelPlan, runInKernel } from './account-kernel.ts'
import { barCount, type PriceTable } from './price-table.ts'
import { decisionAt, SimulatedAccount } from './simulated-account.ts'
import {
  emptyColumns,
  type SimulationColumns,
  type SimulationResult,
  type SimulationRules,
} from './simulation-rules.ts'

/**
 * Runs an account through the bars. Within a bar: interest, dividends, open, close, cash flow, decision. This loop is the
 * definition; `simulateFast` gives the same numbers.
 */
export function simulate(prices: PriceTable, rules: SimulationRules): SimulationResult {
  return runReadable(prices, rules, emptyColumns(barCount(prices)))
}

function runReadable(prices: PriceTable, rules: SimulationRules, columns: SimulationColumns): SimulationResult {
  const { values, cash, exposure, growth, flows } = columns
  for (const column of [values, cash, exposure, growth, flows]) column.fill(0)
  const account = new SimulatedAccount(prices, rules, columns)
  for (let bar = 0; bar < barCount(prices) && !account.isWipedOut; bar++) account.runBar(bar, decisionAt(rules, bar))
  return account.result()
}

/**
 * What `simulate` gives, to the last digit and several times as fast: the kernel runs all bars but those with events.
 * `columns` are filled in and are those of the result; one who runs many accounts after each other uses them again.
 */
export function simulateFast(
  prices: PriceTable,
  rules: SimulationRules,
  columns = emptyColumns(barCount(prices)),
): SimulationResult {
  const plan = kernelPlan(prices, rules)
  if (!plan) return runReadable(prices, rules, columns)
  const events = eventBars(prices, rules)
  return runInKernel(prices, rules, columns, plan, { events, stops: stopBars(events, rules.decisionBars) })
}

/** 1 where a dividend, a cash flow or a rebalance may come; undefined where none ever does. */
function eventBars({ dividends, timestamps }: PriceTable, rules: SimulationRules): Uint8Array | undefined {
  const columns = [...dividends, rules.flows, rules.flowShares, rules.rebalances].filter(
    (column) => column !== undefined,
  )
  if (columns.length === 0) return undefined
  const events = new Uint8Array(timestamps.length)
  for (const column of columns) for (let bar = 0; bar < events.length; bar++) if (column[bar] !== 0) events[bar] = 1
  return events
}

/** 1 where an event or a decision may come; undefined where a decision may come at any bar. */
function stopBars(events: Uint8Array | undefined, decisionBars: Uint8Array | undefined): Uint8Array | undefined {
  if (events === undefined || decisionBars === undefined) return decisionBars
  return decisionBars.map((decides, bar) => decides | events[bar]!)
}
