/** `failed`: a user accepted it, and it could not be carried out. */
export const PROPOSAL_STATES = ['open', 'accepted', 'declined', 'expired', 'failed'] as const
export type ProposalState = (typeof PROPOSAL_STATES)[number]

export const PROPOSAL_DAYS = 7
/** Open proposals that one user may have. */
export const MAX_OPEN_PROPOSALS = 50
/** Answered ones that are kept, the newest. */
export const MAX_ANSWERED_PROPOSALS = 100
/** Characters that an agent may write to explain a proposal. */
export const MAX_REASON_LENGTH = 500
