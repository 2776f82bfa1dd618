import * as contract from '@tradewright/contract/live-trading'
import { ActivityItem, DeployableStrategy, Deployment } from '@tradewright/contract/live-trading-fields'
import { formatTicker, parseTicker } from '@tradewright/core/ticker'
import { changeCapital, disallocateCapital } from '../../live-trading/capital/change-capital.ts'
import { controlDeployment, findDeployment } from '../../live-trading/control.ts'
import { deploy } from '../../live-trading/deploy/deploy.ts'
import { strategiesToDeploy, withReadiness } from '../../live-trading/deploy/deployable-strategies.ts'
import type { LiveDeps } from '../../live-trading/deps.ts'
import { editDeployment } from '../../live-trading/deploy/edit.ts'
import { removeDeployment } from '../../live-trading/remove.ts'
import { answerHeldOrder } from '../../live-trading/answer-held-order.ts'
import { chooseTicker } from '../../live-trading/ticker-changes/choose.ts'
import { accountPositions, findTradingAccount, tradingAccounts } from '../../live-trading/deploy/trading-accounts.ts'
import { validateMapping, validateSignal, validateTicker } from '../../live-trading/deploy/validate-tickers.ts'
import { volumeSharesOfStrategy } from '../../live-trading/deploy/volume-shares.ts'
import { deploymentActivity, viewDeployment, viewDeployments } from '../../live-trading/views.ts'
import { accountMissing } from '../../brokerage/account.ts'
import type { Handle } from '../server/handle.ts'
import { readableRows, readableRowsInTurns } from '../answer/readable-rows.ts'
import { askedBy } from './actor.ts'
import { toDeployForm, toEditForm } from './form.ts'
import {
  accountToWire,
  activityToWire,
  deploymentToWire,
  ledgerEntryToWire,
  listItemToWire,
  positionToWire,
  strategyToWire,
  verdictToWire,
  volumeToWire,
  wireType,
} from './wire.ts'

const success = true as const

export function serveLiveTrading(handle: Handle, deps: LiveDeps): void {
  serveReading(handle, deps)
  serveDeploying(handle, deps)
  serveCapital(handle, deps)
  serveValidation(handle, deps)
}

function serveReading(handle: Handle, deps: LiveDeps): void {
  handle(contract.listDeployments, async ({ user, request: { log } }) => {
    const rows = (await viewDeployments(deps, user.id)).map((view) => ({ id: view.deployment.id, view }))
    const toWire = ({ view }: (typeof rows)[number]) => listItemToWire(view)
    const { entries, ...leftOut } = readableRows(rows, { list: 'deployments', schema: Deployment, toWire, log })
    return { success, deployments: entries, ...leftOut }
  })
  handle(contract.listDeployableStrategies, async ({ user, request: { log } }) => {
    const rows = await strategiesToDeploy(deps, user.id)
    const toWire = (saved: (typeof rows)[number]) => strategyToWire(withReadiness(deps, saved))
    const { entries, ...leftOut } = await readableRowsInTurns(rows, {
      list: 'strategies',
      schema: DeployableStrategy,
      toWire,
      log,
    })
    return { success, strategies: entries, ...leftOut }
  })
  handle(contract.listTradingAccounts, async ({ user }) => ({
    success,
    accounts: (await tradingAccounts(deps, user.id)).map((account) => accountToWire(account, deps.limits)),
  }))
  handle(contract.listAccountPositions, async ({ user, params }) => ({
    success,
    positions: (await accountPositions(deps, user.id, params.id)).map(positionToWire),
  }))
  handle(contract.getDeployment, async ({ user, params }) => ({
    success,
    deployment: deploymentToWire(await viewDeployment(deps, user.id, params.id)),
  }))
  handle(contract.getDeploymentDetails, async ({ user, params, query }) => {
    const view = await viewDeployment(deps, user.id, params.id)
    const { page, page_size: pageSize, entry_types: types, search } = query
    const [ledger, known, account] = await Promise.all([
      deps.database.books.page(params.id, page, pageSize, { types, search }),
      deps.database.books.types(params.id),
      findTradingAccount(deps, user.id, view.deployment.accountId),
    ])
    return {
      success,
      error: null,
      deployment: {
        ...deploymentToWire(view),
        ledger_entries: ledger.entries.map(ledgerEntryToWire),
        ledger_pagination: { page, page_size: pageSize, total_entries: ledger.total },
        ledger_entry_types: known.map(wireType),
        account: account ? accountToWire(account, deps.limits) : null,
      },
    }
  })
  handle(contract.getActivity, async ({ user, params, query, request: { log } }) => {
    const told = await deploymentActivity(deps, user.id, params.id, query.limit)
    const rows = told.map((entry) => ({ id: entry.at.getTime(), entry }))
    const toWire = ({ entry }: (typeof rows)[number]) => activityToWire(entry)
    const { entries, ...leftOut } = readableRows(rows, { list: 'activity', schema: ActivityItem, toWire, log })
    return { success, activity: entries, ...leftOut }
  })
  handle(contract.getLogTail, async ({ user, params, query }) => {
    await findDeployment(deps, user.id, params.id)
    await deps.deploymentLog.flush()
    return { success, lines: await deps.database.journal.logTail(params.id, query.lines) }
  })
}

