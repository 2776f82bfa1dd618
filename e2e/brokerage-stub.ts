import type { BrokerageAccount } from '../packages/contract/src/brokerage-accounts.ts'
import type { Portfolio } from '../packages/contract/src/portfolio.ts'
import type { Page } from './story.ts'

export { account, portfolio } from '../apps/web/test-support/brokerage.ts'

export const refusal = (status: number, sentence: string | null) => ({
  status,
  ...(sentence === null
    ? { body: '' }
    : { json: { success: false, error: sentence, message: sentence, code: 'stub' } }),
})

/** The server's answers about these accounts; `portfolioOf` sees each query. */
export async function stubPortfolio(
  page: Page,
  accounts: readonly BrokerageAccount[],
  portfolioOf: (query: URLSearchParams) => Portfolio | ReturnType<typeof refusal>,
): Promise<URLSearchParams[]> {
  const asked: URLSearchParams[] = []
  await page.route('**/api/alpaca/accounts', (route) => route.fulfill({ json: { success: true, accounts } }))
  await page.route('**/api/alpaca/portfolio?*', (route) => {
    const query = new URL(route.request().url()).searchParams
    asked.push(query)
    const answer = portfolioOf(query)
    return route.fulfill('status' in answer ? answer : { json: { success: true, portfolio: answer } })
  })
  return asked
}
