// The files of deploy/ read by the programs they are for: Kubernetes' types (kubernetes-models, into a temporary folder),
// Debian's Prometheus with a running instance. Grafana is not at hand: the queries of its dashboard are asked of Prometheus.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startProgram } from '../apps/server/test-support/program.ts'
import { temporaryFolder } from '../apps/server/test-support/temporary-folder.ts'
import { freePort } from '../apps/server/src/free-port.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const observability = join(root, 'deploy/observability')
/** Not among the packages of the project: only this campaign reads them. */
const PACKAGES = ['kubernetes-models@4.5.1', 'yaml@2.9.1']

interface Manifest {
  readonly apiVersion: string
  readonly kind: string
}

const packages = mkdtempSync(join(tmpdir(), 'tradewright-deploy-files-'))
let manifests: { name: string; documents: Manifest[] }[]

beforeAll(async () => {
  writeFileSync(join(packages, 'package.json'), '{ "private": true, "type": "module" }')
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', ...PACKAGES], { cwd: packages })
  const { parseAllDocuments } = (await import(join(packages, 'node_modules/yaml/dist/index.js'))) as {
    parseAllDocuments: (text: string) => { toJS(): Manifest }[]
  }
  manifests = globSync(join(root, 'deploy/kubernetes/*.yaml')).map((file) => ({
    name: basename(file),
    documents: parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS()),
  }))
})

afterAll(() => rmSync(packages, { recursive: true, force: true }))

describe('manifests for Kubernetes', () => {
  it("have the fields of Kubernetes' own types, and no others", () => {
    const folder = packages
    mkdirSync(join(folder, 'manifests'))
    for (const { name, documents } of manifests) {
      expect(documents.length).toBeGreaterThan(0)
      writeFileSync(join(folder, 'manifests', name.replace('.yaml', '.ts')), documents.map(typed).join('\n'))
    }
    expect(problemsIn(folder)).toBe('')
    // It does find a field that is misspelt.
    const wrong = { apiVersion: 'apps/v1', kind: 'Deployment', spec: { replica: 2 } }
    writeFileSync(join(folder, 'manifests/wrong.ts'), typed(wrong, 0))
    expect(problemsIn(folder)).toContain('replica')
  })

  it('keep probes, limits and a rolling update for each process', () => {
    const deployments = manifests
      .flatMap(({ documents }) => documents)
      .filter(({ kind }) => kind === 'Deployment') as unknown as readonly KubernetesDeployment[]
    expect(deployments.length).toBe(2)
    for (const { spec } of deployments) {
      expect(spec.strategy.rollingUpdate.maxUnavailable).toBe(0)
      for (const container of spec.template.spec.containers) {
        expect(container).toMatchObject({
          readinessProbe: {},
          livenessProbe: {},
          resources: { limits: {} },
          securityContext: { readOnlyRootFilesystem: true },
        })
      }
    }
  })
})

interface KubernetesDeployment {
  readonly spec: {
    readonly strategy: { readonly rollingUpdate: { readonly maxUnavailable: number } }
    readonly template: { readonly spec: { readonly containers: readonly object[] } }
  }
}

/** A literal of the type that Kubernetes has for it: the compiler refuses what is missing, wrong or unknown. */
function typed(manifest: Manifest, place: number): string {
  const { apiVersion, kind } = manifest
  return `import type { I${kind} as Kind${place} } from 'kubernetes-models/${apiVersion}/${kind}'
const manifest${place}: Kind${place} = ${JSON.stringify(manifest, null, 2)}
`
}

function problemsIn(folder: string): string {
  const files = globSync(join(folder, 'manifests/*.ts'))
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'esnext', '--module', 'preserve']
  const { stdout } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/typescript/bin/tsc'), '--ignoreConfig', ...options, ...files],
    { cwd: folder, encoding: 'utf8' },
  )
  return stdout
}

const hasPrometheus = spawnSync('promtool', ['--version']).status === 0

