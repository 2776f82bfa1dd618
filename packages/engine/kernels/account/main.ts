// The bars of a simulated account: prices, interest, fills and decisions. Bars with an event of another kind (dividend, cash
// flow, rebalance) are run by the host. What is computed, and in which order, is defined by `runBar` of
// src/trading/simulated-account.ts: a sum in another order would differ in its last digit.

/** Writes the weights decided at the close of a bar; 0 where things stay as they are. */
@external('host', 'decide')
declare function decide(bar: i32): i32

/** As in src/trading/simulated-account.ts and sizing.ts. */
const NOTHING: f64 = 1e-9
const DUST: f64 = 1e-9
const MAX_ROUNDS: i32 = 50

const SAME_CLOSE: i32 = 0
const NEXT_OPEN: i32 = 1

// Prices, ticker after ticker, each of `bars` f64; openings are 0 where no fill needs them.
let tickers: i32 = 0
let bars: i32 = 0
let closes: usize = 0
let opens: usize = 0

// f64 per ticker.
let quantities: usize = 0
let weights: usize = 0
let prices: usize = 0
let trades: usize = 0

// What is held: f64 quantities, and u32 addresses of their closes.
let heldQuantities: usize = 0
let heldCloses: usize = 0
let heldCount: i32 = 0
let hasShorts: bool = false

// f64 per bar.
let values: usize = 0
let cashes: usize = 0
let exposures: usize = 0
let growths: usize = 0

// A byte per bar; 0 where no bar has an event, and where each may have a decision.
let events: usize = 0
let stops: usize = 0

let startValue: f64 = 0
let timing: i32 = 0
let points: f64 = 0
let commission: f64 = 0
let isWhole: bool = false
/** f64 per bar, or 0. */
let borrowingCosts: usize = 0
let shortCost: f64 = 0

let cash: f64 = 0
let interest: f64 = 0
let isPending: bool = false
let isNothingLeft: bool = false

// Booked trades: f64 bar, ticker, quantity, price, fee.
const LOG_ROW: usize = 40
let log: usize = 0
let logRows: i32 = 0
let logCapacity: i32 = 0

export function setPrices(tickerCount: i32, barCount: i32, closesAt: usize, opensAt: usize): void {
  tickers = tickerCount
  bars = barCount
  closes = closesAt
  opens = opensAt
}

export function setTickerBuffers(buffers: usize, logAt: usize, logRowCount: i32): void {
  const bytes = <usize>tickers << 3
  quantities = buffers
  weights = buffers + bytes
  prices = buffers + 2 * bytes
  trades = buffers + 3 * bytes
  heldQuantities = buffers + 4 * bytes
  heldCloses = buffers + 5 * bytes
  log = logAt
  logCapacity = logRowCount
}

export function setColumns(valuesAt: usize, cashAt: usize, exposureAt: usize, growthAt: usize): void {
  values = valuesAt
  cashes = cashAt
  exposures = exposureAt
  growths = growthAt
}

export function setStops(eventsAt: usize, stopsAt: usize): void {
  events = eventsAt
  stops = stopsAt
}

export function setRules(
  start: f64,
  fillTiming: i32,
  costPoints: f64,
  costCommission: f64,
  wholeShares: bool,
  borrowingCostsAt: usize,
  costOfShorts: f64,
): void {
  startValue = start
  timing = fillTiming
  points = costPoints
  commission = costCommission
  isWhole = wholeShares
  borrowingCosts = borrowingCostsAt
  shortCost = costOfShorts
}

export function setState(cashNow: f64, interestSoFar: f64, hasPending: bool): void {
  cash = cashNow
  interest = interestSoFar
  isPending = hasPending
  isNothingLeft = false
  logRows = 0
  gather()
}

export function cashNow(): f64 {
  return cash
}

export function interestSoFar(): f64 {
  return interest
}

export function hasPending(): bool {
  return isPending
}

