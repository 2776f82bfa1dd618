import { z } from 'zod'
import { Problem } from '@tradewright/core/problem'
import type { Clock } from '@tradewright/core/clock'
import { epochDayOf, formatDate } from '@tradewright/core/time'
import { defineAction } from './action.ts'
import {
  allocationFields,
  AllocationRun,
  type BacktestToolDeps,
  runForm,
  type FormFields,
  Allocation,
  backtestFacts,
} from './tools/backtest-tools.ts'
import { backtestWords } from './topics/backtest-topics.ts'
import { paragraphs, money, plain, IsoDate } from './words.ts'
import { findStrategy, type StrategyDeps, saveStrategy } from '../strategies/own-strategies.ts'
import type { StrategyConfig } from '../strategies/strategy.ts'
import type { BrokerageAccount } from '../brokerage/account.ts'
import type { Actor } from '../live-trading/actor.ts'
import { deploy, type DeployForm } from '../live-trading/deploy/deploy.ts'
import type { LiveDeps } from '../live-trading/deps.ts'
import type { OptimizationSettings } from '../optimizer/run.ts'
import { startRun, type StartDeps } from '../optimizer/own-runs.ts'
import { validateRun } from '../backtests/validate-run.ts'

/** Runs an allocation and keeps strategy and backtest. */
export const runBacktestAction = (deps: BacktestToolDeps) =>
  defineAction({
    type: 'run_backtest',
    description: 'Run a backtest of fixed percentages and save it, with its strategy.',
    input: AllocationRun.extend({ name: z.string().trim().min(1).max(200) }),
    label: ({ name, allocation }) => `Run and save backtest ${namedMix(name, allocation)}`,
    async run(caller, input) {
      const saved = { strategyName: input.name, saveStrategy: 'true', saveBacktest: 'true' }
      const { report } = await runForm(deps, caller, { ...allocationFields(input), ...saved })
      return paragraphs(
        backtestWords(input.name, backtestFacts(report)),
        'Saved: the strategy is in [Strategies](/strategies), the backtest in the [Backtest Studio](/backtest).',
      )
    },
  })

interface Deps extends BacktestToolDeps, StrategyDeps {
  /** A saved strategy's settings as the form's fields. */
  readonly fieldsOf: (config: StrategyConfig) => FormFields
}

/** Runs a saved strategy with its own settings, or over another period, and keeps the backtest. */
export const runStrategyAction = (deps: Deps) =>
  defineAction({
    type: 'run_strategy',
    description: "Run one of the user's saved strategies, over its own period or another one, and save the backtest.",
    input: z.object({ strategy_id: z.int(), start_date: IsoDate.optional(), end_date: IsoDate.optional() }),
    label: ({ strategy_id, start_date, end_date }) =>
      `Run strategy ${strategy_id} and save the backtest${start_date || end_date ? ` (${start_date ?? '…'} to ${end_date ?? '…'})` : ''}`,
    async run(caller, { strategy_id, start_date, end_date }) {
      const { name, type, config } = await findStrategy(deps, caller.userId, strategy_id)
      const { report } = await runForm(deps, caller, {
        ...deps.fieldsOf(config),
        strategyType: type,
        strategyName: name,
        ...(start_date !== undefined && { startDate: start_date }),
        ...(end_date !== undefined && { endDate: end_date }),
        // Saved again under its name, the strategy would take over the other period.
        saveStrategy: start_date === undefined && end_date === undefined ? 'true' : 'false',
        saveBacktest: 'true',
      })
      return paragraphs(backtestWords(name, backtestFacts(report)), 'The backtest is saved.')
    },
  })

const MAX_NAMED = 10

/** `SPY 60%, TLT 40%`, as buttons and messages say it. */
export function weightsText(allocation: Allocation): string {
  const named = allocation.slice(0, MAX_NAMED).map(({ ticker, percent }) => `${ticker} ${percent}%`)
  const more = allocation.length - named.length
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ')
}

/** `“My mix” (SPY 60%, TLT 40%)`; a name that says the same already stands alone. */
const namedMix = (name: string, allocation: Allocation): string =>
  name === weightsText(allocation) ? `“${name}”` : `“${name}” (${weightsText(allocation)})`

interface DeployActionDeps extends LiveDeps {
  /** Reads the deploy form's fields. */
  readonly deployFormOf: (fields: Readonly<Record<string, unknown>>) => DeployForm
}

