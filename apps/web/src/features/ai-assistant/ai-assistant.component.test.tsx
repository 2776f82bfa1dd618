import { askAssistant, listConversations, runAssistantAction } from '@tradewright/contract/ai-assistant'
import { expect, onTestFinished, test, vi } from 'vitest'
import { commands, page, userEvent } from 'vitest/browser'
import {
  expectAccessible,
  expectAddress,
  expectNoSidewaysScroll,
  expectTexts,
  fileFrom,
  madeCalls,
  openScreen,
  postToServer,
  reloadScreen,
  signIn,
  signInAsNew,
  standIn,
} from '../../../test-support/screen.tsx'
import { on, refuse } from '../../../test-support/served.ts'

const input = () => page.getByRole('textbox', { name: 'Message' })
const messages = () => page.getByRole('log', { name: 'Messages' }).getByRole('article')
const chats = () => page.getByRole('region', { name: 'Recent Chats' }).getByRole('listitem')

async function ask(question: string): Promise<void> {
  await input().fill(question)
  await page.getByRole('button', { name: 'Send' }).click()
}

/** Whatever is asked, the server answers this. */
const answerWith = (call: typeof askAssistant | typeof runAssistantAction, response: string) =>
  standIn([on(call, () => ({ response, conversation_id: 'c' }))])

async function talk(conversation_id: string, message = `Hello from ${conversation_id}`): Promise<void> {
  await postToServer('/api/ai-assistant-query', { message, conversation_id })
}

test('a question is sent by Enter or the button and answered from own data [AI-001..003, AI-005, AI-007..010, AI-016..018, AI-022..025, AI-043]', async () => {
  await signInAsNew()
  openScreen('/ai-assistant')
  for (const heading of ['Quick Actions', 'Recent Chats']) {
    await expect.element(page.getByRole('heading', { name: heading, exact: true })).toBeVisible()
  }
  for (const name of [
    'Analyze Strategy',
    'Optimize Portfolio',
    'Add Feature',
    'Market Analysis',
    'New chat',
    'Clear',
  ]) {
    await expect.element(page.getByRole('button', { name, exact: true })).toBeVisible()
  }
  await expect.element(page.getByText('Answered by the built-in assistant.')).toBeVisible()
  const send = page.getByRole('button', { name: 'Send' })
  await expect.element(send).toBeDisabled()
  await input().fill('   ')
  await expect.element(send).toBeDisabled()

  await input().fill('List my')
  await userEvent.type(input(), '{Shift>}{Enter}{/Shift}')
  await userEvent.type(input(), 'strategies')
  await expect.element(input()).toHaveValue('List my\nstrategies')
  await expect.element(messages()).not.toBeInTheDocument()
  await userEvent.type(input(), '{Enter}')
  await expect.element(messages()).toHaveLength(2)
  await expect.element(messages().last()).toMatchTextContent('You have no saved strategies yet.')
  await expect.element(messages().last()).toMatchTextContent('This is the built-in assistant')
  await expect
    .element(
      messages()
        .first()
        .getByText(/^\d{1,2}:\d\d [AP]M ET$/),
    )
    .toBeVisible()
  await expect.element(input()).toHaveValue('')
  await expect.element(chats()).toHaveLength(1)
  await expect.element(chats()).toMatchTextContent('List my strategies')
  await expect.element(chats()).toMatchTextContent('now')

  reloadScreen()
  await expect.element(messages()).toHaveLength(2)
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect.element(messages()).not.toBeInTheDocument()
  await expect.element(chats()).toHaveLength(1)
})