export function wasNothingLeft(): bool {
  return isNothingLeft
}

export function loggedRows(): i32 {
  return logRows
}

/**
 * Runs bars up to one with an event, one that leaves nothing (whose end is the host's), or one for whose trades the log has
 * no room. Gives the bar to go on with.
 */
export function run(from: i32): i32 {
  let bar = from
  while (bar < bars) {
    if (events != 0 && load<u8>(events + bar) == 1) return bar
    const mayDecide = stops == 0 || load<u8>(stops + bar) == 1
    if (!isPending && !mayDecide) bar = hold(bar)
    else if (logRows + 2 * tickers > logCapacity) return bar
    else if (runBar(bar, mayDecide)) bar++
    if (isNothingLeft) return bar
  }
  return bar
}

/** A bar with fills or a decision; false where it leaves nothing. */
function runBar(bar: i32, mayDecide: bool): bool {
  payInterest(bar)
  payShortCosts(bar)
  if (isPending) fill(timing == NEXT_OPEN ? opens : closes, bar)
  if (mayDecide && decide(bar) != 0) {
    isPending = true
    if (timing == SAME_CLOSE) fill(closes, bar)
  }
  return endBar(bar)
}

function payInterest(bar: i32): void {
  if (cash >= 0 || bar == 0 || borrowingCosts == 0) return
  const paid = -cash * load<f64>(borrowingCosts + (<usize>bar << 3))
  cash -= paid
  interest += paid
}

function payShortCosts(bar: i32): void {
  if (!hasShorts || shortCost == 0 || bar == 0) return
  const before = <usize>(bar - 1) << 3
  for (let i = 0; i < heldCount; i++) {
    const quantity = heldQuantity(i)
    if (quantity >= 0) continue
    const paid = -quantity * load<f64>(heldClose(i) + before) * shortCost
    cash -= paid
    interest += paid
  }
}

function heldQuantity(i: i32): f64 {
  return load<f64>(heldQuantities + (<usize>i << 3))
}

/** The address of its closes. */
function heldClose(i: i32): usize {
  return load<u32>(heldCloses + (<usize>i << 2))
}

function endBar(bar: i32): bool {
  const at = <usize>bar << 3
  const before = bar == 0 ? startValue : load<f64>(values + at - 8)
  let value = cash
  let exposure: f64 = 0
  for (let i = 0; i < heldCount; i++) {
    const worth = heldQuantity(i) * load<f64>(heldClose(i) + at)
    value += worth
    exposure += Math.abs(worth)
  }
  if (value <= NOTHING * before) {
    isNothingLeft = true
    return false
  }
  const growth = (bar == 0 ? 1 : load<f64>(growths + at - 8)) * (value / before)
  store<f64>(growths + at, Math.max(0, growth))
  store<f64>(values + at, value)
  store<f64>(cashes + at, cash)
  store<f64>(exposures + at, exposure / value)
  return true
}

/** Bars at which prices and interest alone change the account, up to a stop. */
function hold(from: i32): i32 {
  if (heldCount == 1 && !hasShorts && cash >= 0) return holdOne(from)
  let bar = from
  while (bar < bars) {
    payInterest(bar)
    payShortCosts(bar)
    if (!endBar(bar)) return bar
    bar++
    if (load<u8>(stops + bar) == 1) break
  }
  return bar
}

