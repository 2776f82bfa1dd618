import { AxeBuilder } from '@axe-core/playwright'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from './story.ts'

/** The builder's own copy is three times as long, and it would be sent and compiled twice for each check. */
const AXE = readFileSync(
  createRequire(createRequire(import.meta.url).resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)

export async function expectAccessible(page: Page): Promise<void> {
  await expectNoViolations(page, await axe(page))
}

/** Without frames of other sites there is no need for a second page per check, nor for the list of what is right. */
async function axe(page: Page): Promise<AxeBuilder> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE)
  const alreadyThere = 'void window.axe'
  const builder = new AxeBuilder({ page, axeSource: alreadyThere })
  return builder.setLegacyMode().options({ resultTypes: ['violations'] })
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
