import { setTimeout as pause } from 'node:timers/promises'
import { allocationForm, formData } from '../../apps/server/test-support/backtest-form.ts'

/** Each question costs the web process, which shares the processors of the workers here. */
const POLL_INTERVAL_MS = 200

/** A user who calls web processes, any of them. */
export class ScaleUser {
  readonly #url: () => string
  readonly #token: string

  private constructor(url: () => string, token: string) {
    this.#url = url
    this.#token = token
  }

  static async signUp(url: () => string, username: string): Promise<ScaleUser> {
    const answer = await fetch(`${url()}/api/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: 'correct horse battery' }),
    })
    return new ScaleUser(url, ((await answer.json()) as { token: string }).token)
  }

  send(method: string, path: string, body?: object): Promise<Response> {
    const json = body && { 'content-type': 'application/json' }
    return fetch(`${this.#url()}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, ...json },
      ...(body && { body: JSON.stringify(body) }),
    })
  }

  async call<T>(method: string, path: string, body?: object): Promise<T> {
    const answer = await this.send(method, path, body)
    if (!answer.ok)
      throw new Error(`${method} ${path} answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`)
    return (await answer.json()) as T
  }

  /** What a study found, as text; it is over when this returns. */
  async study(form: object): Promise<string> {
    const { study } = await this.call<{ study: { id: number } }>('POST', '/api/parameter-studies', form)
    for (;;) {
      const now = await this.call<{ status: string; results: unknown }>('GET', `/api/parameter-studies/${study.id}`)
      if (now.status === 'completed') return JSON.stringify(now.results)
      if (now.status !== 'running') throw new Error(`the study ended as ${now.status}`)
      await pause(POLL_INTERVAL_MS)
    }
  }

  /** What an optimizer run found, as text. */
  async optimization(form: object): Promise<string> {
    const { results } = await this.call<{ results: object }>('POST', '/api/feature-optimization', form)
    // When it ran and how long it took is of the run, not of what it found.
    return JSON.stringify(results, (key, value: unknown) => (/seconds?$|_at$|^run_?id$/.test(key) ? undefined : value))
  }

  /** One backtest, which is one job of one worker; gives its id. */
  async backtest(form: Parameters<typeof formData>[0] = allocationForm): Promise<number> {
    const headers = { authorization: `Bearer ${this.#token}` }
    const answer = await fetch(`${this.#url()}/api/backtest`, { method: 'POST', headers, body: formData(form) })
    if (!answer.ok) throw new Error(`a backtest answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`)
    return ((await answer.json()) as { result_id: number }).result_id
  }

  /** The checks of a run, as text; they are over when this returns. */
  async board(id: number): Promise<string> {
    await this.call('POST', `/api/backtests/${id}/robustness`, {})
    for (;;) {
      const { board, job } = await this.call<{
        board: { checks: unknown } | null
        job: { state: string; error?: unknown } | null
      }>('GET', `/api/backtests/${id}/robustness`)
      if (job === null) return JSON.stringify(board!.checks)
      if (job.state === 'failed') throw new Error(`the checks failed: ${JSON.stringify(job)}`)
      await pause(POLL_INTERVAL_MS)
    }
  }
}
