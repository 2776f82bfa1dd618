import { type OfferedModel, OPENAI_MODELS } from '@tradewright/contract/openai'

interface Option {
  value: string
  label: string
}

/** What is gone, or going, says so; a model that is chosen already is always there. */
export function modelOptions(models: readonly OfferedModel[] | undefined, chosen: string): Option[] {
  const listed = models ?? OPENAI_MODELS.map((id) => ({ id, offered: true, shutdown_date: null }))
  const options = listed.map(({ id, offered, shutdown_date }) => ({
    value: id,
    label: offered ? (shutdown_date ? `${id} (ends ${shutdown_date})` : id) : `${id} (not offered)`,
  }))
  return options.some(({ value }) => value === chosen) ? options : [...options, { value: chosen, label: chosen }]
}
