import { expect, it } from 'vitest'
import { isLoopback } from './result-links.ts'

it.each(['localhost', 'LOCALHOST', 'app.localhost', '127.0.0.1', '127.4.5.6', '[::1]'])(
  'knows that a link to %s works on this computer alone',
  (host) => expect(isLoopback(host)).toBe(true),
)

it.each(['192.168.1.20', 'trade.example.com', '127.example.com', 'localhost.example.com', '[2001:db8::1]'])(
  'takes %s for an address that others can open',
  (host) => expect(isLoopback(host)).toBe(false),
)