test('while an answer is under way nothing else is sent, and Stop ends it [AI-017, AI-023]', async () => {
  await signIn()
  standIn([on(askAssistant, () => new Promise(() => {}))])
  openScreen('/ai-assistant')
  await ask('Take your time')
  await expect.element(page.getByText('Thinking...')).toBeVisible()
  await input().fill('And another')
  await userEvent.type(input(), '{Enter}')
  await expect.element(messages()).toHaveLength(2)
  await expect.element(page.getByRole('button', { name: 'Send' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Market Analysis' })).toBeDisabled()
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect.element(page.getByText('Stopped.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Send' })).toBeEnabled()
})

test('quick actions and buttons of an answer go to the action call, and really happen [AI-011, AI-012, AI-021, AI-026]', async () => {
  await signInAsNew()
  openScreen('/ai-assistant')
  localStorage.setItem('token', 'kept-under-token')
  await page.getByRole('button', { name: 'Analyze Strategy' }).click()
  const actions = () => madeCalls('POST', '/api/ai-assistant-action')
  await expect
    .poll(() => actions()[0]?.body)
    .toMatchObject({
      action: { type: 'analyze_strategy', label: 'Analyze Strategy' },
    })
  expect(actions()[0]?.headers.get('Authorization')).toBe('Bearer kept-under-token')
  await expect.element(messages().last()).toMatchTextContent('You have no saved strategies yet.')

  const allocation = [{ ticker: 'SPY', percent: 100 }]
  const action = { label: 'Save it [now]', type: 'create_strategy', name: 'All in', allocation }
  const broken = '[ACTION:{"label": broken}]'
  const response = `Here:\n\n| Figure | Value |\n| --- | ---: |\n| CAGR | +8.5% |\n\n<b>raw</b> ${broken}\n\n[ACTION:${JSON.stringify(action)}]`
  answerWith(askAssistant, response)
  await ask('What shall I hold?')
  await expect.element(messages()).toHaveLength(4)
  await expect.element(messages().last()).toMatchTextContent('<b>raw</b>')
  await expect.element(messages().last()).toMatchTextContent(broken)
  await expect.element(messages().last()).not.toMatchTextContent('create_strategy')
  await expect.element(messages().last().getByRole('cell', { name: '+8.5%' })).toBeVisible()
  await page.getByRole('button', { name: 'Save it [now]' }).click()
  await expect.poll(() => actions()[1]?.body).toMatchObject({ action })
  await expect.element(messages().last()).toMatchTextContent('Saved the strategy All in')
  await messages().last().getByRole('link', { name: 'Strategies' }).click()
  await expectAddress('/strategies')
  await expect.element(page.getByRole('cell', { name: 'All in', exact: true })).toBeVisible()
})

test('recent chats: the latest ten, opened, searched and deleted [AI-004..006, AI-019, AI-020]', async () => {
  await signInAsNew()
  for (let number = 1; number <= 11; number++) await talk(`chat ${number}`)
  openScreen('/ai-assistant')
  await expect.element(chats()).toHaveLength(10)
  await expect.element(chats().first()).toMatchTextContent('Hello from chat 11')
  await page.getByRole('button', { name: /^Hello from chat 7/ }).click()
  await expect.element(messages().first()).toMatchTextContent('Hello from chat 7')
  await page.getByRole('button', { name: /^Hello from chat 11/ }).click()
  await expect.element(messages().first()).toMatchTextContent('Hello from chat 11')
  await expect.element(messages()).toHaveLength(2)
  history.back()
  await expect.element(messages().first()).toMatchTextContent('Hello from chat 7')
  history.forward()
  await expect.element(messages().first()).toMatchTextContent('Hello from chat 11')

  await page.getByRole('button', { name: 'Delete chat Hello from chat 11' }).click()
  await expect.element(messages()).not.toBeInTheDocument()
  await expect.element(chats().first()).toMatchTextContent('Hello from chat 10')
  await expect.element(chats()).toHaveLength(10)
  await page.getByRole('searchbox', { name: 'Search chats' }).fill('chat 3')
  await expect.element(chats()).toHaveLength(1)
  await page.getByRole('button', { name: /^Hello from chat 3/ }).click()
  await expect.element(messages()).toHaveLength(2)
  const { name } = await fileFrom(() => page.getByRole('button', { name: 'Export chat' }).click())
  expect(name).toBe('chat.md')
  await page.getByRole('button', { name: 'New chat' }).click()
  await expect.element(messages()).not.toBeInTheDocument()
})

test('chats tell their age [AI-013]', async () => {
  await signIn()
  const now = Date.parse('2026-11-14T12:00:00Z')
  const minutes = [0, 5, 3 * 60, 2 * 24 * 60, 8 * 24 * 60]
  const conversations = minutes.map((ago, index) => ({
    conversation_id: `c${index}`,
    title: `Chat ${index}`,
    message_count: 2,
    last_message_time: new Date(now - ago * 60_000).toISOString(),
  }))
  vi.useFakeTimers({ now, toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  standIn([on(listConversations, () => ({ conversations }))])
  openScreen('/ai-assistant')
  await expectTexts(chats().getByRole('time'), ['now', '5m', '3h', '2d', '6 Nov 2026'])
})

test('failures have their sentences, and the chat goes on [AI-018, AI-037..040]', async () => {
  await signIn()
  openScreen('/ai-assistant')
  const refusal = (status: number) => () => refuse('No quota is left.', { status, code: 'ai.quota' })
  standIn([on(askAssistant, refusal(502))])
  await ask('First')
  await expect.element(messages().last()).toMatchTextContent('Sorry, I encountered an error. Please try again.')
  await expect.element(messages().last()).toMatchTextContent('No quota is left.')
  answerWith(askAssistant, '')
  await ask('Second')
  await expect.element(messages().last()).toMatchTextContent('Sorry, I encountered an error processing your request.')
  standIn([on(runAssistantAction, refusal(500))])
  await page.getByRole('button', { name: 'Market Analysis' }).click()
  await expect.element(messages().last()).toMatchTextContent('Sorry, I encountered an error executing that action.')
  answerWith(runAssistantAction, '')
  await page.getByRole('button', { name: 'Market Analysis' }).click()
  await expect.element(messages().last()).toMatchTextContent('Action completed successfully.')
  await expect.element(messages()).toHaveLength(8)
})

interface SpokenWords {
  spoken: { text: string; rate: number; pitch: number; volume: number }[]
  listening: { lang: string; continuous: boolean }[]
}

/** Stand-ins for the browser's speech: it recognizes one sentence, and records what it is told to say. */
function stubSpeech(): SpokenWords {
  const words: SpokenWords = { spoken: [], listening: [] }
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
  vi.stubGlobal('SpeechRecognition', undefined)
  vi.stubGlobal('webkitSpeechRecognition', Recognition)
  vi.stubGlobal('SpeechSynthesisUtterance', utterance)
  vi.stubGlobal('speechSynthesis', synthesis)
  onTestFinished(() => void vi.unstubAllGlobals())
  return words
}

test('what is said is written, and replies are read aloud while that is on [AI-008, AI-041, AI-042]', async () => {
  await signIn()
  const words = stubSpeech()
  answerWith(askAssistant, '**One** strategy. [Open](/strategies)')
  openScreen('/ai-assistant')
  await page.getByRole('button', { name: 'Voice input' }).click()
  await expect.element(input()).toHaveValue('list my strategies')
  const spoken = page.getByRole('button', { name: 'Read replies aloud' })
  await expect.element(spoken).toHaveAttribute('aria-pressed', 'false')
  await spoken.click()
  await expect.element(spoken).toHaveAttribute('aria-pressed', 'true')
  await userEvent.type(input(), '{Enter}')
  await expect.element(messages()).toHaveLength(2)
  expect(words.listening).toEqual([{ lang: 'en-US', continuous: false }])
  await expect
    .poll(() => words.spoken)
    .toMatchObject([
      { text: 'One strategy.', rate: 0.9, pitch: 1, volume: 0.8 },
      { text: 'Open', rate: 0.9, pitch: 1, volume: 0.8 },
    ])
})

test('a connected model answers, streamed through the real server [AI-018, AI-029]', async () => {
  await signInAsNew()
  await postToServer('/api/openai/connect', { api_key: 'sk-story' })
  openScreen('/ai-assistant')
  await expect.element(page.getByText('Answered by gpt-4o-mini.')).toBeVisible()
  await ask('Who are you?')
  await expect.element(messages().last()).toMatchTextContent('This is the stand-in of a model.')
  await expect.element(page.getByRole('button', { name: 'Send' })).toBeVisible()
})

test('a chat with tables, charts, buttons and a failure can be read by everybody, in both themes and widths', async () => {
  await signInAsNew()
  for (const question of ['What if I held 60% SPY and 40% AGG?', 'What if I held 50% SPY and 50% AGG?']) {
    await talk('two mixes', question)
  }
  const gone = { type: 'run_strategy', label: 'Run it again', strategy_id: 999_999 }
  const failed = postToServer('/api/ai-assistant-action', { action: gone, conversation_id: 'two mixes' })
  await expect(failed).rejects.toThrow('404')
  openScreen('/ai-assistant')
  await chats()
    .getByRole('button', { name: /^What if I held 60%/ })
    .click()
  await expect.element(messages()).toHaveLength(6)
  await expect.element(page.getByRole('figure', { name: /^Account value of/ })).toHaveLength(2)
  await expect.element(messages().getByRole('table')).toHaveLength(2)
  await expect.element(page.getByRole('button', { name: /^Save strategy/ })).toHaveLength(2)
  await expect.element(messages().last()).toMatchTextContent('There is no such strategy.')
  for (const width of [1440, 390]) {
    await page.viewport(width, 900)
    if (width < 961) await page.getByRole('button', { name: 'Show' }).click()
    await expect.element(chats()).toHaveLength(1)
    for (const colorScheme of ['light', 'dark'] as const) {
      await commands.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await expect.element(document.documentElement).toHaveAttribute('data-mantine-color-scheme', colorScheme)
      await expectAccessible()
      await expectNoSidewaysScroll()
    }
  }
})
