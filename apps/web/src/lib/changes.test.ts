import { expect, it, onTestFinished, vi } from 'vitest'
import { announceChange, onChangeElsewhere } from './changes.ts'

/** Another tab of the same browser. */
async function heardBy(act: () => void): Promise<number> {
  const tab = new BroadcastChannel('tradewright changes')
  onTestFinished(() => tab.close())
  const heard = vi.fn()
  tab.addEventListener('message', heard)
  act()
  await new Promise((resolve) => setTimeout(resolve, 20))
  return heard.mock.calls.length
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
  await vi.waitFor(() => expect(heard).toHaveBeenCalledOnce())
  stop()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target
  tab.postMessage('changed')
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(heard).toHaveBeenCalledOnce()
})
