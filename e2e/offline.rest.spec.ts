import { expect, type Page, test } from './story.ts'

test.use({ serviceWorkers: 'allow' })

/** The worker has kept the shell and speaks for this page. */
async function workerReady(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
    if (navigator.serviceWorker.controller) return
    await new Promise((resolve) =>
      navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
    )
  })
}

test('the shell opens without a network and continues when it is back [SHELL-016]', async ({ signedIn: page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: /^Hello, / })).toBeVisible()
  await workerReady(page)
  expect(await page.evaluate(async () => (await navigator.serviceWorker.ready).scope)).toBe(
    new URL('/', page.url()).href,
  )

  await page.context().setOffline(true)
  await page.goto('/strategies')
  await expect(page.getByRole('heading', { level: 1, name: 'You are offline' })).toBeVisible()
  await expect(page.getByText('Tradewright', { exact: true })).toBeVisible()

  await page.context().setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'Investment Strategies' })).toBeVisible()
})

test('losing the network shows a notice and keeps the screen', async ({ signedIn: page }) => {
  // Who saves data has no screen fetched ahead; otherwise it depends on the time whether the next one is there already.
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { saveData: true } }))
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: /^Hello, / })).toBeVisible()
  await workerReady(page)
  await page.context().setOffline(true)
  await expect(page.getByRole('status').filter({ hasText: 'You are offline' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: /^Hello, / })).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Optimizer' }).click()
  await expect(page.getByText('this screen has not been opened on this device before')).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByRole('status').filter({ hasText: 'You are offline' })).toBeHidden()
})

test('nothing of the server is ever kept, only the static shell', async ({ signedIn: page }) => {
  await page.goto('/settings')
  await expect(page.getByRole('switch', { name: 'Password sign-in' })).toBeVisible()
  await workerReady(page)
  await page.reload()
  await expect(page.getByRole('switch', { name: 'Password sign-in' })).toBeVisible()
  const kept = await page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(kept).toContain('/index.html')
  expect(
    kept.filter((path) => !/^\/(assets\/|index\.html$|theme\.js$|favicon\.svg$|manifest\.webmanifest$)/.test(path)),
  ).toEqual([])
})

test('a cache of an older version is removed by the newer one', async ({ page }) => {
  await page.goto('/favicon.svg')
  await page.evaluate(async () => {
    await (await caches.open('tradewright-shell-older')).put('/index.html', new Response('old'))
  })
  await page.goto('/login')
  await workerReady(page)
  await expect
    .poll(() =>
      page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('tradewright-shell-'))),
    )
    .toEqual([expect.not.stringContaining('older')])
})

test('the app works where the worker cannot be registered [SHELL-017]', async ({ signedIn: page }) => {
  const errors: Error[] = []
  page.on('pageerror', (error) => errors.push(error))
  await page.addInitScript(() => {
    navigator.serviceWorker.register = () => Promise.reject(new Error('not here'))
  })
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: /^Hello, / })).toBeVisible()
  expect(errors).toEqual([])
})
