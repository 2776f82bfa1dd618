import * as contract from '@tradewright/contract/proposals'
import {
  acceptProposal,
  declineProposal,
  findProposal,
  listProposals,
  type ProposalDeps,
  type ProposalItem,
  type ProposalView,
} from '../../proposals/own-proposals.ts'
import { readableRows } from '../answer/readable-rows.ts'
import { actorOf } from '../live-trading/actor.ts'
import type { Handle } from '../server/handle.ts'

const success = true as const

export function serveProposals(handle: Handle, deps: ProposalDeps): void {
  handle(contract.listProposals, async ({ user, request: { log } }) => {
    const { open, answered } = await listProposals(deps, user.id)
    const told = { list: 'proposals', schema: contract.ProposalItem, toWire: itemToWire, log }
    const [waiting, past] = [readableRows(open, told), readableRows(answered, told)]
    const leftOut = (waiting.left_out ?? 0) + (past.left_out ?? 0)
    return { open: waiting.entries, answered: past.entries, ...(leftOut > 0 && { left_out: leftOut }) }
  })
  handle(contract.getProposal, async ({ user, params }) => toWire(await findProposal(deps, user.id, params.id)))
  handle(contract.acceptProposal, async (call) => {
    const acceptor = { userId: call.user.id, actor: actorOf(call) }
    return { success, proposal: toWire(await acceptProposal(deps, acceptor, call.params.id, call.body.fingerprint)) }
  })
  handle(contract.declineProposal, async ({ user, params }) => ({
    success,
    proposal: toWire(await declineProposal(deps, user.id, params.id)),
  }))
}

const itemToWire = (item: ProposalItem): contract.ProposalItem => ({
  id: item.id,
  kind: item.kind,
  origin: item.origin,
  title: item.description.title,
  subject: item.description.subject,
  state: item.state,
  real_money: item.description.isRealMoney,
  created_at: item.createdAt.toISOString(),
  expires_at: item.expiresAt.toISOString(),
  answered_at: item.answeredAt?.toISOString() ?? null,
  outcome: item.outcome,
})

const toWire = (view: ProposalView): contract.Proposal => ({
  ...itemToWire(view),
  reason: view.reason,
  changes: [...view.description.changes],
  notices: [...view.description.notices],
  obstacle: view.obstacle,
  fingerprint: view.fingerprint,
  link: view.link,
})
