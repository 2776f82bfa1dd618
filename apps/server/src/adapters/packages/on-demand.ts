import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Problem } from '@tradewright/core/problem'
import { npmEnvironment } from '../../../../../scripts/npm-environment.mjs'
import { projectFolder } from '../../config.ts'

/** Large packages that few instances use: not part of an installation until they are first needed. */
export const ON_DEMAND = {
  s3: { name: '@aws-sdk/client-s3', use: 'Amazon S3 stores' },
  gcs: { name: '@google-cloud/storage', use: 'Google Cloud stores' },
  azure: { name: '@azure/storage-blob', use: 'Azure stores' },
  mongodb: { name: 'mongodb', use: 'MongoDB stores' },
  traces: { name: '@opentelemetry/exporter-trace-otlp-http', use: 'Traces' },
  exchanges: { name: 'ccxt', use: 'Crypto exchanges' },
} as const satisfies Record<string, { name: string; use: string }>

type OnDemand = keyof typeof ON_DEMAND

/** Long enough for the largest of them over a slow line. */
const INSTALL_WITHIN_MS = 5 * 60_000
const SCRIPT = join(projectFolder, 'scripts', 'add-packages.mjs')

let mayInstall = true

/** Without it a package that is missing is the operator's to install: a user's first store makes the server run npm. */
export function allowInstalling(allowed: boolean): void {
  mayInstall = allowed
}

const installing = new Map<OnDemand, Promise<void>>()

/**
 * Installs a package with the version and the checksum of the lockfile unless it is there. Callers import it after this:
 * Node.js remembers an import that failed.
 */
export async function ensureInstalled(
  id: OnDemand,
  install = runScript,
  { name, use }: { name: string; use: string } = ON_DEMAND[id],
): Promise<void> {
  if (existsSync(join(projectFolder, 'node_modules', name, 'package.json'))) return
  if (!mayInstall) {
    const sentence = `${use} need a package that is not installed here (${name}). The operator installs it on the server: npm run add -- ${id}`
    throw new Problem('not-configured', 'package.missing', sentence)
  }
  const known = installing.get(id)
  const attempt = known ?? install(id).finally(() => installing.delete(id))
  if (!known) installing.set(id, attempt)
  try {
    await attempt
  } catch (cause) {
    throw new Problem(
      'unavailable',
      'package.missing',
      `${use} need a package that is not installed yet (${name}), and installing it now failed. On the server, run: npm run add -- ${id}`,
      { cause },
    )
  }
}

async function runScript(id: OnDemand): Promise<void> {
  const env = npmEnvironment(process.env)
  await promisify(execFile)(process.execPath, [SCRIPT, id], { timeout: INSTALL_WITHIN_MS, env })
}
