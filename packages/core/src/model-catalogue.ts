/**
 * Every model that a strategy may learn with, described once: forms, contract and answers are made from this list, in its
 * order. The engine fits, predicts and loads each one under its kind (`engine/models/catalogue.ts`). See
 * docs/recipes/add-a-model.md.
 */
export interface ModelEntry {
  /** Stands in saved strategies, deployments and model files: never changed. */
  readonly kind: string
  /** On the screen and on the wire. */
  readonly label: string
  /** `trees`: those of the form. `rounds`: the fixed ones of boosting. */
  readonly settings: 'trees' | 'rounds' | 'none'
}

/** The first one is the default. */
export const modelCatalogue = [
  { kind: 'forest', label: 'Random Forest', settings: 'trees' },
  { kind: 'linear', label: 'Linear Regression', settings: 'none' },
  { kind: 'boosting', label: 'XGBoost', settings: 'rounds' },
  { kind: 'extra-trees', label: 'Extra Trees', settings: 'trees' },
] as const satisfies readonly ModelEntry[]

type Entry = (typeof modelCatalogue)[number]
export type ModelKind = Entry['kind']
type ModelLabel = Entry['label']
export const defaultModel = modelCatalogue[0]

/** For each kind its settings, where `Settings` has the type of each kind of settings. */
export type ModelSettingsBy<Settings extends Record<ModelEntry['settings'], unknown>> = {
  readonly [One in Entry as One['kind']]: Settings[One['settings']]
}

export const modelLabels: readonly ModelLabel[] = modelCatalogue.map(({ label }) => label)

export const modelOf = (kind: ModelKind): Entry => modelCatalogue.find((entry) => entry.kind === kind)!

export const modelLabelled = (label: string): Entry | undefined => modelCatalogue.find((entry) => entry.label === label)

/** The defaults of XGBoost, as that library has them. */
export const usualRounds = { rounds: 100, maxDepth: 6, eta: 0.3 } as const

/**
 * Settings that keep most of a real edge and invent least of one, chosen by the experiment in docs/method.md ("Recommended settings"). Forms and
 * calls begin with the specification's own. Leaves are shares of the training rows.
 */
export const recommendedSettings = {
  trees: { trees: 500, maxFeatures: 'sqrt', minSamplesLeaf: 0.05, minSamplesSplit: 3 },
  rounds: { rounds: 200, maxDepth: 2, eta: 0.05, minLeafShare: 0.02, earlyStoppingRounds: 200 },
} as const

/** A share of the training rows: smaller leaves mostly learn noise. */
export const SMALL_LEAF_SHARE = 0.01
