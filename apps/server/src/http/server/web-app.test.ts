import { SCREEN_PATHS } from '@tradewright/contract/screens'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from '../../../test-support/temporary-folder.ts'
import { createLog } from '../../log.ts'
import { createApp } from './app.ts'
import { serveWebApp } from './web-app.ts'

const SCRIPT = `console.log('${'a script '.repeat(500)}')`

async function appWithFiles(files: Record<string, string | Buffer>) {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'assets'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  const app = await createApp({ log: createLog({ logLevel: 'silent' }), appUrl: undefined })
  await serveWebApp(app, folder, (token) =>
    Promise.resolve(token === 'known' ? { title: 'Mine & <script>$&' } : undefined),
  )
  onTestFinished(() => app.close())
  return (url: string, encoding: string, more: Record<string, string> = {}) =>
    app.inject({ url, headers: { 'accept-encoding': encoding, ...more } })
}

it('sends compressed files of the build as they are, to clients that accept them', async () => {
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

describe('a path', () => {
  const page = '<title>Tradewright</title>'
  const ask = async (url: string, accept = 'text/html', more: Record<string, string> = {}) => {
    const get = await appWithFiles({ 'index.html': page, 'assets/a.js': SCRIPT })
    return get(url, 'identity', { accept, ...more })
  }

  it.each([
    ...SCREEN_PATHS.map((path) => path.replace(':id', '7').replace(':token', 'known')),
    '/login/',
    '/Settings',
    '/backtest?run=3',
  ])('of a screen answers the page: %s', async (url) => {
    const answer = await ask(url)
    expect([answer.statusCode, answer.body]).toEqual([200, page])
  })

  it('of a shared result answers 404 without one behind it, and is never indexed', async () => {
    const [known, unknown] = [await ask('/shared/known'), await ask('/shared/unknown')]
    expect([known.statusCode, unknown.statusCode, unknown.body]).toEqual([200, 404, page])
    for (const answer of [known, unknown]) expect(answer.headers['x-robots-tag']).toBe('noindex')
  })

  it('of a shared result has the tags of its preview, in which a name is no markup', async () => {
    const get = await appWithFiles({ 'index.html': `<head>${page}</head>` })
    const { body, headers } = await get('/shared/known', 'identity', { host: 'localhost:8000' })
    expect(body).toContain('<meta property="og:title" content="Mine &amp; &lt;script&gt;$&amp;" />')
    expect(body).toContain('<meta property="og:image" content="http://localhost:8000/shared/known/preview.png" />')
    expect([body.match(/<\/head>/g), headers['cache-control']]).toEqual([['</head>'], 'no-store'])
  })

  it.each(['/nonsense', '/live-trading/7/more', '/wp-admin/', '/login/x', '/apis'])(
    'of none answers 404 with the page that says so: %s',
    async (url) => {
      const answer = await ask(url)
      expect([answer.statusCode, answer.body]).toEqual([404, page])
      expect(answer.headers['cache-control']).toBe('no-store')
    },
  )

  it('that is unknown answers the page also to a browser that has it already', async () => {
    const { etag } = (await ask('/')).headers
    const answer = await ask('/nonsense', 'text/html', { 'if-none-match': String(etag) })
    expect([answer.statusCode, answer.body]).toEqual([404, page])
  })

  it.each(['/assets/gone-1a2b.js', '/assets/gone', '/robots.txt', '/.env', '/api/nonsense'])(
    'of a file or call that is not there answers a plain 404: %s',
    async (url) => {
      const answer = await ask(url)
      expect([answer.statusCode, answer.json()]).toEqual([404, expect.objectContaining({ code: 'route.unknown' })])
    },
  )
})
