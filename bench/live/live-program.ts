import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readConfig } from '../../apps/server/src/config.ts'
import { type Foundation, openFoundation } from '../../apps/server/src/foundation.ts'
import { createLog } from '../../apps/server/src/log.ts'
import { startProgram } from '../../apps/server/test-support/program.ts'
import { startEmptyProviders } from '../../apps/server/test-support/providers-at.ts'

/** The real program on a database that the benchmark reaches as well; data comes from the sample market alone. */
export interface LiveProgram {
  readonly url: string
  readonly foundation: Foundation
  readonly process: ChildProcess
  stop(): Promise<void>
}

export async function startLiveProgram(environment: Record<string, string> = {}): Promise<LiveProgram> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tradewright-bench-'))
  const config = readConfig({ DATA_DIR: join(dataDir, 'database'), LOG_LEVEL: 'silent' })
  const foundation = await openFoundation(config, createLog(config))
  const providers = await startEmptyProviders()
  const program = await startProgram({
    DATA_DIR: join(dataDir, 'program'),
    DATABASE_URL: foundation.databaseUrl,
    ...providers.environment,
    ...environment,
  })
  return {
    url: program.url,
    foundation,
    process: program.process,
    async stop() {
      await program.stop()
      await providers.close()
      await foundation.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A signed-in user with the paper account. */
export interface Trader {
  readonly cookie: string
  readonly accountId: number
  post<Answer>(path: string, body: object): Promise<Answer>
  get<Answer>(path: string): Promise<Answer>
  /** Saves a strategy and deploys it; gives the id of the deployment. */
  deploy(name: string, strategy: SavedStrategy, form: object): Promise<number>
}

interface SavedStrategy {
  readonly type: 'ML' | 'Asset Allocation'
  readonly config: object
}

export async function newTrader(url: string, name: string): Promise<Trader> {
  let cookie = ''
  const ask = async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text.slice(0, 300)}`)
    if (path === '/api/register')
      cookie = answer.headers
        .getSetCookie()
        .map((line) => line.split(';', 1)[0])
        .join('; ')
    return JSON.parse(text) as Answer
  }
  await ask('POST', '/api/register', { username: name, email: name, password: 'a password for the bench' })
  const { account } = await ask<{ account: { id: number } }>('POST', '/api/alpaca/paper-account', {})
  return {
    get cookie() {
      return cookie
    },
    accountId: account.id,
    post: (path, body) => ask('POST', path, body),
    get: (path) => ask('GET', path),
    async deploy(deployment, { type, config }, form) {
      const saved = await ask<{ id: number }>('POST', '/api/strategies', {
        name: `${deployment} strategy`,
        strategy_type: type,
        config,
      })
      const answer = await ask<{ deployment: { id: number } }>('POST', '/api/deployment/create', {
        deployment_name: deployment,
        strategy_id: saved.id,
        alpaca_account_id: account.id,
        ...form,
      })
      return answer.deployment.id
    },
  }
}
