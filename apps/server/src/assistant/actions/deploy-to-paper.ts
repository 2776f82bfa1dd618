import { Problem } from '@tradewright/core/problem'
import { z } from 'zod'
import type { BrokerageAccount } from '../../brokerage/account.ts'
import type { Actor } from '../../live-trading/actor.ts'
import { deploy, type DeployForm } from '../../live-trading/deploy/deploy.ts'
import type { LiveDeps } from '../../live-trading/deps.ts'
import { defineAction } from '../action.ts'
import { money, plain } from '../words.ts'

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
