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
