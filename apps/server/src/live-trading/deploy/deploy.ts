import { newOrderType } from '@tradewright/core/order-type-problem'
import { MARKET_EXECUTION } from '@tradewright/core/order-types'
import { fixedRows } from '@tradewright/engine/backtest/request'
import { defaultOrderPct, REAL_MONEY_LIMITS } from '@tradewright/engine/live/order-limits'
import { tradedTickers } from '../traded-tickers.ts'
import { Decimal } from '@tradewright/core/decimal'
import { type Usd, usd } from '@tradewright/core/money'
import { Problem } from '@tradewright/core/problem'
import { randomBytes } from 'node:crypto'
import type { Broker } from '@tradewright/engine/trading/broker'
import { type Books, post, type PriceOf, sliceOf } from '@tradewright/engine/trading/ledger/books'
import { contribution, positionContribution } from '@tradewright/engine/trading/ledger/capital-entries'
import type { Entry } from '@tradewright/engine/trading/ledger/entry'
import { accountMissing, type BrokerageAccount, mayTradeSynthetic } from '../../brokerage/account.ts'
import { percentAllocated, refuseOverAllocation } from './allocation.ts'
import { refuseLessThanCents } from '../capital/cents.ts'
import { withEntries } from '../capital/totals.ts'
import { controlDeployment } from '../control.ts'
import { refuseLooserLimits } from '../cycle/commit/limit-orders.ts'
import { reconcile } from '../cycle/reconcile/reconcile.ts'
import { recordNote } from '../cycle/record-note.ts'
import { assertMayBegin } from './go-live.ts'
import { disagreement } from '../health.ts'
import type { RunnableStrategy, CapitalPolicy, Deployment, DeploymentSettings, Origin } from '../deployment.ts'
import type { LiveDeps } from '../deps.ts'
import { findRunnable, signalTickers } from './deployable-strategies.ts'
import type { LiveStores } from '../ports/database.ts'
import { chosenRetraining } from '../retraining/recipe.ts'
import { refuseOrderType } from './refuse-order-type.ts'
import { refuseShorts } from './refuse-shorts.ts'
import { refuseInvalidMapping } from './validate-tickers.ts'
import type { Reconciliation } from '../cycle/types.ts'

/** The deploy form. Ids and name may be missing; the sentences for that are the form's. */
export interface DeployForm {
  readonly name: string
  readonly strategyId: number | null
  readonly accountId: number | null
  readonly settings: DeploymentSettings
  readonly capitalPolicy: CapitalPolicy
  readonly capitalPolicyValue: Decimal
  readonly autoStart: boolean
  readonly contributionMode: 'cash' | 'positions'
  readonly positions: readonly { readonly symbol: string; readonly quantity: Decimal }[]
  readonly extraCash: Usd
  /** For a start with real money: the deployment's name. */
  readonly confirmation?: string | undefined
  /** An order type and limits that are left out are those of new deployments. */
  readonly usesDefaults?: true
  /** Throws where the strategy is not the one that was agreed to: it may have been changed a moment ago. */
  readonly refuseOther?: (runnable: RunnableStrategy) => void
}

interface Deployed {
  readonly deployment: Deployment
  /** Why it was not started at once, as a sentence. */
  readonly startError: string | null
}

