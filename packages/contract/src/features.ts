import { z } from 'zod'
import { readParamsDef } from './params-def.ts'
import { route } from './route.ts'

/** One parameter of a feature or target, as a form shows it. */
export const ParameterDefinition = z.object({
  /** The key in `params`. */
  name: z.string(),
  label: z.string(),
  type: z.enum(['number', 'select', 'int', 'float', 'string']),
  /** The form's initial value. A required parameter must be sent all the same. */
  default: z.union([z.number(), z.string()]),
  readonly: z.boolean(),
  required: z.boolean(),
  /** Null unless the parameter is a `select`. */
  options: z.array(z.string()).nullable(),
  step: z.number().nullable(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  description: z.string(),
})
export type ParameterDefinition = z.infer<typeof ParameterDefinition>

/** A map or a JSON string may stand here too; this server always sends the list. */
const Config = z.object({ params_def: z.preprocess(readParamsDef, z.array(ParameterDefinition)) })

export const Feature = z.object({
  id: z.int(),
  key: z.string(),
  name: z.string(),
  description: z.string(),
  /** Where the formula comes from, for "How is this computed?". */
  source: z.string(),
  config: Config,
})
export type Feature = z.infer<typeof Feature>

export const Target = z.object({
  id: z.int(),
  key: z.string(),
  name: z.string(),
  description: z.string(),
  config: Config,
})
export type Target = z.infer<typeof Target>

export const listFeatures = route({
  method: 'GET',
  path: '/api/features',
  access: 'signed in',
  scope: 'read',
  tag: 'Backtests',
  summary: 'Every feature a model can learn from, with its parameters.',
  answer: z.object({ features: z.array(Feature) }),
})

export const listTargets = route({
  method: 'GET',
  path: '/api/targets',
  access: 'signed in',
  scope: 'read',
  tag: 'Backtests',
  summary: 'Every target a model can predict, with its parameters.',
  answer: z.object({ targets: z.array(Target) }),
})
