import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The Python that has a module, of the one in use and Debian's; null where neither has. */
export async function findPython(module: string): Promise<string | null> {
  for (const python of ['python3', '/usr/bin/python3']) {
    try {
      await run(python, ['-c', `import ${module}`])
      return python
    } catch {
      // Not this one.
    }
  }
  return null
}

/** What a script of this folder prints. Its arguments are a directory with files and the work as JSON. */
export async function runScript(python: string, script: string, directory: string, work: unknown): Promise<string> {
  const file = fileURLToPath(new URL(`${script}.py`, import.meta.url))
  const { stdout } = await run(python, [file, directory, JSON.stringify(work)], { maxBuffer: 2 ** 26 })
  return stdout
}
