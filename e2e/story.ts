import { randomBytes } from 'node:crypto'
import { expect, type Page, test as base } from '@playwright/test'

export { expect, type Page } from '@playwright/test'

export interface Person {
  username: string
  password: string
}

interface Stories {
  /** A user whom this story shares with no other. Signed in already: the page has the session's cookie. */
  person: Person
  /** A page of a user whom the worker's stories share. For stories that change nothing about the user. */
  signedIn: Page
}

type Session = Awaited<ReturnType<import('@playwright/test').BrowserContext['storageState']>>

export const test = base.extend<Stories, { sharedSession: Session }>({
  person: async ({ page }, use) => {
    const person = newPerson()
    await register(page, person)
    await use(person)
  },

  sharedSession: [
    async ({ browser }, use) => {
      const context = await browser.newContext({ baseURL: storiesUrl() })
      const page = await context.newPage()
      await register(page, newPerson())
      await use(await context.storageState())
      await context.close()
    },
    { scope: 'worker' },
  ],

  signedIn: async ({ page, sharedSession }, use) => {
    await page.context().addCookies(sharedSession.cookies)
    await use(page)
  },
})

export function newPerson(): Person {
  return { username: `maria-${randomBytes(5).toString('hex')}`, password: 'blue canoe on a quiet lake' }
}

/** Through the call, not the screen: the stories of the screen itself are in sign-in.spec.ts. */
export async function register(page: Page, { username, password }: Person): Promise<void> {
  const answer = await page.request.post('/api/register', { data: { username, email: username, password } })
  expect(answer.ok(), await answer.text()).toBe(true)
}

export async function signInByForm(page: Page, { username, password }: Person): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

function storiesUrl(): string {
  const url = process.env['STORIES_URL']
  if (!url) throw new Error('STORIES_URL is not set: the global setup starts the app and sets it')
  return url
}

const LIGHT = 'light' as const
const DARK = 'dark' as const
const DESK = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

/**
 * Each theme once, each layout once: what depends on both at a time would be a fault of its own. ALL_LOOKS=1 plays all four.
 */
export const LOOKS = [
  { colorScheme: LIGHT, viewport: DESK },
  { colorScheme: DARK, viewport: PHONE },
  ...(process.env['ALL_LOOKS']
    ? [
        { colorScheme: DARK, viewport: DESK },
        { colorScheme: LIGHT, viewport: PHONE },
      ]
    : []),
]
