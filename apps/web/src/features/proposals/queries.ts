import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  acceptProposal,
  declineProposal,
  getProposal,
  listProposals,
  type Proposal,
} from '@tradewright/contract/proposals'
import { useEffect } from 'react'
import { watchProposals } from '../../lib/events.ts'
import { call } from '../../lib/http.ts'

const LIST = ['proposals']
/** For the count in the header, on screens that do not listen to the server. */
const POLL_INTERVAL_MS = 60_000

export const useProposals = () =>
  useQuery({
    queryKey: LIST,
    queryFn: ({ signal }) => call(listProposals, { signal }),
    refetchInterval: POLL_INTERVAL_MS,
  })

/** What it would change is worked out by the server each time it is asked. */
export const useProposal = (id: number) =>
  useQuery({
    queryKey: ['proposal', id],
    queryFn: ({ signal }) => call(getProposal, { params: { id: String(id) }, signal }),
  })

/** A proposal that is made or answered elsewhere appears at once. */
export function useProposalEvents(): void {
  const queries = useQueryClient()
  useEffect(
    () =>
      watchProposals(() => {
        void queries.invalidateQueries({ queryKey: LIST })
        void queries.invalidateQueries({ queryKey: ['proposal'] })
      }),
    [queries],
  )
}

type Answer = 'accept' | 'decline'

/** Accepting sends what was shown, so that nothing else is carried out. */
export function useAnswerProposal({ id, fingerprint }: Pick<Proposal, 'id' | 'fingerprint'>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (answer: Answer) => {
      const params = { id: String(id) }
      const { proposal } =
        answer === 'accept'
          ? await call(acceptProposal, { params, body: { fingerprint } })
          : await call(declineProposal, { params })
      return proposal
    },
    onSuccess: (proposal) => queries.setQueryData(['proposal', id], proposal),
    // Accepting may change any screen; a refusal comes with what has changed meanwhile.
    onSettled: () => queries.invalidateQueries(),
  })
}
