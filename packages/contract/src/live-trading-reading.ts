import { z } from 'zod'
import { Success } from './answers.ts'
import { getDeployment, getDeploymentDetails, listDeployments, listTradingAccounts } from './live-trading.ts'
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
  percent_kept: figure.default(0),
  committed_capital: figure,
  available_cash: figure.nullable(),
  available_capital: figure.nullable(),
  cash: figure.nullable(),
  equity: figure.nullable(),
  buying_power: figure.nullable(),
  capital_base: figure.nullable(),
})

const ReadSnapshot = z.preprocess(
  (given) => (typeof given === 'string' ? parsed(given) : given),
  AccountSnapshot.extend({ cash: figure, account_value: figure }).nullable(),
)

/** Text that is no JSON stays text, which the snapshot's schema then refuses. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const ReadDeployment = Deployment.extend({ last_account_snapshot: ReadSnapshot })

const ReadDetails = getDeploymentDetails.answer.shape.deployment.extend({
  last_account_snapshot: ReadSnapshot,
  account: ReadAccount.nullable(),
})

export const readTradingAccounts = {
  ...listTradingAccounts,
  answer: Success.extend({ accounts: z.array(ReadAccount) }),
}
export const readDeployments = { ...listDeployments, answer: Success.extend({ deployments: z.array(ReadDeployment) }) }
export const readDeployment = { ...getDeployment, answer: Success.extend({ deployment: ReadDeployment }) }
export const readDeploymentDetails = {
  ...getDeploymentDetails,
  answer: getDeploymentDetails.answer.extend({ deployment: ReadDetails }),
}
