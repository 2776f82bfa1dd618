import { createHmac } from 'node:crypto'
import { expect, newPerson, type Page, register, signInByForm, test } from './story.ts'

/** A security key of the browser's own, that says yes by itself. */
async function plugInKey(page: Page) {
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'usb',
    hasUserVerification: false,
    automaticPresenceSimulation: true,
  } as const
  await cdp.send('WebAuthn.addVirtualAuthenticator', { options })
}

/** What an authenticator app shows, by RFC 6238. */
function codeOf(secret: string, at = Date.now()): string {
  const bits = secret
    .split('')
    .map((one) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(one).toString(2).padStart(5, '0'))
    .join('')
  const key = Buffer.from(bits.match(/.{8}/g)!.map((byte) => Number.parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(at / 30_000)))
  const digest = createHmac('sha1', key).update(step).digest()
  return String((digest.readUInt32BE(digest.at(-1)! & 15) & 0x7fffffff) % 1e6).padStart(6, '0')
}

test('a passkey and an app protect an account, at sign-in and before a key is made', async ({ browser, baseURL }) => {
  // Browsers take passkeys on localhost, and not at a number.
  const context = await browser.newContext({ baseURL: baseURL!.replace('127.0.0.1', 'localhost') })
  const page = await context.newPage()
  const person = newPerson()
  await register(page, person)
  await plugInKey(page)
  await page.goto('/settings#second-factor')
  const section = page.getByRole('region', { name: 'Second Factor' })
  await section.getByRole('button', { name: 'Add passkey' }).click()
  await section.getByLabel('Your password').fill(person.password)
  await section.getByRole('button', { name: 'Continue' }).click()
  const codes = section.getByRole('form', { name: 'Recovery codes' })
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  const recovery = (await codes.getByRole('listitem').first().textContent())!
  await codes.getByRole('button', { name: 'I have them' }).click()

  await section.getByRole('button', { name: 'Add app' }).click()
  await section.getByRole('button', { name: 'Continue' }).click()
  const secret = await section.getByLabel('Key', { exact: true }).inputValue()
  await section.getByLabel('Code', { exact: true }).fill(codeOf(secret))
  await section.getByRole('button', { name: 'Check the code' }).click()
  await expect(section.getByText('Phone')).toBeVisible()

  await page.getByRole('button', { name: 'Logout' }).click()
  await signInByForm(page, person)
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
  await page.getByLabel('Code').fill('000000')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toContainText('This code is wrong')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('heading', { name: `Hello, ${person.username}!` })).toBeVisible()

  await page.getByRole('button', { name: 'Logout' }).click()
  await signInByForm(page, person)
  await page.getByLabel('Code').fill(recovery)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('heading', { name: `Hello, ${person.username}!` })).toBeVisible()

  // As if ten minutes had passed: the session says so, and the call is made again with the answer.
  let isRefused = false
  await page.route('**/api/keys', async (route) => {
    if (route.request().method() !== 'POST' || isRefused) return route.continue()
    isRefused = true
    const sentence = 'Confirm with your second factor first.'
    return route.fulfill({
      status: 403,
      json: { success: false, code: 'factor.needed', error: sentence, message: sentence },
    })
  })
  await page.goto('/settings#api-keys')
  await page.getByRole('button', { name: 'Create API key' }).click()
  const form = page.getByRole('form', { name: 'Create API key' })
  await form.getByLabel('Name').fill('Notebook')
  await form.getByLabel('Your password').fill(person.password)
  await form.getByRole('button', { name: 'Create API key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await dialog.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('form', { name: 'New API key' })).toBeVisible()
  await context.close()
})
