import { expect, test } from './story.ts'

for (const scheme of ['light', 'dark'] as const) {
  test(`without a choice the theme follows a ${scheme} system, from the first paint on`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme })
    // The app itself never runs: what colours the page is there before it.
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto('/login')
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      scheme === 'dark' ? 'rgb(11, 14, 19)' : 'rgb(245, 246, 248)',
    )
  })
}