/** What a form asks for, checked against the saved strategy and the account as it is at the broker. Nothing is written. */
async function checkedForm(deps: LiveDeps, userId: number, form: DeployForm) {
  const { strategyId, accountId } = checkChosen(form)
  const { strategy, runnable } = await findRunnable(deps, userId, strategyId)
  form.refuseOther?.(runnable)
  const account = await deps.accounts.find(userId, accountId)
  if (!account) throw accountMissing()
  checkAmounts(form)
  if (form.autoStart) assertMayBegin(deps, { name: form.name.trim(), isPaper: account.isPaper }, form.confirmation)
  const asked = form.usesDefaults ? withOrderType(account, runnable, form.settings) : form.settings
  refuseLooserLimits(deps, asked)
  refuseOrderType(account, runnable, asked)
  const retraining = chosenRetraining(runnable, form.settings.retraining)
  const broker = await deps.brokerFor(userId, accountId)
  await refuseInvalidMapping(broker, signalTickers(runnable), form.settings.tickerMapping, 'deploy')
  await refuseShorts(deps, broker, { id: undefined, accountId, strategy: runnable, settings: form.settings })
  const reconciliation = await reconcile(deps, broker, { accountId, userId })
  const { disagreement: why, otherInstallations } = reconciliation
  // Orders of another installation are no reason to refuse: the deployment says why it does not trade, and its user
  // decides there.
  if (why !== null && why !== otherInstallations) throw disagreement(why)
  const fields = {
    name: form.name.trim(),
    accountId,
    accountName: account.name,
    isPaper: account.isPaper,
    mayTradeSynthetic: mayTradeSynthetic(account),
    strategyId,
    strategyName: strategy.name,
    strategyType: strategy.type,
    strategy: runnable,
    capitalPolicy: form.contributionMode === 'positions' ? ('fixed_contribution' as const) : form.capitalPolicy,
    settings: {
      ...(form.usesDefaults && !account.isPaper ? withLimits(form, asked, runnable, reconciliation) : asked),
      retraining,
    },
    origin: originOf(form),
  }
  return { account, broker, reconciliation, fields }
}

const withOrderType = (
  { broker }: Pick<BrokerageAccount, 'broker'>,
  strategy: RunnableStrategy,
  settings: DeploymentSettings,
): DeploymentSettings => ({
  ...settings,
  execution: settings.execution ?? {
    ...MARKET_EXECUTION,
    type: newOrderType(broker, tradedTickers({ strategy, settings })),
  },
})

/** Real money has limits against a slip of the hand, which leave room for what the strategy is made to do. */
function withLimits(
  { capitalPolicy, capitalPolicyValue, contributionMode }: DeployForm,
  settings: DeploymentSettings,
  { request }: RunnableStrategy,
  { account: { equity } }: Reconciliation,
): DeploymentSettings {
  const { maxOrderMultiple, priceBandPct } = REAL_MONEY_LIMITS
  const share =
    capitalPolicy === 'percent_of_account'
      ? capitalPolicyValue.toNumber() / 100
      : equity.isPositive && contributionMode === 'cash'
        ? capitalPolicyValue.dividedBy(equity).toNumber()
        : 1
  const weights = fixedRows(request.strategy).flatMap((rows) =>
    rows.map(({ allocationPct }) => Math.abs(allocationPct)),
  )
  const maxOrderPct = defaultOrderPct(Math.max(0, ...(weights.length > 0 ? weights : [100])), share)
  const none = {
    maxOrderUsd: null,
    maxDailyUsd: null,
    maxDailyOrders: null,
    maxDailyTurnoverPct: null,
    maxAccountLossPct: null,
  }
  const own = settings.orderLimits ?? none
  const given = Object.fromEntries(Object.entries(own).filter(([, limit]) => limit !== undefined))
  return { ...settings, orderLimits: { ...none, maxOrderPct, maxOrderMultiple, priceBandPct, ...given } }
}

/** No stored deployment has it. */
const DRAFT_ID = 0

interface Draft {
  readonly deployment: Deployment
  readonly broker: Broker
  /** The comparison with the broker, by the books as they would stand when the deployment has its capital. */
  readonly reconciliation: Reconciliation
}

/** The deployment that a form would create. It is not stored; a name is not needed yet. */
export async function draftDeployment(deps: LiveDeps, userId: number, asked: DeployForm): Promise<Draft> {
  const form = { ...asked, name: asked.name.trim() || 'New deployment', autoStart: false }
  const { broker, reconciliation, fields } = await checkedForm(deps, userId, form)
  const capital = await checkCapital(deps.database, fields.accountId, form, reconciliation)
  const createdAt = deps.clock.now()
  const entries = entriesOf(DRAFT_ID, form, capital, reconciliation, createdAt)
  const zero = { committed: Decimal.zero, contributions: Decimal.zero, withdrawals: Decimal.zero, net: Decimal.zero }
  const deployment: Deployment = {
    ...fields,
    id: DRAFT_ID,
    userId,
    orderKey: '',
    status: 'created',
    capitalPolicyValue: capital.policyValue,
    totals: withEntries(zero, entries),
    lastTrade: undefined,
    nextRunAt: null,
    healthProblem: null,
    emergencyStoppedAt: null,
    liquidatingSince: null,
    liquidatingBy: null,
    retrainAt: null,
    retrainingProblem: null,
    createdAt,
  }
  return {
    deployment,
    broker,
    reconciliation: { ...reconciliation, books: entries.reduce(post, reconciliation.books) },
  }
}

