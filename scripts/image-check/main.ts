// `npm run image-check`: builds the image and starts the compose file with it, as far as this machine can: with Debian's
// buildah, podman, podman-compose and mmdebstrap, as root. Base images are made from Debian's packages unless BASE and
// BUILD_BASE name some, since a registry may not be at hand; PostgreSQL is then the one of the image.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../apps/server/src/free-port.ts'
import { allocationForm, formData } from '../../apps/server/test-support/backtest-form.ts'

const root = join(import.meta.dirname, '../..')
const IMAGE = 'localhost/tradewright:check'
const PROJECT = 'tradewrightcheck'
const START_WITHIN_MS = 180_000
/** What podman gives a container. */
const PODMAN_FILES = 1_048_576

const folder = mkdtempSync(join(tmpdir(), 'tradewright-image-'))
const port = await freePort()
const environment = {
  BUILDAH_ISOLATION: 'chroot',
  TRADEWRIGHT_IMAGE: IMAGE,
  POSTGRES_IMAGE: process.env['POSTGRES_IMAGE'] ?? 'localhost/tradewright-postgres:check',
  APP_SECRET: 'a secret of the image check only',
  POSTGRES_PASSWORD: 'of-the-image-check-only',
  PUBLISH: `127.0.0.1:${port}`,
}
try {
  buildImages()
  // Not for buildah, which has limits of its own.
  process.env['CONTAINERS_CONF'] ??= containersConfig()
  const said = compose('up', '-d')
  try {
    await check(`http://127.0.0.1:${port}`)
  } catch (error) {
    // It ends with 0 although no container has started.
    console.error(said)
    for (const service of ['postgres', 'web', 'worker-1', 'worker-2'])
      console.error(`${service}:\n${inService(service, 'logs')}`)
    throw error
  } finally {
    compose('down', '-v')
  }
  console.log('The image and the compose file work on this machine.')
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Podman gives a container a million files and processes, which a shell without CAP_SYS_RESOURCE may not: containers get
 * what this process has, as far as the machine has so many. Of Debian's runtimes, runc starts containers on any mix of
 * control groups; crun does not.
 */
function containersConfig(): string {
  const own = readFileSync('/proc/self/limits', 'utf8')
  const hardLimit = (name: string) => new RegExp(`^${name} +\\S+ +(\\d+)`, 'm').exec(own)?.[1] ?? Infinity
  const processes = Math.min(
    Number(hardLimit('Max processes')),
    Number(readFileSync('/proc/sys/kernel/pid_max', 'utf8')),
  )
  const files = Math.min(Number(hardLimit('Max open files')), PODMAN_FILES)
  const limits = [`nofile=${files}:${files}`, `nproc=${processes}:${processes}`]
  const lines = ['[containers]', `default_ulimits = ${JSON.stringify(limits)}`]
  if (spawnSync('runc', ['--version']).status === 0) lines.push('[engine]', 'runtime = "runc"')
  const file = join(folder, 'containers.conf')
  writeFileSync(file, lines.join('\n'))
  return file
}

function buildImages(): void {
  const base = process.env['BASE'] ?? debianBase()
  const buildBase = process.env['BUILD_BASE'] ?? withNode(base)
  const args = [`ARCH=${process.env['ARCH'] ?? 'amd64'}`, `BASE=${base}`, `BUILD_BASE=${buildBase}`]
  build(IMAGE, join(root, 'deploy/Containerfile'), args, ['-v', `${npmCache()}:/root/.npm`])
  if (process.env['POSTGRES_IMAGE']) return
  build(environment.POSTGRES_IMAGE, join(root, 'scripts/image-check/Containerfile'), [`IMAGE=${IMAGE}`])
}

function build(tag: string, file: string, args: readonly string[], more: readonly string[] = [], context = root): void {
  console.log(`Building ${tag} …`)
  const options = args.flatMap((arg) => ['--build-arg', arg])
  run('buildah', ['build', '--format', 'docker', '--layers=false', ...options, ...more, '-f', file, '-t', tag, context])
}

/** Debian with what Node.js needs. */
function debianBase(): string {
  const tar = join(folder, 'base.tar')
  console.log('Making a base image of Debian packages …')
  run('mmdebstrap', ['--variant=minbase', '--include=libatomic1,libstdc++6', 'bookworm', tar])
  writeFileSync(join(folder, 'Base'), 'FROM scratch\nADD base.tar /\n')
  build('localhost/tradewright-base:check', join(folder, 'Base'), [], [], folder)
  return 'localhost/tradewright-base:check'
}

/** The same with npm, the Node.js of the packages, and the certificates that this machine trusts. */
function withNode(base: string): string {
  const npm = dirname(dirname(realpathSync(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())))
  const context = join(folder, 'build-base')
  cpSync(process.execPath, join(context, 'node'), { recursive: true })
  cpSync(npm, join(context, 'npm'), { recursive: true })
  const certificates = '/etc/ssl/certs/ca-certificates.crt'
  if (existsSync(certificates)) cpSync(certificates, join(context, 'ca.crt'))
  const lines = [
    `FROM ${base}`,
    'COPY node /usr/local/bin/node',
    'COPY npm /usr/local/lib/node_modules/npm',
    ...(existsSync(certificates) ? ['COPY ca.crt /etc/ssl/ca.crt', 'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/ca.crt'] : []),
    'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
  ]
  writeFileSync(join(folder, 'BuildBase'), lines.join('\n'))
  build('localhost/tradewright-build-base:check', join(folder, 'BuildBase'), [], [], context)
  return 'localhost/tradewright-build-base:check'
}

async function check(address: string): Promise<void> {
  const began = performance.now()
  const deadline = began + START_WITHIN_MS
  while (!(await isHealthy(address))) {
    if (performance.now() > deadline) throw new Error('the web process does not answer')
    await pause(200)
  }
  console.log(`healthy after ${((performance.now() - began) / 1000).toFixed(1)} s`)
  const page = await fetch(address, { headers: { accept: 'text/html' } })
  if (!(await page.text()).includes('<title>Tradewright</title>')) throw new Error('there is no web app')
  expectOutput('web', ['./node', 'scripts/health-check.mjs'], '')
  for (const service of ['web', 'worker-1', 'worker-2']) {
    expectOutput(service, ['./node', '-p', 'process.getuid()'], '10001\n')
    expectOutput(
      service,
      ['./node', '-p', 'try { fs.writeFileSync("/opt/x", "") } catch (error) { error.code }'],
      'EROFS\n',
    )
  }
  await backtest(address)
  console.log('a worker has run a backtest that the web process took')
  const stopped = performance.now()
  execFileSync('podman', ['stop', '-t', '60', `${PROJECT}_web_1`], { stdio: 'pipe' })
  const code = execFileSync('podman', ['inspect', '-f', '{{.State.ExitCode}}', `${PROJECT}_web_1`], {
    encoding: 'utf8',
  })
  if (code.trim() !== '0') throw new Error(`the web process ended with ${code.trim()}`)
  console.log(
    `stopped in order after ${((performance.now() - stopped) / 1000).toFixed(1)} s, of which 5 s are DRAIN_SECONDS`,
  )
}

function isHealthy(address: string): Promise<boolean> {
  return fetch(`${address}/health`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** The web process takes no jobs itself. */
async function backtest(address: string): Promise<void> {
  const registered = await fetch(`${address}/api/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'image-check', password: 'a password of the image check' }),
  })
  if (!registered.ok) throw new Error(`registering answered ${registered.status}: ${await registered.text()}`)
  const cookie = registered.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  const body = formData(allocationForm)
  const answer = await fetch(`${address}/api/backtest`, { method: 'POST', headers: { cookie }, body })
  if (!answer.ok) throw new Error(`the backtest answered ${answer.status}: ${(await answer.text()).slice(0, 500)}`)
}

function expectOutput(service: string, command: readonly string[], expected: string): void {
  const output = execFileSync('podman', ['exec', `${PROJECT}_${service}_1`, ...command], { encoding: 'utf8' })
  if (output !== expected) throw new Error(`${service}: ${command.join(' ')} said ${output}`)
}

function inService(service: string, what: string): string {
  return spawnSync('podman', [what, `${PROJECT}_${service}_1`], { encoding: 'utf8' }).stdout.slice(-3000)
}

function compose(...words: string[]): string {
  return run('podman-compose', ['-p', PROJECT, '-f', join(root, 'deploy/compose.yaml'), ...words])
}

function run(command: string, args: readonly string[]): string {
  const env = { ...process.env, ...environment }
  const { status, error, stdout, stderr } = spawnSync(command, args, { cwd: root, env, encoding: 'utf8' })
  if (error) throw new Error(`${command} is needed: ${error.message}`)
  if (status !== 0)
    throw new Error(
      `${command} ${args.join(' ')} ended with ${status}:\n${stdout.slice(-2000)}\n${stderr.slice(-4000)}`,
    )
  return stderr.slice(-4000)
}

function npmCache(): string {
  return execFileSync('npm', ['config', 'get', 'cache'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim()
}