describe.skipIf(!hasPrometheus)('files for Prometheus and Grafana', () => {
  it('are what Prometheus reads', () => {
    const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: observability, encoding: 'utf8' })
    expect(promtool('check', 'config', '--syntax-only', 'prometheus.yml')).toMatchObject({ status: 0 })
    expect(promtool('check', 'rules', 'alerts.yml').stdout).toContain('SUCCESS: 15 rules found')
  })

  it('give answers from a running instance: every alert is evaluated, every panel has a query that can be read', async () => {
    const token = 'a-token-of-the-campaign'
    const program = await startProgram({ DATA_DIR: temporaryFolder(), METRICS_TOKEN: token, HOST: '127.0.0.1' })
    onTestFinished(async () => void (await program.stop('SIGTERM')))
    const target = new URL(program.url)
    const text = await (
      await fetch(`${target.origin}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    ).text()
    const lint = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' })
    // Names that begin with nodejs_ are those of Prometheus' own client for Node.js.
    expect(
      `${lint.stdout}${lint.stderr}`.split('\n').filter((line) => line !== '' && !line.startsWith('nodejs_')),
    ).toEqual([])
    const prometheus = await startPrometheus(target.host, token)
    onTestFinished(() => void prometheus.process.kill('SIGKILL'))
    await expect.poll(() => prometheus.query('up == 1'), { timeout: 60_000, interval: 200 }).toHaveLength(1)
    const rules = async () =>
      (
        await prometheus.get<{ groups: { rules: { name: string; health: string; lastError?: string }[] }[] }>('rules')
      ).groups.flatMap((group) => group.rules)
    await expect
      .poll(async () => (await rules()).filter(({ health }) => health !== 'ok'), { timeout: 60_000, interval: 500 })
      .toEqual([])
    expect(await rules()).toHaveLength(15)
    const panels = dashboardQueries()
    expect(panels.length).toBeGreaterThan(10)
    for (const { title, expression } of panels) {
      const found = await prometheus.query(expression).catch((error: unknown) => String(error))
      expect(Array.isArray(found), `${title}: ${expression} ${String(found)}`).toBe(true)
    }
    const empty = []
    for (const { title, expression } of panels) if ((await prometheus.query(expression)).length === 0) empty.push(title)
    console.log(
      `${panels.length} queries of the dashboard can be read; without a value in a new instance: ${empty.join(', ')}`,
    )
  })
})

async function startPrometheus(target: string, token: string) {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'token'), token)
  writeFileSync(join(folder, 'alerts.yml'), readFileSync(join(observability, 'alerts.yml')))
  const config = readFileSync(join(observability, 'prometheus.yml'), 'utf8')
    .replace('scrape_interval: 15s', 'scrape_interval: 1s\n  evaluation_interval: 1s')
    .replace('/etc/prometheus/tradewright-token', join(folder, 'token'))
    .replace(/targets: .*/, `targets: ['${target}']`)
  writeFileSync(join(folder, 'prometheus.yml'), config)
  const address = `127.0.0.1:${await freePort()}`
  const process: ChildProcess = spawn(
    'prometheus',
    [`--config.file=${folder}/prometheus.yml`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=${address}`],
    { stdio: 'ignore' },
  )
  const get = async <Answer>(path: string): Promise<Answer> => {
    const answer = await fetch(`http://${address}/api/v1/${path}`)
    const { status, data, error } = (await answer.json()) as { status: string; data: Answer; error?: string }
    if (status !== 'success') throw new Error(error)
    return data
  }
  const query = async (expression: string): Promise<unknown[]> =>
    (await get<{ result: unknown[] }>(`query?query=${encodeURIComponent(expression)}`)).result
  await expect.poll(() => query('1').catch(() => undefined), { timeout: 60_000, interval: 100 }).toBeDefined()
  return { process, get, query }
}

/** With Grafana's own variables as it would fill them in. */
function dashboardQueries(): { title: string; expression: string }[] {
  const { panels } = JSON.parse(readFileSync(join(observability, 'grafana-dashboard.json'), 'utf8')) as {
    panels: { title: string; targets?: { expr: string }[] }[]
  }
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({
      title,
      expression: expr
        .replaceAll('$__rate_interval', '1m')
        .replaceAll('$__range', '1h')
        .replaceAll('$__interval', '15s'),
    })),
  )
}