/** Virtual money only: an account that is not a paper account is refused, also when the model asks. */
export const deployToPaperAction = (deps: DeployActionDeps) =>
  defineAction({
    type: 'deploy_to_paper',
    description:
      'Deploy a saved strategy to a paper account (virtual money) and start it. Live accounts are never possible here.',
    input: z.object({
      strategy_id: z.int(),
      name: z.string().trim().min(1).max(200),
      amount: z.number().positive().max(100_000_000),
      account_id: z.int().optional(),
    }),
    label: ({ strategy_id, name, amount }) =>
      `Deploy strategy ${strategy_id} to a paper account as “${name}” with ${money(amount)}`,
    async run({ userId, username }, { strategy_id, name, amount, account_id }) {
      const account = await paperAccount(deps, userId, account_id)
      const form = deps.deployFormOf({
        deployment_name: name,
        strategy_id,
        alpaca_account_id: account.id,
        capital_policy: 'fixed_contribution',
        capital_policy_value: String(amount),
        auto_start: true,
      })
      const { deployment, startError } = await deploy({ ...deps, actor: actorOf(username) }, userId, form)
      const outcome = startError === null ? 'is started' : `could not be started: ${plain(startError)}`
      return `**${plain(deployment.name)}** is deployed to ${plain(account.name)} (paper money) and ${outcome}. Follow it in [Live Trading](/live-trading).`
    },
  })

const actorOf = (name: string): Actor => ({ kind: 'user', name, session: 'AI Assistant' })

async function paperAccount(
  { accounts }: Pick<LiveDeps, 'accounts'>,
  userId: number,
  accountId: number | undefined,
): Promise<BrokerageAccount> {
  const account =
    accountId === undefined
      ? (await accounts.list(userId)).find(({ isPaper }) => isPaper)
      : await accounts.find(userId, accountId)
  if (!account) throw new Problem('missing', 'account.missing', 'There is no such paper account. Add one in Settings.')
  if (account.isPaper) return account
  const sentence = 'The assistant never trades on a live account. Deploy it yourself in Live Trading.'
  throw new Problem('denied', 'assistant.live-account', sentence)
}

interface OptimizerActionDeps extends StartDeps {
  /** Reads the Optimizer's form; a Problem says which field is wrong. */
  readonly settingsOf: (fields: Readonly<Record<string, unknown>>) => OptimizationSettings
}

/** Percent change, RSI, MACD, volatility and momentum: a small but varied start. */
const USUAL_FEATURES = [1, 7, 8, 11, 13]
const WINDOWS = [5, 10, 14, 20, 30]
const NEXT_BAR_DIRECTION = 1

/** Searches features for one ticker, small enough to end in reasonable time. */
export const startOptimizerRunAction = (deps: OptimizerActionDeps) =>
  defineAction({
    type: 'start_optimizer_run',
    description:
      'Start an optimizer run that searches good features for predicting one ticker. feature_ids are ids of list_features.',
    input: z.object({
      target: z.string().trim().min(1).max(60),
      start_date: IsoDate,
      end_date: IsoDate,
      feature_ids: z.array(z.int()).min(1).max(20).default(USUAL_FEATURES),
      population: z.int().min(2).max(100).default(20),
      generations: z.int().min(1).max(50).default(8),
    }),
    label: ({ target, start_date, end_date, population, generations }) =>
      `Start optimizer run for ${target} (${start_date} to ${end_date}, population ${population}, ${generations} generations)`,
    async run({ userId }, { target, start_date, end_date, feature_ids, population, generations }) {
      const settings = deps.settingsOf({
        target_asset: target,
        target_id: NEXT_BAR_DIRECTION,
        feature_types: feature_ids,
        window_sizes: WINDOWS,
        start_date,
        end_date,
        population_size: population,
        generations,
        walk_forward_enabled: true,
      })
      const id = await startRun(deps, userId, settings)
      return `Optimizer run ${id} for **${plain(target)}** has started. It continues on its own; follow it in the [Optimizer](/optimizer), or ask me later what it found.`
    },
  })

interface CreateDeps extends StrategyDeps, Pick<BacktestToolDeps, 'runOf'> {
  readonly clock: Clock
}

const TEST_DAYS = 5 * 365

/** Saves an allocation as a strategy, with the Studio's usual settings over the last five years. */
export const createStrategyAction = (deps: CreateDeps) =>
  defineAction({
    type: 'create_strategy',
    description: 'Save an Asset Allocation strategy of fixed percentages. A strategy of the same name is replaced.',
    input: z.object({ name: z.string().trim().min(1).max(200), allocation: Allocation }),
    label: ({ name, allocation }) => `Save strategy ${namedMix(name, allocation)}`,
    async run({ userId }, { name, allocation }) {
      const today = epochDayOf(deps.clock.now().getTime())
      const dates = { start_date: formatDate(today - TEST_DAYS), end_date: formatDate(today) }
      const run = deps.runOf(allocationFields({ allocation, rebalance: 'yearly', ...dates }))
      validateRun(run, deps.clock)
      await saveStrategy(deps, userId, { name, type: 'Asset Allocation', config: run.config })
      return `Saved the strategy **${plain(name)}** (${plain(weightsText(allocation))}). It is in [Strategies](/strategies); run it in the [Backtest Studio](/backtest) to see its figures.`
    },
  })
