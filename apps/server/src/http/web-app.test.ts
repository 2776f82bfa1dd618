import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../test-support/temporary-folder.ts'
import { createLog } from '../log.ts'
import { createApp } from './app.ts'
import { serveWebApp } from './web-app.ts'

const SCRIPT = `console.log('${'a script '.repeat(500)}')`

async function appWithFiles(files: Record<string, string | Buffer>) {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'assets'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const app = await createApp({ log: createLog({ logLevel: 'silent' }), appUrl: undefined })
  await serveWebApp(app, folder)
  onTestFinished(() => app.close())
  return (url: string, encoding: string) => app.inject({ url, headers: { 'accept-encoding': encoding } })
}

it('sends what the build has compressed as it is, to whoever understands it', async () => {
  const [brotli, gzip] = [brotliCompressSync(SCRIPT), gzipSync(SCRIPT)]
  const get = await appWithFiles({
    'index.html': '<title>Tradewright</title>',
    'assets/a.js': SCRIPT,
    'assets/a.js.br': brotli,
    'assets/a.js.gz': gzip,
  })
  for (const [encoding, sent] of [
    ['br', brotli],
    ['gzip', gzip],
    ['identity', Buffer.from(SCRIPT)],
  ] as const) {
    const answer = await get('/assets/a.js', encoding)
    expect(answer.rawPayload.equals(sent), encoding).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-type': expect.stringMatching(/javascript; charset=utf-8$/) as string,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
    })
    expect(answer.headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding)
  }
})

it('compresses what the build has not', async () => {
  const page = `<title>Tradewright</title>${'<p>A page of some length.</p>'.repeat(100)}`
  const get = await appWithFiles({ 'index.html': page })
  expect(brotliDecompressSync((await get('/strategies', 'br')).rawPayload).toString()).toBe(page)
  expect(gunzipSync((await get('/strategies', 'gzip')).rawPayload).toString()).toBe(page)
})