function serveDeploying(handle: Handle, deps: LiveDeps): void {
  const created = async (by: LiveDeps, userId: number, body: Parameters<typeof toDeployForm>[0]) => {
    const { deployment, startError } = await deploy(by, userId, toDeployForm(body))
    const view = await viewDeployment(deps, userId, deployment.id)
    return { success, deployment: deploymentToWire(view), deployment_id: deployment.id, start_error: startError }
  }
  handle(contract.createDeployment, (call) => created(askedBy(deps, call), call.user.id, call.body))
  handle(contract.createDeploymentWithPositions, (call) => created(askedBy(deps, call), call.user.id, call.body))
  handle(contract.updateDeployment, async (call) => {
    const { user, params, body } = call
    const known = await findDeployment(deps, user.id, params.id)
    await editDeployment(askedBy(deps, call), user.id, params.id, toEditForm(body, known))
    return { success, error: null, deployment: deploymentToWire(await viewDeployment(deps, user.id, params.id)) }
  })
  handle(contract.controlDeployment, async (call) => {
    const { user, params, body } = call
    const { action, positions, confirmation } = body
    const options = { positions, confirmation: confirmation ?? undefined }
    await controlDeployment(askedBy(deps, call), user.id, params.id, action, options)
    return { success, deployment: deploymentToWire(await viewDeployment(deps, user.id, params.id)) }
  })
  handle(contract.chooseTicker, async (call) => {
    const { user, params, body } = call
    const { from, to, action } = body
    await chooseTicker(askedBy(deps, call), user.id, params.id, { from, to }, action)
    return { success, deployment: deploymentToWire(await viewDeployment(deps, user.id, params.id)) }
  })
  handle(contract.answerHeldOrder, async (call) => {
    const { user, params, body } = call
    await answerHeldOrder(askedBy(deps, call), user.id, params.id, body, body.action)
    return { success, deployment: deploymentToWire(await viewDeployment(deps, user.id, params.id)) }
  })
  handle(contract.deleteDeployment, async (call) => ({
    success,
    message: await removeDeployment(askedBy(deps, call), call.user.id, call.params.id),
  }))
}

function serveCapital(handle: Handle, deps: LiveDeps): void {
  handle(contract.contribute, async (call) => {
    const { user, params } = call
    const { amount, contribution_type: type, note } = call.body
    const change = { type, amount: plainText(amount), note: note ?? undefined }
    await changeCapital(askedBy(deps, call), user.id, params.id, change)
    return {
      success,
      error: null,
      message: type === 'CONTRIBUTION' ? 'Contribution recorded successfully.' : 'Withdrawal recorded successfully.',
      deployment: deploymentToWire(await viewDeployment(deps, user.id, params.id)),
    }
  })
  handle(contract.disallocate, async (call) => {
    const { user, params, body } = call
    const pct = plainText(body.disallocation_pct)
    const done = await disallocateCapital(askedBy(deps, call), user.id, params.id, pct, body.note ?? undefined)
    return {
      success,
      disallocation_summary: {
        disallocation_pct: done.pct.toNumber(),
        disallocation_amount: done.amount.rounded(2).toNumber(),
        new_total: done.newTotal.rounded(2).toNumber(),
      },
    }
  })
}

const plainText = (value: number | string | null | undefined): string =>
  value === null || value === undefined ? '' : String(value)

function serveValidation(handle: Handle, deps: LiveDeps): void {
  const brokerOf = async (userId: number, accountId: number) => {
    if (!(await deps.accounts.find(userId, accountId))) throw accountMissing()
    return deps.brokerFor(userId, accountId)
  }
  handle(contract.validateAsset, async ({ user, body }) => {
    const broker = await brokerOf(user.id, body.account_id)
    const { ticker, leverage, signal_ticker: signal } = body
    const verdict = signal
      ? await validateSignal(broker, oneWriting(signal), { [oneWriting(signal)]: ticker })
      : await validateTicker(broker, ticker, leverage)
    return { success, validation: verdictToWire(verdict ?? heldAsCash(ticker)) }
  })
  handle(contract.getVolumeShares, async ({ user, body }) => {
    const { strategy_id: strategyId, ticker_mapping: mapping, capital } = body
    const tickerMapping = Object.fromEntries(
      Object.entries(mapping).map(([signal, trading]) => [oneWriting(signal), trading.toUpperCase()]),
    )
    const shares = await volumeSharesOfStrategy(deps, user.id, { strategyId, tickerMapping, capital })
    return { success, volumes: shares.map(volumeToWire) }
  })
  handle(contract.validateMapping, async ({ user, body }) => {
    const broker = await brokerOf(user.id, body.account_id)
    const mapping = Object.fromEntries(
      Object.entries(body.ticker_mapping).map(([signal, trading]) => [oneWriting(signal), trading]),
    )
    const verdicts = await validateMapping(broker, Object.keys(mapping), mapping)
    const results = [...verdicts].map(([signal, verdict]) => [signal, verdictToWire(verdict)] as const)
    return {
      success,
      validation: {
        all_valid: results.every(([, { valid }]) => valid),
        ticker_results: Object.fromEntries(results),
      },
    }
  })
}

const oneWriting = (ticker: string): string => formatTicker(parseTicker(ticker))

const heldAsCash = (tradingTicker: string) => ({
  valid: true,
  error: null,
  warning: null,
  isPriceOld: false,
  maxLeverage: 1,
  requestedLeverage: 1,
  tradingTicker,
})
