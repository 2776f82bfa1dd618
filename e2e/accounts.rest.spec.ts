import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../apps/server/src/adapters/postgres/embedded-postgres.ts'
import { type MailServer, startMailServer } from '../apps/server/test-support/mail-server.ts'
import { compileCache } from '../apps/server/test-support/program.ts'
import { type RunningApp, startApp } from './app.ts'
import { expect, newPerson, type Page, test } from './story.ts'

/** A site that sends mail and asks for invitations, as one that other machines reach would. */
let app: RunningApp
let mails: MailServer
let dataDir: string
let environment: Record<string, string>
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  mails = await startMailServer()
  dataDir = mkdtempSync(join(tmpdir(), 'tradewright-accounts-'))
  const database = process.env['TEST_DATABASE_URL']
  environment = {
    DATA_DIR: dataDir,
    REGISTRATION: 'invite',
    MIN_PASSWORD_LENGTH: '8',
    SMTP_URL: mails.url,
    MAIL_FROM: 'tradewright@example.com',
    RUN_JOBS: 'off',
    COMPUTE_THREADS: '1',
    ...(database ? { DATABASE_URL: database } : {}),
  }
  app = await startApp(environment)
  // The first account needs no invitation; on a shared database there are others already.
  const first = { ...newPerson(), email: null }
  await fetch(`${app.url}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(first),
  })
})
test.afterAll(async () => {
  await app.stop()
  await mails.close()
  rmSync(dataDir, { recursive: true, force: true })
})

/** As the operator would, beside the running program. */
function invitation(): string {
  const command = join(import.meta.dirname, '..', 'apps', 'server', 'src', 'commands', 'invite.ts')
  const env = { PATH: process.env['PATH'] ?? '', PORT: new URL(app.url).port, ...compileCache, ...environment }
  const [link = ''] = execFileSync(process.execPath, [command, '3'], { env, encoding: 'utf8' }).split('\n')
  return link
}

async function registerBy(page: Page, link: string, person: { username: string; password: string }): Promise<void> {
  await page.goto(link)
  await page.getByLabel('Username').fill(person.username)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Create Account' }).click()
}

const greeting = (page: Page, name: string) => page.getByRole('heading', { level: 1, name: `Hello, ${name}!` })

test('a site that asks for invitations offers no registration, and takes an invitation once', async ({ page }) => {
  await page.goto(`${app.url}/login`)
  await expect(page.getByRole('link', { name: 'Sign in with Google' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create an account' })).toBeHidden()
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Register' })).toBeHidden()
  await page.goto(`${app.url}/register`)
  await expect(page.getByText('New accounts need an invitation on this site.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Create Account' })).toBeHidden()

  const link = invitation()
  const person = newPerson()
  await registerBy(page, link, { ...person, password: 'password1' })
  await expect(page.getByRole('alert')).toHaveText(
    'This password is among the most common ones. Please choose another one.',
  )
  await expect(page.getByRole('link', { name: 'Register with Google' })).toHaveAttribute(
    'href',
    /^\/api\/auth\/google\/login\?invite=[\w-]{43}$/,
  )
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(greeting(page, person.username)).toBeVisible()
  await page.context().clearCookies()
  await registerBy(page, link, newPerson())
  await expect(page.getByRole('alert')).toHaveText('This invitation has already been used or has expired.')
})

test('an e-mail address is verified by its link, and then signs in', async ({ page }) => {
  const person = newPerson()
  const address = `${person.username}@example.com`
  await registerBy(page, invitation(), { ...person, username: address })
  await expect(greeting(page, address)).toBeVisible()
  await page.goto(`${app.url}/settings`)
  const section = page.getByRole('region', { name: 'Authentication & Security' })
  await expect(section.getByText('Not verified', { exact: true })).toBeVisible()
  await mails.next(address)
  await section.getByRole('button', { name: 'Resend link' }).click()
  await expect(page.getByText(`A link was sent to ${address}. Open it within 24 hours.`)).toBeVisible()
  const { text } = await mails.next(address)
  const link = /http:\S+\/verify-email\?token=[\w-]{43}/.exec(text)?.[0] ?? ''

  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByLabel('Username').fill(address)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toContainText('Confirm your e-mail address first')

  await page.goto(link)
  await page.getByRole('button', { name: 'Confirm e-mail address' }).click()
  await expect(page.getByText(`${address} is verified.`)).toBeVisible()
  await page.goto(link)
  await page.getByRole('button', { name: 'Confirm e-mail address' }).click()
  await expect(page.getByRole('alert')).toContainText('This link has already been used or has expired.')
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('Username').fill(address)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(greeting(page, address)).toBeVisible()
  await page.goto(`${app.url}/settings`)
  await expect(section.getByText('Verified', { exact: true })).toBeVisible()
})

test('a session ends at its greatest age, and the view says so', async ({ page }) => {
  const person = newPerson()
  await registerBy(page, invitation(), person)
  await expect(greeting(page, person.username)).toBeVisible()
  await page.goto(`${app.url}/settings`)
  await expect(page.getByText('after 30 days without use, and 90 days after its sign-in.')).toBeVisible()
  await ageSessionsOf(person.username, 91)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Strategies' }).click()
  await expect(async () => {
    await page.reload()
    await expect(page).toHaveURL(/\/login$/, { timeout: 500 })
  }).toPass()
  await expect(page.getByLabel('Username')).toBeVisible()
})

async function ageSessionsOf(username: string, days: number): Promise<void> {
  const connectionString = environment['DATABASE_URL'] ?? (await startEmbeddedPostgres(dataDir)).url
  const client = new pg.Client({ connectionString })
  await client.connect()
  await client.query(
    `UPDATE sessions SET created_at = created_at - make_interval(days => $2)
     WHERE user_id = (SELECT id FROM users WHERE username = $1)`,
    [username, days],
  )
  await client.end()
}
