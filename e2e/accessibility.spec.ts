import { SCREEN_PATHS } from '../packages/contract/src/screens.ts'
import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts'
import { SCREENS } from '../apps/web/test-support/screens.ts'
import { expect, LOOKS, type Page, test } from './story.ts'

/** At least so wide, the links of the navigation are side by side; there it has the least room for them. */
const NARROWEST_BAR = 1248

/** As a user gets there: by its link, which is in a menu on a phone. */
async function follow(page: Page, link: string, width: number): Promise<void> {
  if (width < NARROWEST_BAR) await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: link, exact: true }).click()
}

/** With something in each: a result, its shared page, records, a deployment. The operator's page is in admin.component.test.tsx. */
async function otherScreens(page: Page): Promise<string[]> {
  const send = async <Answer>(path: string, more: Parameters<Page['request']['post']>[1] = {}): Promise<Answer> => {
    const answer = await page.request.post(path, more)
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true)
    return (await answer.json()) as Answer
  }
  const { strategy_id, backtest_id } = await send<{ strategy_id: number; backtest_id: number }>('/api/backtest', {
    multipart: {
      strategyName: 'Plain mix',
      strategyType: 'Asset Allocation',
      startDate: '2018-01-02',
      endDate: '2022-12-30',
      startValue: '10000',
      'ticker[]': 'SPY',
      'allocation[]': '100',
      saveStrategy: 'true',
      saveBacktest: 'true',
    },
  })
  const shared = await send<{ token: string }>(`/api/backtests/${backtest_id}/links`, { data: {} })
  await send(`/api/strategies/${strategy_id}/record`)
  const record = await send<{ token: string }>(`/api/strategies/${strategy_id}/record/link`, { data: {} })
  const { account } = await send<{ account: { id: number } }>('/api/alpaca/paper-account', { data: {} })
  const form = { deployment_name: 'On paper', alpaca_account_id: account.id, capital_policy_value: 1000 }
  const { deployment } = await send<{ deployment: { id: number } }>('/api/deployment/create', {
    data: { ...form, strategy_id },
  })
  const month = new Date().toISOString().slice(0, 7)
  return [
    `/backtest?backtest_id=${backtest_id}`,
    `/backtest?backtest_id=${backtest_id}&view=report`,
    '/backtest?construct=new',
    `/shared/${shared.token}`,
    `/strategies/${strategy_id}/record`,
    `/records/${record.token}`,
    `/live-trading/${deployment.id}`,
    '/live-trading?tab=deploy',
    `/portfolio-performance/statement?account=${account.id}&month=${month}`,
    '/proposals',
    '/verify-email?token=unknown',
  ]
}

for (const { colorScheme, viewport } of LOOKS) {
  test.describe(`${colorScheme}, ${viewport.width} px`, () => {
    test.use({ colorScheme, viewport })

    test('every screen passes the checks of axe, and none scrolls sideways', async ({ signedIn: page }) => {
      test.slow()
      await page.goto('/settings')
      for (const { path, link, heading } of SCREENS) {
        await follow(page, link, viewport.width)
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading)
        if (path === '/settings') await expect(page.getByRole('switch')).toBeVisible()
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
        if (viewport.width < NARROWEST_BAR) continue
        await page.setViewportSize({ ...viewport, width: NARROWEST_BAR })
        await expectNoSidewaysScroll(page)
        await page.setViewportSize(viewport)
      }
      await page.goto('/no/such/page')
      await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible()
      await expectAccessible(page)
      if (viewport.width >= NARROWEST_BAR) return
      await page.getByRole('button', { name: 'Open menu' }).click()
      await expectAccessible(page)
    })

    test('screens that no link of the bar leads to pass them, too', async ({ page, person: _person }) => {
      test.slow()
      for (const path of await otherScreens(page)) {
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await page.waitForLoadState('networkidle')
        await expectAccessible(page)
        await expectNoSidewaysScroll(page)
      }
    })

    test('sign-in and register pass them, with their errors', async ({ page }) => {
      test.slow()
      await page.goto('/register')
      await page.getByLabel('Password').fill('abc')
      await expectAccessible(page)
      await page.goto('/login')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page.getByText('Username is required.')).toBeVisible()
      await expectAccessible(page)
      await page.goto('/login?error=google_unavailable')
      await expect(page.getByRole('alert')).toBeVisible()
      await expectAccessible(page)
    })
  })
}

test('no screen is left out', async ({ page, person: _person }) => {
  const visited = [...SCREENS.map(({ path }) => path), ...(await otherScreens(page)), '/register', '/login']
  const paths = visited.map((address) => address.split('?', 1)[0] ?? '')
  const isVisited = (screen: string) => {
    const pattern = new RegExp(`^${screen.replaceAll(/:[a-z]+/g, '[^/]+')}$`)
    return paths.some((path) => pattern.test(path))
  }
  // The operator's page, which only the first account has.
  expect(SCREEN_PATHS.filter((screen) => !isVisited(screen))).toEqual(['/admin'])
})

test('what looks like a button has a label that can be read in both themes', async ({ page }) => {
  // Text in the colour of its ground counts as hidden for axe, so this is checked once more.
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await page.goto('/no/such/page')
    await expect(page.getByRole('link', { name: 'Go to Home' })).toHaveCSS('color', 'rgb(255, 255, 255)')
  }
})
