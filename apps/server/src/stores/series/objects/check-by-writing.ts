import { randomUUID } from 'node:crypto'
import type { ObjectStorage } from './object-storage.ts'

/** A key that may read a bucket often may not write to it: one small object tells. */
export async function checkByWriting(storage: Pick<ObjectStorage, 'create' | 'get' | 'remove'>): Promise<void> {
  const key = `tradewright-check-${randomUUID()}`
  await storage.create(key, Buffer.from('check'))
  const found = await storage.get(key)
  await storage.remove([key])
  if (found?.toString() !== 'check') throw new Error('what is written to it does not come back')
}
