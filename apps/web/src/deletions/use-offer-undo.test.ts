import { expect, it } from 'vitest'
import { restoreAll } from './use-offer-undo.ts'

it('restores the others where one cannot be restored, and tells why it was not', async () => {
  const restored: unknown[] = []
  const restore = async ({ id }: { id: string | number }) => {
    if (id === 2) throw new Error('The same name has been saved again since.')
    restored.push(id)
  }
  const deleted = [1, 2, 3].map((id) => ({ kind: 'strategy' as const, id }))
  await expect(restoreAll(deleted, restore)).rejects.toThrow('The same name has been saved again since.')
  expect(restored).toEqual([1, 3])
})
