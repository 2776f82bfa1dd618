/** Where a process may die that decides for saved strategies with a forward record, in order. */
export const RECORD_STEPS = ['taken', 'model-kept', 'decided', 'entry-written', 'entry-committed'] as const
export type RecordStep = (typeof RECORD_STEPS)[number]
