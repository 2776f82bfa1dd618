import { join } from 'node:path'
import { rolldown } from 'rolldown'

/** One file that runs on any Node.js from version 20 on, before anything was installed. Not kept in the checkout, whose sources run. */
export async function bundledCli(root: string): Promise<Buffer> {
  const bundle = await rolldown({ input: join(root, 'apps/cli/src/main.ts'), platform: 'node', cwd: root })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  await bundle.close()
  return Buffer.from(output[0].code)
}
