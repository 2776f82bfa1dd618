import { expect, it } from 'vitest'
import { npmEnvironment } from '../../../../../scripts/npm-environment.mjs'
import { allowInstalling, ensureInstalled, ON_DEMAND } from './on-demand.ts'

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

it('installs nothing where the operator has switched it off, and says what to run', async () => {
  const missing = { ...ON_DEMAND.s3, name: '@tradewright/not-there' }
  allowInstalling(false)
  try {
    const install = () => Promise.reject(new Error('npm was run'))
    await expect(ensureInstalled('s3', install, missing)).rejects.toMatchObject({
      kind: 'not-configured',
      message: expect.stringContaining('npm run add -- s3') as string,
    })
  } finally {
    allowInstalling(true)
  }
})

it('gives npm nothing of the program’s own settings', () => {
  const given = { PATH: '/bin', HOME: '/root', https_proxy: 'http://proxy', npm_config_registry: 'http://registry' }
  const secrets = { APP_SECRET: 's', DATABASE_URL: 'postgres://', SMTP_URL: 'smtp://', SERIES_BUCKET_SECRET: 's' }
  expect(npmEnvironment({ ...given, ...secrets })).toEqual(given)
})
