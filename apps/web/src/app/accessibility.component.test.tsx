import { SCREEN_PATHS } from '@tradewright/contract/screens'
import { expect, test } from 'vitest'
import { commands, page } from 'vitest/browser'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectTexts,
  look,
  LOOKS,
  openScreen,
  postToServer,
  signIn,
  signInAsNew,
  signOut,
} from '../../test-support/screen.tsx'
import { SCREENS } from '../../test-support/screens.ts'

/** At least so wide, the links of the navigation are side by side; there it has the least room for them. */
const NARROWEST_BAR = 1248

/** As a user gets there: by its link, which is in a menu on a phone. */
async function follow(link: string, width: number): Promise<void> {
  if (width < NARROWEST_BAR) await page.getByRole('button', { name: 'Open menu' }).click()
  const name = new RegExp(`^(${link} ?){1,2}$`)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
}

/** With something in each: a result, its shared page, records, a deployment. The operator's page is in admin.component.test.tsx. */
async function otherScreens(): Promise<string[]> {
  const run = new FormData()
  for (const [name, value] of Object.entries({
    strategyName: 'Plain mix',
    strategyType: 'Asset Allocation',
    startDate: '2018-01-02',
    endDate: '2022-12-30',
    startValue: '10000',
    'ticker[]': 'SPY',
    'allocation[]': '100',
    saveStrategy: 'true',
    saveBacktest: 'true',
  }))
    run.append(name, value)
  const saved = await postToServer('/api/backtest', run)
  const [strategy, backtest] = [Number(saved['strategy_id']), Number(saved['backtest_id'])]
  const shared = await postToServer(`/api/backtests/${backtest}/links`)
  await postToServer(`/api/strategies/${strategy}/record`)
  const record = await postToServer(`/api/strategies/${strategy}/record/link`)
  const { account } = (await postToServer('/api/alpaca/paper-account')) as { account: { id: number } }
  const form = { deployment_name: 'On paper', alpaca_account_id: account.id, capital_policy_value: 1000 }
  const created = await postToServer('/api/deployment/create', { ...form, strategy_id: strategy })
  const { deployment } = created as { deployment: { id: number } }
  return addressesOf({
    strategy,
    backtest,
    account: account.id,
    deployment: deployment.id,
    shared: String(shared['token']),
    record: String(record['token']),
  })
}

interface Made {
  strategy: number
  backtest: number
  account: number
  deployment: number
  /** Tokens of links. */
  shared: string
  record: string
}

function addressesOf({ strategy, backtest, account, deployment, shared, record }: Made): string[] {
  const month = new Date().toISOString().slice(0, 7)
  return [
    `/backtest?backtest_id=${backtest}`,
    `/backtest?backtest_id=${backtest}&view=report`,
    '/backtest?construct=new',
    `/shared/${shared}`,
    `/strategies/${strategy}/record`,
    `/records/${record}`,
    `/live-trading/${deployment}`,
    '/live-trading?tab=deploy',
    `/portfolio-performance/statement?account=${account}&month=${month}`,
    '/inbox',
    '/proposals',
    '/verify-email?token=unknown',
  ]
}

test.each(LOOKS)(
  'every screen passes the checks of axe, and none scrolls sideways, in $colorScheme at $viewport.width',
  async (wanted) => {
    const { width, height } = wanted.viewport
    await signIn()
    await look(wanted)
    openScreen('/settings')
    for (const { path, link, heading } of SCREENS) {
      await follow(link, width)
      await expectTexts(page.getByRole('heading', { level: 1 }), [heading])
      if (path === '/settings') await expect.element(page.getByRole('switch')).toBeVisible()
      await expectAccessible()
      await expectNoSidewaysScroll()
      if (width < NARROWEST_BAR) continue
      await page.viewport(NARROWEST_BAR, height)
      await expectNoSidewaysScroll()
      await page.viewport(width, height)
    }
    openScreen('/no/such/page')
    await expect.element(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
    await expectAccessible()
    if (width >= NARROWEST_BAR) return
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expectAccessible()
  },
)

test.each(LOOKS)(
  'screens that no link of the bar leads to pass them, too, in $colorScheme at $viewport.width',
  async (wanted) => {
    await signInAsNew()
    await look(wanted)
    for (const path of await otherScreens()) {
      openScreen(path)
      await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect.element(page.getByText('Loading...')).not.toBeInTheDocument()
      await expectAccessible()
      await expectNoSidewaysScroll()
    }
  },
)

test.each(LOOKS)(
  'sign-in and register pass them, with their errors, in $colorScheme at $viewport.width',
  async (wanted) => {
    await signOut()
    await look(wanted)
    openScreen('/register')
    await page.getByLabelText('Password').fill('abc')
    await expectAccessible()
    openScreen('/login')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await expect.element(page.getByText('Username is required.')).toBeVisible()
    await expectAccessible()
    openScreen('/login?error=google_unavailable')
    await expect.element(page.getByRole('alert')).toBeVisible()
    await expectAccessible()
  },
)

test('no screen is left out', () => {
  const made = { strategy: 1, backtest: 1, account: 1, deployment: 1, shared: 'token', record: 'token' }
  const visited = [...SCREENS.map(({ path }) => path), ...addressesOf(made), '/register', '/login']
  const paths = visited.map((address) => address.split('?', 1)[0] ?? '')
  const isVisited = (screen: string) => {
    const pattern = new RegExp(`^${screen.replaceAll(/:[a-z]+/g, '[^/]+')}$`)
    return paths.some((path) => pattern.test(path))
  }
  // The operator's page, which only the first account has.
  expect(SCREEN_PATHS.filter((screen) => !isVisited(screen))).toEqual(['/admin'])
})

test('what looks like a button has a label that can be read in both themes', async () => {
  await signOut()
  // Text in the colour of its ground counts as hidden for axe, so this is checked once more.
  for (const colorScheme of ['light', 'dark'] as const) {
    await commands.emulateMedia({ colorScheme })
    openScreen('/no/such/page')
    await expect.element(page.getByRole('link', { name: 'Go to Home' })).toHaveStyle({ color: 'rgb(255, 255, 255)' })
  }
})
