import { strategyTypeOf } from '@tradewright/core/strategy-kinds'
import { plainLine } from '@tradewright/core/plain-line'
import { formatDate } from '@tradewright/core/time'
import { z } from 'zod'
import type { BacktestRun } from '../../backtests/backtest-run.ts'
import { validateRun } from '../../backtests/validate-run.ts'
import { saveStrategy, type StrategyDeps } from '../../strategies/own-strategies.ts'
import { defineProposal, proposedName, quoted } from '../proposal.ts'
import { ProposedStrategy } from '../proposed-strategy.ts'
import { strategyRows } from '../strategy-rows.ts'

interface Deps extends StrategyDeps {
  /** Reads what is proposed as the Studio's form would; a Problem says what is wrong. */
  readonly runOf: (strategy: ProposedStrategy) => BacktestRun
}

export const saveStrategyProposal = (deps: Deps) =>
  defineProposal({
    kind: 'save_strategy',
    description:
      'Save a strategy: fixed percentages (allocation), a tree of rules (rules), or the settings of get_strategy (settings). ' +
      'One of the same name and type would be replaced.',
    content: ProposedStrategy.extend({
      name: proposedName(200),
      description: z.string().trim().max(2000).optional(),
    }),
    async describe(userId, content) {
      const run = deps.runOf(content)
      validateRun(run, deps.clock)
      const { request } = run
      const type = strategyTypeOf(request.strategy.kind)
      const existing = (await deps.strategies.list(userId)).find(
        (one) => one.name === content.name && one.type === type,
      )
      const held = strategyRows(run)
      return {
        title: `${existing ? 'Replace' : 'Save'} the strategy ${quoted(content.name)}`,
        subject: 'Strategies',
        changes: [
          { label: 'Name', before: null, after: plainLine(content.name, 200) },
          { label: 'Type', before: existing ? existing.type : null, after: type },
          ...held.changes,
          { label: 'Tested from', before: null, after: `${formatDate(request.from)} to ${formatDate(request.to)}` },
          ...(content.description
            ? [{ label: 'Description', before: null, after: plainLine(content.description, 200) }]
            : []),
        ],
        notices: [
          ...held.notices,
          ...(existing
            ? [
                `You have a strategy of this name, last changed on ${existing.updatedAt.toISOString().slice(0, 10)}. Its settings would be replaced; deployments of it go on as they are.`,
              ]
            : []),
        ],
        isRealMoney: false,
        basis: held.basis!,
      }
    },
    async accept({ userId }, content) {
      const run = deps.runOf(content)
      validateRun(run, deps.clock)
      const type = strategyTypeOf(run.request.strategy.kind)
      const { name, description } = content
      await saveStrategy(deps, userId, { name, type, config: run.config, ...(description && { description }) })
      return { outcome: `The strategy ${quoted(name)} is saved.`, link: '/strategies' }
    },
  })
