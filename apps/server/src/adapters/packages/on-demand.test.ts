import { expect, it } from 'vitest'
import { ensureInstalled, ON_DEMAND } from './on-demand.ts'

it('says which command installs a package that could not be installed', async () => {
  const missing = { ...ON_DEMAND.s3, name: '@tradewright/not-there' }
  const failing = () => Promise.reject(new Error('getaddrinfo ENOTFOUND registry.npmjs.org'))
  await expect(ensureInstalled('s3', failing, missing)).rejects.toMatchObject({
    kind: 'unavailable',
    message:
      'Amazon S3 stores need a package that is not installed yet (@tradewright/not-there), and installing it now failed. On the server, run: npm run add -- s3',
  })
})

it('installs a package once however many wait for it, and none that is there', async () => {
  const missing = { ...ON_DEMAND.gcs, name: '@tradewright/not-there' }
  let installations = 0
  const install = async () => void installations++
  await Promise.all([ensureInstalled('gcs', install, missing), ensureInstalled('gcs', install, missing)])
  expect(installations).toBe(1)
  await ensureInstalled('gcs', install, { ...missing, name: 'fastify' })
  expect(installations).toBe(1)
})
