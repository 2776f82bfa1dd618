import { expect, it } from 'vitest'
import { ModelCache } from './model-cache.ts'

it('keeps the models that were used last, up to its size', () => {
  const cache = new ModelCache(25)
  for (const name of ['a', 'b']) cache.add(name, new Uint8Array(10))
  cache.get('a')
  cache.add('c', new Uint8Array(10))
  expect(['a', 'b', 'c'].map((name) => cache.get(name)?.byteLength)).toEqual([10, undefined, 10])
  cache.add('too large', new Uint8Array(30))
  expect(cache.get('too large')).toBeUndefined()
})
