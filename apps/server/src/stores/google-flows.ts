import type { GoogleFlowStore, GooglePurpose } from '../auth/ports.ts'
import type { Database } from './database.ts'

export function createGoogleFlowStore(database: Database): GoogleFlowStore {
  return {
    async insert(stateHash, { purpose, browserHash, nonce, codeVerifier }, expiresAt) {
      await database
        .insertInto('google_flows')
        .values({
          state_hash: stateHash,
          browser_hash: browserHash,
          nonce,
          code_verifier: codeVerifier,
          purpose: purpose.kind,
          user_id: purpose.kind === 'link' ? purpose.userId : null,
          invitation_hash: purpose.kind === 'login' ? (purpose.invitationHash ?? null) : null,
          expires_at: expiresAt,
        })
        .execute()
    },
    /** Deleting is the taking: of two at the same moment one gets the row. */
    async take(stateHash, now) {
      const row = await database
        .deleteFrom('google_flows')
        .where('state_hash', '=', stateHash)
        .returningAll()
        .executeTakeFirst()
      if (!row || row.expires_at <= now) return null
      const { browser_hash: browserHash, nonce, code_verifier: codeVerifier } = row
      return { purpose: toPurpose(row.user_id, row.invitation_hash), browserHash, nonce, codeVerifier }
    },
    async removeOf(userId) {
      await database.deleteFrom('google_flows').where('user_id', '=', userId).execute()
    },
    async removeExpired(now) {
      await database.deleteFrom('google_flows').where('expires_at', '<=', now).execute()
    },
  }
}

const toPurpose = (userId: number | null, invitation: Buffer | null): GooglePurpose =>
  userId === null ? { kind: 'login', invitationHash: invitation ?? undefined } : { kind: 'link', userId }
