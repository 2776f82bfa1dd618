import { type OfferedModel, OPENAI_MODELS } from '@tradewright/contract/openai'

interface Option {
  value: string
  label: string
}

/** A model that is gone, or going, is marked; one that is chosen already is always in the list. */
export function modelOptions(models: readonly OfferedModel[] | undefined, chosen: string): Option[] {
  const listed = models ?? OPENAI_MODELS.map((id) => ({ id, offered: true, shutdown_date: null }))
  const options = listed.map(({ id, offered, shutdown_date }) => ({
    value: id,
    label: offered ? (shutdown_date ? `${id} (ends ${shutdown_date})` : id) : `${id} (not offered)`,
  }))
  return options.some(({ value }) => value === chosen) ? options : [...options, { value: chosen, label: chosen }]
}
