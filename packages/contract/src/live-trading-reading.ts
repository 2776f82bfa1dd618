import { z } from 'zod'
import { Success } from './answers.ts'
import { getDeployment, listDeployments, listTradingAccounts } from './live-trading.ts'
import { AccountSnapshot, Deployment, TradingAccount } from './live-trading-fields.ts'

/**
 * The same calls as a browser reads them. The specification lets an account's figures come as text and a snapshot as
 * JSON in a string; our server sends neither, but another one behind the same address may.
 */
const figure = z.union([
  z.number(),
  z
    .string()
    .trim()
    .regex(/^[+-]?\d+(\.\d+)?$/)
    .transform(Number),
])

const ReadAccount = TradingAccount.extend({
  percent_allocated: figure,
  committed_capital: figure,
  available_cash: figure.nullable(),
  available_capital: figure.nullable(),
  cash: figure.nullable(),
  equity: figure.nullable(),
  buying_power: figure.nullable(),
  capital_base: figure.nullable(),
})

const ReadDeployment = Deployment.extend({
  last_account_snapshot: z.preprocess(
    (given) => (typeof given === 'string' ? JSON.parse(given) : given),
    AccountSnapshot.nullable(),
  ),
})

export const readTradingAccounts = {
  ...listTradingAccounts,
  answer: Success.extend({ accounts: z.array(ReadAccount) }),
}
export const readDeployments = { ...listDeployments, answer: Success.extend({ deployments: z.array(ReadDeployment) }) }
export const readDeployment = { ...getDeployment, answer: Success.extend({ deployment: ReadDeployment }) }