export async function deploy(deps: LiveDeps, userId: number, form: DeployForm): Promise<Deployed> {
  const { account, reconciliation, fields } = await checkedForm(deps, userId, form)
  const { accountId } = fields
  const now = deps.clock.now()
  const others = await otherConnections(deps, account)
  const deployment = await deps.database.transaction(async (stores) => {
    for (const id of [accountId, ...others.map((other) => other.id)].toSorted((a, b) => a - b))
      await stores.books.lock(id)
    await refuseSecondBooks(stores, others)
    const capital = await checkCapital(stores, accountId, form, reconciliation)
    const created = await stores.deployments.insert(userId, {
      ...fields,
      orderKey: randomBytes(6).toString('hex'),
      capitalPolicyValue: capital.policyValue,
      createdAt: now,
    })
    const entries = entriesOf(created.id, form, capital, reconciliation, now)
    const posted = await stores.books.post(accountId, entries, reconciliation.prices)
    await stores.deployments.change(created.id, { totals: withEntries(created.totals, posted) })
    return (await stores.deployments.find(userId, created.id))!
  })
  const money = account.isPaper ? 'paper money' : 'real money'
  const sentence = `Created with ${usd(deployment.totals.net)} in ${account.name} (${money}).`
  await recordNote(deps, deployment, { code: 'created', level: 'info', sentence })
  return form.autoStart ? startAtOnce(deps, userId, deployment, form.confirmation) : { deployment, startError: null }
}

/** The user's other connections to the same account at the broker, by other keys. */
async function otherConnections(
  { accounts }: Pick<LiveDeps, 'accounts'>,
  { id, userId, broker, brokerAccountId }: BrokerageAccount,
): Promise<BrokerageAccount[]> {
  if (!brokerAccountId) return []
  const all = await accounts.list(userId)
  return all.filter((one) => one.id !== id && one.broker === broker && one.brokerAccountId === brokerAccountId)
}

/** One account at the broker is one set of books: under two, the same money would be spent twice. */
async function refuseSecondBooks({ deployments }: LiveStores, others: readonly BrokerageAccount[]): Promise<void> {
  for (const { id, name } of others) {
    if ((await deployments.onAccount(id)).length === 0) continue
    const sentence = `This is the same account at the broker as "${name}", which already has deployments. Deploy to "${name}", so that the same money is not counted twice.`
    throw new Problem('conflict', 'deployment.second-books', sentence)
  }
}

async function startAtOnce(
  deps: LiveDeps,
  userId: number,
  deployment: Deployment,
  confirmation: string | undefined,
): Promise<Deployed> {
  try {
    const started = await controlDeployment(deps, userId, deployment.id, 'start', { confirmation })
    return { deployment: started, startError: null }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { deployment, startError: error.message }
  }
}

function checkChosen({ strategyId, accountId, name }: DeployForm): { strategyId: number; accountId: number } {
  if (strategyId === null) throw invalid('strategy', 'Please select a strategy')
  if (accountId === null) throw invalid('account', 'Please select a trading account')
  if (name.trim() === '') throw invalid('name', 'Please enter a deployment name')
  return { strategyId, accountId }
}

/** Checks that need no snapshot of the account. */
function checkAmounts({ contributionMode, capitalPolicy, capitalPolicyValue, positions, extraCash }: DeployForm): void {
  if (contributionMode === 'positions') {
    if (extraCash.isNegative) throw invalid('cash', 'The extra cash cannot be negative.')
    refuseLessThanCents('The extra cash', extraCash)
    if (positions.length === 0 && !extraCash.isPositive) {
      throw invalid('positions', 'Please select at least one position or add cash to contribute.')
    }
    if (positions.some(({ quantity }) => !quantity.isPositive)) {
      throw invalid('positions', 'The quantity of a contributed position must be greater than zero.')
    }
    return
  }
  if (capitalPolicy === 'percent_of_account') {
    if (!capitalPolicyValue.isPositive) throw invalid('percent', 'Percent allocation must be greater than zero.')
    return
  }
  if (!capitalPolicyValue.isPositive) throw invalid('amount', 'Contribution amount must be greater than zero.')
  refuseLessThanCents('The contribution amount', capitalPolicyValue)
}

