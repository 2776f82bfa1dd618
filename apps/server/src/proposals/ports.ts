import type { Description, StoredProposal } from './proposal.ts'

type NewProposal = Pick<
  StoredProposal,
  'kind' | 'content' | 'description' | 'reason' | 'origin' | 'keyId' | 'createdAt' | 'expiresAt'
>

interface Answer {
  readonly state: 'accepted' | 'declined' | 'failed'
  readonly at: Date
  readonly outcome: string | null
  readonly link: string | null
}

/** The proposals of one user at a time: another's do not exist. Every change is announced to all processes. */
export interface ProposalStore {
  /** Undefined where the user has so many open ones already. Of answered ones, the newest are kept. */
  add(userId: number, proposal: NewProposal, most: { open: number; answered: number }): Promise<number | undefined>
  /** Newest first. */
  list(userId: number): Promise<StoredProposal[]>
  find(userId: number, id: number): Promise<StoredProposal | undefined>
  countOpen(userId: number, now: Date): Promise<number>
  /** Takes an open one to be carried out: of two calls, one gets true. Its wording is kept as it was accepted. */
  begin(userId: number, id: number, now: Date, description: Description): Promise<boolean>
  /** Ends one that is open (when declined) or being carried out. Answers whether it was. */
  answer(userId: number, id: number, answer: Answer): Promise<boolean>
}
