import type { Checklist, ChecklistStore } from './ports.ts'

interface Deps {
  readonly checklists: ChecklistStore
}

/** Steps that are found done are kept: deleting a strategy later does not undo having saved one. */
export async function ownChecklist({ checklists }: Deps, userId: number): Promise<Checklist> {
  const [kept, traces] = await Promise.all([checklists.find(userId), checklists.traces(userId)])
  const added = traces.filter((step) => !kept.done.includes(step))
  if (added.length > 0) await checklists.addDone(userId, added)
  return { done: [...kept.done, ...added], isHidden: kept.isHidden }
}

export async function hideChecklist(deps: Deps, userId: number, isHidden: boolean): Promise<Checklist> {
  await deps.checklists.setHidden(userId, isHidden)
  return ownChecklist(deps, userId)
}
