import type { Selectable } from 'kysely'
import type { GoogleFlowStore, GooglePurpose } from '../../auth/ports.ts'
import type { Database } from '../database.ts'
import type { Tables } from '../tables.ts'

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
          return_path: purpose.kind === 'login' ? (purpose.returnPath ?? null) : null,
          expires_at: expiresAt,
        })
        .execute()
    },
    /** Deleting is the taking: of two at the same moment one gets the row. */
    async consume(stateHash, now) {
      const row = await database
        .deleteFrom('google_flows')
        .where('state_hash', '=', stateHash)
        .returningAll()
        .executeTakeFirst()
      if (!row || row.expires_at <= now) return null
      const { browser_hash: browserHash, nonce, code_verifier: codeVerifier } = row
      return { purpose: toPurpose(row), browserHash, nonce, codeVerifier }
    },
    async removeOf(userId) {
      await database.deleteFrom('google_flows').where('user_id', '=', userId).execute()
    },
    async removeExpired(now) {
      await database.deleteFrom('google_flows').where('expires_at', '<=', now).execute()
    },
  }
}

const toPurpose = ({ user_id, invitation_hash, return_path }: Selectable<Tables['google_flows']>): GooglePurpose =>
  user_id === null
    ? { kind: 'login', invitationHash: invitation_hash ?? undefined, returnPath: return_path ?? undefined }
    : { kind: 'link', userId: user_id }
