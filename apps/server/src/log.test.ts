import { expect, it } from 'vitest'
import { createLog } from './log.ts'

it('masks what is named like a secret, at every depth it is logged', () => {
  let written = ''
  const log = createLog({ logLevel: 'trace' }, { write: (line: string) => void (written += line) })
  log.info({
    password: 'hunter2',
    body: { api_secret: 'hunter2' },
    req: { headers: { authorization: 'Bearer hunter2', cookie: 'hunter2' } },
  })
  expect(written).not.toContain('hunter2')
  expect(written.match(/\[secret\]/g)).toHaveLength(4)
})

it('says what an error is, and nothing that a foreign service put into it', () => {
  let written = ''
  const log = createLog({ logLevel: 'trace' }, { write: (line: string) => void (written = line) })
  const answer = 'x'.repeat(100_000)
  const cause = Object.assign(new TypeError(answer), { code: 'ECONNRESET', response: { headers: { key: 'hunter2' } } })
  log.warn({ err: Object.assign(new Error('first', { cause }), { result: [answer], code: answer }) }, 'failed')
  expect(written.length).toBeLessThan(15_000)
  expect(written).not.toContain('hunter2')
  const { err } = JSON.parse(written) as { err: { stack: string } }
  expect(err).toMatchObject({ type: 'Error', message: 'first', cause: { type: 'TypeError', code: 'ECONNRESET' } })
  expect(err.stack).toContain('log.test.ts')
  log.warn({ err: { answer } }, 'failed')
  expect(written.length).toBeLessThan(15_000)
})