interface Capital {
  readonly cash: Usd
  readonly policyValue: Decimal
  readonly available: Usd
}

const CASH_TOLERANCE = Decimal.parse('0.000001')

async function checkCapital(
  stores: LiveStores,
  accountId: number,
  form: DeployForm,
  { account, prices }: Reconciliation,
): Promise<Capital> {
  const books = await stores.books.books(accountId)
  const rest = sliceOf(books, 'unallocated').cash
  const available = rest.isNegative ? Decimal.zero : rest
  const priceOf: PriceOf = (ticker) => prices.get(ticker)
  if (form.contributionMode === 'positions') {
    refuseConflicts(form, books)
    if (available.plus(CASH_TOLERANCE).isBelow(form.extraCash)) throw tooMuch(form.extraCash, available)
    const worth = form.positions.reduce(
      (sum, { symbol, quantity }) => sum.plus(quantity.times(priceOf(symbol) ?? Decimal.zero)),
      form.extraCash,
    )
    return { cash: smaller(form.extraCash, available), policyValue: worth, available }
  }
  const { capitalPolicy, capitalPolicyValue: value } = form
  if (capitalPolicy === 'percent_of_account') {
    const current = percentAllocated(await stores.deployments.onAccount(accountId), books, account.equity, priceOf)
    refuseOverAllocation('deploy', current, value)
    const target = account.equity.times(value).dividedBy(Decimal.parse('100')).rounded(2)
    return { cash: smaller(target, available), policyValue: value, available }
  }
  if (available.plus(CASH_TOLERANCE).isBelow(value)) throw tooMuch(value, available)
  return { cash: smaller(value, available), policyValue: value, available }
}

const tooMuch = (asked: Usd, available: Usd) =>
  invalid(
    'cash',
    `Cannot deploy: requested contribution ${usd(asked)} exceeds available uncommitted cash ${usd(available)}.`,
  )

function refuseConflicts({ positions }: DeployForm, books: Books): void {
  const free = sliceOf(books, 'unallocated').positions
  const taken = positions.filter(({ symbol, quantity }) => (free.get(symbol) ?? Decimal.zero).isBelow(quantity))
  if (taken.length === 0) return
  const conflicts = taken.map(({ symbol }) => ({
    symbol,
    available_quantity: Math.max(0, free.get(symbol)?.toNumber() ?? 0),
  }))
  const list = conflicts.map(({ symbol, available_quantity: left }) => `${left} ${symbol}`).join(', ')
  throw new Problem('conflict', 'deployment.positions', `Only ${list} can be contributed.`, { facts: { conflicts } })
}

function entriesOf(id: number, form: DeployForm, capital: Capital, { prices }: Reconciliation, now: Date): Entry[] {
  const head = (what: string, note: string) => ({
    key: `deploy:${id}:${what}`,
    at: now.getTime(),
    deploymentId: id,
    note,
  })
  return [
    ...(form.contributionMode === 'positions'
      ? form.positions.map(({ symbol, quantity }) => {
          const note = `Initial contribution of ${String(quantity)} ${symbol}`
          return positionContribution(head(symbol, note), symbol, quantity, prices.get(symbol) ?? Decimal.zero)
        })
      : []),
    ...(capital.cash.isPositive
      ? [contribution(head('cash', 'Initial contribution'), capital.cash, capital.available)]
      : []),
  ]
}

const originOf = ({ autoStart, contributionMode, positions, extraCash }: DeployForm): Origin => ({
  autoStart,
  contributionMode,
  contributedPositions: positions.map(({ symbol, quantity }) => ({ symbol, quantity: String(quantity) })),
  contributedCash: String(extraCash),
})

const smaller = (a: Decimal, b: Decimal): Decimal => (b.isBelow(a) ? b : a)

const invalid = (what: string, message: string) => new Problem('invalid', `deployment.${what}`, message)
