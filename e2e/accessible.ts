import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from './story.ts'

export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolations(page, axe(page))
}

/** An open dialog. Its head counts as the page's second banner, because what is behind it does not count as a page. */
export async function expectAccessibleDialog(page: Page): Promise<void> {
  const dialog = axe(page).include('[role=dialog]').disableRules('landmark-no-duplicate-banner')
  await expectNoViolations(page, dialog)
}

/** Without frames of other sites there is no need for a second page per check, nor for the list of what is right. */
function axe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
}

async function expectNoViolations(page: Page, builder: AxeBuilder): Promise<void> {
  // Colours on the move are no colours yet. What turns without end, as long as something is loaded, is not waited for.
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    return Promise.all(ending.map((animation) => animation.finished.catch(() => {})))
  })
  const { violations } = await builder.analyze()
  const found = violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ target }) => target.join(' ')) }))
  expect(found, page.url()).toEqual([])
}

/** No page-level sideways scroll, ever. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const { content, window } = await page.evaluate(() => ({
    content: document.documentElement.scrollWidth,
    window: document.documentElement.clientWidth,
  }))
  expect(content, page.url()).toBeLessThanOrEqual(window)
}
