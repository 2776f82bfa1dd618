import { Problem } from '@tradewright/core/problem'
import { setImmediate as turn } from 'node:timers/promises'
import type { Committed, CycleDeps, Proposed } from '../types.ts'
import { commitDecisions } from './commit-decisions.ts'

interface Waiting {
  readonly proposed: Proposed
  readonly resolve: (committed: Committed) => void
  readonly reject: (reason: unknown) => void
}

const MAX_TOGETHER = 50

/**
 * Commits decisions of one account together, in one transaction, as they come: transactions that move money in an
 * account wait for each other anyway, so those that wait go with the next. A failure of one is no failure of another:
 * what cannot be written together is written one by one.
 */
export class CommitQueue {
  readonly #deps: CycleDeps
  readonly #waiting = new Map<number, Waiting[]>()

  constructor(deps: CycleDeps) {
    this.#deps = deps
  }

  readonly commit = (proposed: Proposed): Promise<Committed> =>
    new Promise((resolve, reject) => {
      const { accountId } = proposed.deployment
      const others = this.#waiting.get(accountId)
      if (others) others.push({ proposed, resolve, reject })
      else {
        this.#waiting.set(accountId, [{ proposed, resolve, reject }])
        void this.#commitAll(accountId)
      }
    })

  async #commitAll(accountId: number): Promise<void> {
    const waiting = this.#waiting.get(accountId)!
    // Deployments that decide at the same moment join before the next turn of the loop.
    await turn()
    while (waiting.length > 0) {
      const group = waiting.splice(0, MAX_TOGETHER)
      // A limit of the account that not all of them fit into is used in the order of the deployments, not of processor time.
      await this.#together(group.sort((a, b) => a.proposed.deployment.id - b.proposed.deployment.id))
    }
    this.#waiting.delete(accountId)
  }

  async #together(group: readonly Waiting[]): Promise<void> {
    try {
      const outcomes = await commitDecisions(
        this.#deps,
        group.map(({ proposed }) => proposed),
      )
      for (const [i, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[i]!
        if (outcome instanceof Problem) reject(outcome)
        else resolve(outcome)
      }
    } catch (error) {
      if (group.length === 1) group[0]!.reject(error)
      else await Promise.all(group.map((one) => this.#together([one])))
    }
  }
}
