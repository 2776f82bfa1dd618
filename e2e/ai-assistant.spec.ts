import { expectAccessible, expectNoSidewaysScroll } from './accessible.ts'
import { expect, type Page, test } from './story.ts'

const input = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const messages = (page: Page) => page.getByRole('log', { name: 'Messages' }).getByRole('article')
const chats = (page: Page) => page.getByRole('region', { name: 'Recent Chats' }).getByRole('listitem')

async function ask(page: Page, question: string): Promise<void> {
  await input(page).fill(question)
  await page.getByRole('button', { name: 'Send' }).click()
}

/** Whatever is asked, the server answers this. */
const answerWith = (page: Page, call: 'query' | 'action', json: object, status = 200) =>
  page.route(`**/api/ai-assistant-${call}`, (route) => route.fulfill({ status, json }))

async function talk(page: Page, conversation_id: string, message = `Hello from ${conversation_id}`): Promise<void> {
  const answer = await page.request.post('/api/ai-assistant-query', { data: { message, conversation_id } })
  expect(answer.ok(), await answer.text()).toBe(true)
}

test('a question is sent by Enter or the button and answered from own data [AI-001..003, AI-005, AI-007..010, AI-016..018, AI-022..025, AI-043]', async ({
  page,
  person: _person,
}) => {
  await page.goto('/ai-assistant')
  for (const heading of ['Quick Actions', 'Recent Chats']) {
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
  }
  for (const name of [
    'Analyze Strategy',
    'Optimize Portfolio',
    'Add Feature',
    'Market Analysis',
    'New chat',
    'Clear',
  ]) {
    await expect(page.getByRole('button', { name, exact: true })).toBeVisible()
  }
  await expect(page.getByText('Answered by the built-in assistant.')).toBeVisible()
  const send = page.getByRole('button', { name: 'Send' })
  await expect(send).toBeDisabled()
  await input(page).fill('   ')
  await expect(send).toBeDisabled()

  await input(page).fill('List my')
  await input(page).press('Shift+Enter')
  await input(page).pressSequentially('strategies')
  await expect(input(page)).toHaveValue('List my\nstrategies')
  await expect(messages(page)).toHaveCount(0)
  await input(page).press('Enter')
  await expect(messages(page)).toHaveCount(2)
  await expect(messages(page).last()).toContainText('You have no saved strategies yet.')
  await expect(messages(page).last()).toContainText('This is the built-in assistant')
  await expect(
    messages(page)
      .first()
      .getByText(/^\d{1,2}:\d\d [AP]M ET$/),
  ).toBeVisible()
  await expect(input(page)).toHaveValue('')
  await expect(chats(page)).toHaveCount(1)
  await expect(chats(page)).toContainText('List my strategies')
  await expect(chats(page)).toContainText('now')

  await page.reload()
  await expect(messages(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect(messages(page)).toHaveCount(0)
  await expect(chats(page)).toHaveCount(1)
})

test('while an answer is under way nothing else is sent, and Stop ends it [AI-017, AI-023]', async ({
  signedIn: page,
}) => {
  await page.route('**/api/ai-assistant-query', () => {})
  await page.goto('/ai-assistant')
  await ask(page, 'Take your time')
  await expect(page.getByText('Thinking...')).toBeVisible()
  await input(page).fill('And another')
  await input(page).press('Enter')
  await expect(messages(page)).toHaveCount(2)
  await expect(page.getByRole('button', { name: 'Send' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Market Analysis' })).toBeDisabled()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByText('Stopped.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send' })).toBeEnabled()
})

test('quick actions and buttons of an answer go to the action call, and really happen [AI-011, AI-012, AI-021, AI-026]', async ({
  page,
  person: _person,
}) => {
  await page.goto('/ai-assistant')
  await page.evaluate(() => localStorage.setItem('token', 'kept-under-token'))
  const quick = page.waitForRequest('**/api/ai-assistant-action')
  await page.getByRole('button', { name: 'Analyze Strategy' }).click()
  const request = await quick
  expect(request.postDataJSON()).toMatchObject({ action: { type: 'analyze_strategy', label: 'Analyze Strategy' } })
  expect(await request.headerValue('authorization')).toBe('Bearer kept-under-token')
  await expect(messages(page).last()).toContainText('You have no saved strategies yet.')

  const allocation = [{ ticker: 'SPY', percent: 100 }]
  const action = { label: 'Save it [now]', type: 'create_strategy', name: 'All in', allocation }
  const broken = '[ACTION:{"label": broken}]'
  const response = `Here:\n\n| Figure | Value |\n| --- | ---: |\n| CAGR | +8.5% |\n\n<b>raw</b> ${broken}\n\n[ACTION:${JSON.stringify(action)}]`
  await answerWith(page, 'query', { response })
  await ask(page, 'What shall I hold?')
  await expect(messages(page)).toHaveCount(4)
  await expect(messages(page).last()).toContainText('<b>raw</b>')
  await expect(messages(page).last()).toContainText(broken)
  await expect(messages(page).last()).not.toContainText('create_strategy')
  await expect(messages(page).last().getByRole('cell', { name: '+8.5%' })).toBeVisible()
  const pressed = page.waitForRequest('**/api/ai-assistant-action')
  await page.getByRole('button', { name: 'Save it [now]' }).click()
  expect((await pressed).postDataJSON()).toMatchObject({ action })
  await expect(messages(page).last()).toContainText('Saved the strategy All in')
  await messages(page).last().getByRole('link', { name: 'Strategies' }).click()
  await expect(page).toHaveURL('/strategies')
  await expect(page.getByRole('cell', { name: 'All in', exact: true })).toBeVisible()
})

test('recent chats: the latest ten, opened, searched and deleted [AI-004..006, AI-019, AI-020]', async ({
  page,
  person: _person,
}) => {
  for (let number = 1; number <= 11; number++) await talk(page, `chat ${number}`)
  await page.goto('/ai-assistant')
  await expect(chats(page)).toHaveCount(10)
  await expect(chats(page).first()).toContainText('Hello from chat 11')
  await page.getByRole('button', { name: /^Hello from chat 7/ }).click()
  await expect(messages(page).first()).toContainText('Hello from chat 7')
  await page.getByRole('button', { name: /^Hello from chat 11/ }).click()
  await expect(messages(page).first()).toContainText('Hello from chat 11')
  await expect(messages(page)).toHaveCount(2)
  await page.goBack()
  await expect(messages(page).first()).toContainText('Hello from chat 7')
  await page.goForward()
  await expect(messages(page).first()).toContainText('Hello from chat 11')

  await page.getByRole('button', { name: 'Delete chat Hello from chat 11' }).click()
  await expect(messages(page)).toHaveCount(0)
  await expect(chats(page).first()).toContainText('Hello from chat 10')
  await expect(chats(page)).toHaveCount(10)
  await page.getByRole('searchbox', { name: 'Search chats' }).fill('chat 3')
  await expect(chats(page)).toHaveCount(1)
  await page.getByRole('button', { name: /^Hello from chat 3/ }).click()
  await expect(messages(page)).toHaveCount(2)
  const exported = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export chat' }).click()
  expect((await exported).suggestedFilename()).toBe('chat.md')
  await page.getByRole('button', { name: 'New chat' }).click()
  await expect(messages(page)).toHaveCount(0)
})

test('chats tell their age [AI-013]', async ({ signedIn: page }) => {
  const now = Date.parse('2026-11-14T12:00:00Z')
  const minutes = [0, 5, 3 * 60, 2 * 24 * 60, 8 * 24 * 60]
  const conversations = minutes.map((ago, index) => ({
    conversation_id: `c${index}`,
    title: `Chat ${index}`,
    message_count: 2,
    last_message_time: new Date(now - ago * 60_000).toISOString(),
  }))
  await page.clock.setFixedTime(now)
  await page.route('**/api/ai-assistant-conversations*', (route) => route.fulfill({ json: { conversations } }))
  await page.goto('/ai-assistant')
  await expect(chats(page).getByRole('time')).toHaveText(['now', '5m', '3h', '2d', '6 Nov 2026'])
})

test('failures have their sentences, and the chat goes on [AI-018, AI-037..040]', async ({ signedIn: page }) => {
  await page.goto('/ai-assistant')
  const refusal = { success: false, error: 'No quota is left.', message: 'No quota is left.', code: 'ai.quota' }
  await answerWith(page, 'query', refusal, 502)
  await ask(page, 'First')
  await expect(messages(page).last()).toContainText('Sorry, I encountered an error. Please try again.')
  await expect(messages(page).last()).toContainText('No quota is left.')
  await page.unroute('**/api/ai-assistant-query')
  await answerWith(page, 'query', { response: '' })
  await ask(page, 'Second')
  await expect(messages(page).last()).toContainText('Sorry, I encountered an error processing your request.')
  await answerWith(page, 'action', refusal, 500)
  await page.getByRole('button', { name: 'Market Analysis' }).click()
  await expect(messages(page).last()).toContainText('Sorry, I encountered an error executing that action.')
  await page.unroute('**/api/ai-assistant-action')
  await answerWith(page, 'action', { response: '' })
  await page.getByRole('button', { name: 'Market Analysis' }).click()
  await expect(messages(page).last()).toContainText('Action completed successfully.')
  await expect(messages(page)).toHaveCount(8)
})

interface SpokenWords {
  spoken: { text: string; rate: number; pitch: number; volume: number }[]
  listening: { lang: string; continuous: boolean }[]
}

/** Stand-ins for the browser's speech: it recognizes one sentence, and records what it is told to say. */
const stubSpeech = () => {
  const words = globalThis as unknown as SpokenWords
  words.spoken = []
  words.listening = []
  class Recognition {
    lang = ''
    continuous = true
    onresult: ((event: object) => void) | null = null
    onend: (() => void) | null = null
    start() {
      words.listening.push({ lang: this.lang, continuous: this.continuous })
      const result = Object.assign([{ transcript: 'list my strategies' }], { isFinal: true })
      setTimeout(() => {
        this.onresult?.({ resultIndex: 0, results: [result] })
        this.onend?.()
      })
    }
    abort() {
      this.onend?.()
    }
  }
  const utterance = class {
    text: string
    constructor(text: string) {
      this.text = text
    }
  }
  const synthesis = {
    getVoices: () => [],
    cancel: () => {},
    speak: (one: SpokenWords['spoken'][number]) => words.spoken.push({ ...one }),
  }
  Object.assign(globalThis, { webkitSpeechRecognition: Recognition, SpeechSynthesisUtterance: utterance })
  Object.defineProperty(globalThis, 'speechSynthesis', { value: synthesis })
}

test('what is said is written, and replies are read aloud while that is on [AI-008, AI-041, AI-042]', async ({
  signedIn: page,
}) => {
  await page.addInitScript(stubSpeech)
  await answerWith(page, 'query', { response: '**One** strategy. [Open](/strategies)' })
  await page.goto('/ai-assistant')
  await page.getByRole('button', { name: 'Voice input' }).click()
  await expect(input(page)).toHaveValue('list my strategies')
  const spoken = page.getByRole('button', { name: 'Read replies aloud' })
  await expect(spoken).toHaveAttribute('aria-pressed', 'false')
  await spoken.click()
  await expect(spoken).toHaveAttribute('aria-pressed', 'true')
  await input(page).press('Enter')
  await expect(messages(page)).toHaveCount(2)
  expect(await page.evaluate(() => (globalThis as unknown as SpokenWords).listening)).toEqual([
    { lang: 'en-US', continuous: false },
  ])
  await expect
    .poll(() => page.evaluate(() => (globalThis as unknown as SpokenWords).spoken))
    .toMatchObject([
      { text: 'One strategy.', rate: 0.9, pitch: 1, volume: 0.8 },
      { text: 'Open', rate: 0.9, pitch: 1, volume: 0.8 },
    ])
})

test('a connected model answers, streamed through the real server [AI-018, AI-029]', async ({
  page,
  person: _person,
}) => {
  const connected = await page.request.post('/api/openai/connect', { data: { api_key: 'sk-story' } })
  expect(connected.ok(), await connected.text()).toBe(true)
  await page.goto('/ai-assistant')
  await expect(page.getByText('Answered by gpt-4o-mini.')).toBeVisible()
  const answer = page.waitForResponse('**/api/ai-assistant-query')
  await ask(page, 'Who are you?')
  expect((await answer).headers()['content-type']).toContain('text/event-stream')
  await expect(messages(page).last()).toContainText('This is the stand-in of a model.')
  await expect(page.getByRole('button', { name: 'Send' })).toBeVisible()
})

test('a chat with tables, charts, buttons and a failure can be read by everybody, in both themes and widths', async ({
  page,
  person: _person,
}) => {
  test.slow()
  for (const question of ['What if I held 60% SPY and 40% AGG?', 'What if I held 50% SPY and 50% AGG?']) {
    await talk(page, 'two mixes', question)
  }
  const gone = { type: 'run_strategy', label: 'Run it again', strategy_id: 999_999 }
  const failed = await page.request.post('/api/ai-assistant-action', {
    data: { action: gone, conversation_id: 'two mixes' },
  })
  expect(failed.status()).toBe(404)
  await page.goto('/ai-assistant')
  await chats(page)
    .getByRole('button', { name: /^What if I held 60%/ })
    .click()
  await expect(messages(page)).toHaveCount(6)
  await expect(page.getByRole('figure', { name: /^Account value of/ })).toHaveCount(2)
  await expect(messages(page).getByRole('table')).toHaveCount(2)
  await expect(page.getByRole('button', { name: /^Save strategy/ })).toHaveCount(2)
  await expect(messages(page).last()).toContainText('There is no such strategy.')
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 })
    if (width < 961) await page.getByRole('button', { name: 'Show' }).click()
    await expect(chats(page)).toHaveCount(1)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
      await expectAccessible(page)
      await expectNoSidewaysScroll(page)
    }
  }
})
