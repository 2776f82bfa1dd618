import { answerInPlace, type Served } from '../apps/web/test-support/served.ts'
import type { Page } from './story.ts'

export { on, refuse } from '../apps/web/test-support/served.ts'

/** Takes the place of the server for these calls. The first that fits answers; all others go to the server. */
export async function standIn(page: Page, served: readonly Served[]): Promise<void> {
  await page.route('**/api/**', async (route) => {
    const request = route.request()
    const answer = await answerInPlace(served, {
      method: request.method(),
      url: new URL(request.url()),
      body: () => Promise.resolve(request.postDataJSON() as unknown),
    })
    await (answer ? route.fulfill(answer) : route.fallback())
  })
}
