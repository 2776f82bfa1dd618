import { expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { connectDatabase } from './database.ts'

it('tells of a lost connection, but not while it closes: then the server may be stopping as well', async () => {
  const lines: string[] = []
  const log = createLog({ logLevel: 'warn' }, { write: (line) => void lines.push(line) })
  const connection = connectDatabase('postgres://none@127.0.0.1:1/none', log)
  const lost = new Error('terminating connection due to administrator command')
  connection.pool.emit('error', lost)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('a database connection was lost')
  await connection.close()
  connection.pool.emit('error', lost)
  expect(lines).toHaveLength(1)
})
