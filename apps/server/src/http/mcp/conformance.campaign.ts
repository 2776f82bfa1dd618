import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as forward, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeKey } from '../../../test-support/mcp-client.ts'
import { createTestApp, type TestApp } from '../../../test-support/test-app.ts'
import { register } from '../../../test-support/visitor.ts'
import { projectFolder } from '../../config.ts'

// The protocol's own programs, in a folder of their own: `npm run campaign -- conformance`. They need the package registry.
const SUITE = '@modelcontextprotocol/conformance@0.1.16'
const INSPECTOR = '@modelcontextprotocol/inspector@2.12.0'

/**
 * Scenarios that call tools, prompts and resources which only the suite's own example server has, or that are about parts of
 * the protocol which this server does not declare: prompts, logging, completion, subscriptions, and questions to the client.
 * One of them that passes fails the run, as one of the others that does not.
 */
const NOT_OFFERED = {
  'fixed tools of the example server': [
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-error',
    'tools-call-with-progress',
    'json-schema-2020-12',
    'server-sse-polling',
  ],
  'fixed resources of the example server': ['resources-read-text', 'resources-read-binary', 'resources-templates-read'],
  'not declared': [
    'logging-set-level',
    'completion-complete',
    'tools-call-with-logging',
    'tools-call-sampling',
    'tools-call-elicitation',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
    'resources-subscribe',
    'resources-unsubscribe',
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ],
}

let folder: string
let server: TestApp
let address: string
let secret: string
let gate: Server
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tradewright-conformance-'))
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', SUITE, INSPECTOR]
  await promisify(execFile)('npm', install, { cwd: folder })
  server = await createTestApp()
  address = await server.app.listen({ port: 0, host: '127.0.0.1' })
  secret = (await makeKey(server, await register(server), ['read', 'research', 'propose'])).secret
  gate = await keyAdded()
}, 300_000)
afterAll(async () => {
  gate.close()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The suite sends no key: this adds it, and passes everything else on as it is. */
async function keyAdded(): Promise<Server> {
  const { hostname, port } = new URL(address)
  const proxy = createServer((asked, answer) => {
    const headers = { ...asked.headers, authorization: `Bearer ${secret}` }
    const passed = forward({ hostname, port, path: asked.url, method: asked.method, headers }, (told) => {
      answer.writeHead(told.statusCode!, told.headers)
      told.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return proxy
}

/** Answers what it wrote, whatever its exit code. */
async function programOf(file: string, args: readonly string[], env: Record<string, string> = {}) {
  const node = [join(folder, 'node_modules', file), ...args]
  const options = { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 }
  return promisify(execFile)(process.execPath, node, options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  )
}

it('the conformance suite passes, apart from what the server does not offer', async () => {
  const baseline = join(folder, 'baseline.yml')
  const expected = Object.values(NOT_OFFERED).flat()
  writeFileSync(baseline, `server:\n${expected.map((scenario) => `  - ${scenario}\n`).join('')}`)
  const { port } = gate.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/mcp`
  const args = [
    'server',
    '--suite',
    'all',
    '--url',
    url,
    '--expected-failures',
    baseline,
    '-o',
    join(folder, 'results'),
  ]
  const { code, stdout } = await programOf('@modelcontextprotocol/conformance/dist/index.js', args)
  const summary = stdout.slice(stdout.indexOf('=== SUMMARY ==='))
  expect(code, summary).toBe(0)
  const passed = [...summary.matchAll(/^✓ (\S+): [1-9]\d* passed, 0 failed/gm)].map(([, scenario]) => scenario)
  expect(passed).toEqual([
    'server-initialize',
    'ping',
    'tools-list',
    'server-sse-multiple-streams',
    'resources-list',
    'dns-rebinding-protection',
  ])
})

describe('the inspector', () => {
  const inspect = async (target: readonly string[], ...method: string[]) => {
    const args = ['--cli', ...target, ...method]
    const { code, stdout, stderr } = await programOf(
      '@modelcontextprotocol/inspector/clients/launcher/build/index.js',
      args,
    )
    expect(code, stderr).toBe(0)
    return JSON.parse(stdout) as Record<string, { name: string; text?: string; uri?: string }[]>
  }
  const overHttp = () => [`${address}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${secret}`]
  const overStdio = () => {
    const program = [process.execPath, join(projectFolder, 'scripts/tradewright.mjs'), 'mcp']
    return program.concat('-e', `TRADEWRIGHT_URL=${address}`, '-e', `TRADEWRIGHT_KEY=${secret}`)
  }

  it.each([
    ['streamable HTTP', overHttp],
    ['standard input', overStdio],
  ])('lists, calls and reads over %s', async (_, target) => {
    const { tools } = await inspect(target(), '--method', 'tools/list')
    expect(tools!.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['run_backtest', 'start_parameter_study', 'propose_save_strategy']),
    )
    const run = [
      '--tool-arg',
      'allocation=[{"ticker":"SPY","percent":60}]',
      'start_date=2021-01-04',
      'end_date=2021-12-31',
    ]
    const { content } = await inspect(target(), '--method', 'tools/call', '--tool-name', 'run_backtest', ...run)
    expect(content![0]!.text).toContain('| CAGR |')
    const { resources } = await inspect(target(), '--method', 'resources/list')
    const { contents } = await inspect(target(), '--method', 'resources/read', '--uri', resources![0]!.uri!)
    expect(JSON.parse(contents![0]!.text!)).toMatchObject({ strategy_type: 'Asset Allocation' })
    const { resourceTemplates } = await inspect(target(), '--method', 'resources/templates/list')
    expect(resourceTemplates!.length).toBeGreaterThan(5)
  })
})