/** One position and no borrowing: what a ticker in or out spends its bars in. */
function holdOne(from: i32): i32 {
  const quantity = heldQuantity(0)
  const cashHeld = cash
  const closesAt = heldClose(0)
  const valuesAt = values
  const cashesAt = cashes
  const exposuresAt = exposures
  const growthsAt = growths
  const stopsAt = stops
  const to = bars
  let bar = from
  let before = bar == 0 ? startValue : load<f64>(valuesAt + (<usize>(bar - 1) << 3))
  let growth: f64 = bar == 0 ? 1 : load<f64>(growthsAt + (<usize>(bar - 1) << 3))
  while (bar < to) {
    const at = <usize>bar << 3
    const worth = quantity * load<f64>(closesAt + at)
    const value = cashHeld + worth
    if (value <= NOTHING * before) {
      isNothingLeft = true
      return bar
    }
    // Both values are above zero, so this never is below it.
    growth *= value / before
    store<f64>(growthsAt + at, growth)
    store<f64>(valuesAt + at, value)
    store<f64>(cashesAt + at, cashHeld)
    store<f64>(exposuresAt + at, Math.abs(worth) / value)
    before = value
    bar++
    if (load<u8>(stopsAt + bar) == 1) break
  }
  return bar
}

/** Brings the account to the decided weights at prices of the bar. */
function fill(columns: usize, bar: i32): void {
  isPending = false
  readPrices(columns, bar)
  let value = cash
  for (let i = 0; i < tickers; i++) {
    const quantity = load<f64>(quantities + (<usize>i << 3))
    if (quantity != 0) value += quantity * load<f64>(prices + (<usize>i << 3))
  }
  if (!(value > 0)) return
  let remaining = value
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const next = value - sizeTrades(remaining, value)
    if (Math.abs(next - remaining) <= 1e-14 * value) break
    remaining = next
  }
  for (let i = 0; i < tickers; i++) if (load<f64>(trades + (<usize>i << 3)) != 0) book(i, bar)
  gather()
}

/** An opening that is missing is the close. */
function readPrices(columns: usize, bar: i32): void {
  const stride = <usize>bars << 3
  let at = <usize>bar << 3
  for (let i = 0; i < tickers; i++, at += stride) {
    const price = load<f64>(columns + at)
    store<f64>(prices + (<usize>i << 3), isNaN(price) ? load<f64>(closes + at) : price)
  }
}

/** Fills in the trades toward weights of `remaining` and gives what they cost. */
function sizeTrades(remaining: f64, value: f64): f64 {
  let cost: f64 = 0
  for (let i = 0; i < tickers; i++) {
    const at = <usize>i << 3
    const price = load<f64>(prices + at)
    const held = load<f64>(quantities + at)
    const wanted = price > 0 ? (load<f64>(weights + at) * remaining) / price : held
    const quantity = (isWhole ? Math.trunc(wanted) : wanted) - held
    const trade = Math.abs(quantity) * price < DUST * value ? 0 : quantity
    store<f64>(trades + at, trade)
    if (trade != 0) cost += feeOf(trade, price)
  }
  return cost
}

function feeOf(quantity: f64, price: f64): f64 {
  return (Math.abs(quantity) * price * points) / 10_000 + commission
}

function book(ticker: i32, bar: i32): void {
  const at = <usize>ticker << 3
  const quantity = load<f64>(trades + at)
  const price = load<f64>(prices + at)
  const fee = feeOf(quantity, price)
  store<f64>(quantities + at, load<f64>(quantities + at) + quantity)
  cash -= quantity * price + fee
  const row = log + <usize>logRows * LOG_ROW
  logRows++
  store<f64>(row, <f64>bar)
  store<f64>(row, <f64>ticker, 8)
  store<f64>(row, quantity, 16)
  store<f64>(row, price, 24)
  store<f64>(row, fee, 32)
}

/** Notes what is held. */
function gather(): void {
  const stride = <usize>bars << 3
  heldCount = 0
  hasShorts = false
  for (let i = 0; i < tickers; i++) {
    const quantity = load<f64>(quantities + (<usize>i << 3))
    if (quantity == 0) continue
    if (quantity < 0) hasShorts = true
    store<f64>(heldQuantities + (<usize>heldCount << 3), quantity)
    store<u32>(heldCloses + (<usize>heldCount << 2), <u32>(closes + <usize>i * stride))
    heldCount++
  }
}
