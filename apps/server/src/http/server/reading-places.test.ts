import { EventEmitter } from 'node:events'
import type { FastifyReply } from 'fastify'
import { expect, it } from 'vitest'
import { readingPlaces } from './reading-places.ts'

const answer = () => {
  const raw = new EventEmitter()
  return { raw, reply: { raw } as unknown as FastifyReply }
}

it('refuses more than a few answers of one reader at once, until one of them is sent or given up', () => {
  const take = readingPlaces({ each: 2, all: 10 })
  const [first, second] = [answer(), answer()]
  for (const { reply } of [first, second]) take('1.2.3.4', reply)
  expect(() => take('1.2.3.4', answer().reply)).toThrow('Many results are being read at the moment.')
  take('5.6.7.8', answer().reply)
  first.raw.emit('finish')
  first.raw.emit('close')
  take('1.2.3.4', answer().reply)
  expect(() => take('1.2.3.4', answer().reply)).toThrow('Many results')
})

it('refuses more than a few answers of all readers together', () => {
  const take = readingPlaces({ each: 2, all: 3 })
  const last = answer()
  for (const reader of [1, 2]) take(reader, answer().reply)
  take(3, last.reply)
  expect(() => take(4, answer().reply)).toThrow('Many results')
  last.raw.emit('close')
  take(4, answer().reply)
})
