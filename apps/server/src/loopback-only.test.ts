import { expect, it } from 'vitest'
import { isLoopbackOnly } from './loopback-only.ts'

it.each([
  ['127.0.0.1', undefined, true],
  ['localhost', undefined, true],
  ['::1', undefined, true],
  ['127.0.0.1', 'http://localhost:3000', true],
  ['::1', 'http://[::1]:3000', true],
  ['0.0.0.0', undefined, false],
  ['::', undefined, false],
  ['192.168.1.4', undefined, false],
  ['127.0.0.1', 'https://trade.example.com', false],
  ['0.0.0.0', 'http://localhost:3000', false],
  ['127.0.0.1.example.com', undefined, false],
])('HOST=%s APP_URL=%s: %s', (host, appUrl, expected) => {
  expect(isLoopbackOnly({ host, appUrl })).toBe(expected)
})
