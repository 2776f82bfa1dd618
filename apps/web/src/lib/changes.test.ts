import { expect, it, onTestFinished, vi } from 'vitest'
import { announceChange, onChangeElsewhere } from './http.ts'

const LAST = 'last'

/** Another tab of the same browser, and how many messages reached it before one that was sent after them. */
async function heardBy(act: () => void): Promise<number> {
  const [tab, later] = [new BroadcastChannel('tradewright changes'), new BroadcastChannel('tradewright changes')]
  onTestFinished(() => [tab, later].forEach((one) => one.close()))
  const heard: unknown[] = []
  const all = new Promise<void>((resolve) =>
    tab.addEventListener('message', ({ data }) => (data === LAST ? resolve() : void heard.push(data))),
  )
  act()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  later.postMessage(LAST)
  await all
  return heard.length
}

it('tells other tabs of calls that change something, and of no others', async () => {
  expect(await heardBy(() => announceChange({ method: 'DELETE', access: 'signed in' }))).toBe(1)
  expect(await heardBy(() => announceChange({ method: 'GET', access: 'signed in' }))).toBe(0)
  expect(await heardBy(() => announceChange({ method: 'POST', access: 'signed in', changesNothing: true }))).toBe(0)
})

it('hears other tabs, until it stops listening', async () => {
  const heard = vi.fn()
  const stop = onChangeElsewhere(heard)
  const tab = new BroadcastChannel('tradewright changes')
  onTestFinished(() => tab.close())
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  tab.postMessage('changed')
  await vi.waitFor(() => expect(heard).toHaveBeenCalledOnce(), { timeout: 60_000 })
  stop()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  expect(await heardBy(() => tab.postMessage('changed'))).toBe(1)
  expect(heard).toHaveBeenCalledOnce()
})
