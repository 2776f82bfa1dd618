import { expect, it } from 'vitest'
import { dismissToast, showToast, type Toast, toastStore, undoNewest, withToast } from './toasts.tsx'

const toast = (id: number): Toast => ({ id, kind: 'info', text: `toast ${id}` })

it('keeps the newest three toasts', () => {
  const ids = [1, 2, 3, 4].reduce<Toast[]>((toasts, id) => withToast(toasts, toast(id)), []).map(({ id }) => id)
  expect(ids).toEqual([2, 3, 4])
})

it('tells its listeners about each change until they leave', () => {
  let told = 0
  const leave = toastStore.subscribe(() => {
    told += 1
  })
  showToast({ kind: 'error', text: 'You are still signed in' })
  const shown = toastStore.snapshot().at(-1)
  expect(shown?.text).toBe('You are still signed in')
  dismissToast(shown?.id ?? 0)
  expect(toastStore.snapshot()).toEqual([])
  leave()
  showToast({ kind: 'info', text: 'no listener' })
  expect(told).toBe(2)
})

it('takes back the newest toast that can be, once', () => {
  const undone: string[] = []
  showToast({ kind: 'info', text: 'Deleted one', undo: () => undone.push('one') })
  showToast({ kind: 'info', text: 'Deleted two', undo: () => undone.push('two') })
  showToast({ kind: 'info', text: 'Saved' })
  expect([undoNewest(), undoNewest(), undoNewest()]).toEqual([true, true, false])
  expect(undone).toEqual(['two', 'one'])
  expect(toastStore.snapshot().map(({ text }) => text)).toEqual(['Saved'])
})
