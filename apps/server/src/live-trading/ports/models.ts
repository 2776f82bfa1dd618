export interface StoredModel {
  /** Counts the models of a deployment from 1. */
  readonly version: number
  /** The stamp of the last bar before those it decides on; null: it decides on all. */
  readonly after: Date | null
  /** Its walk-forward window and the rows that these are percentages of; null where it is not retrained. */
  readonly window: { readonly number: number; readonly sizedOnRows: number } | null
  readonly bytes: Uint8Array
  /** The model's inputs; another recipe needs another model. */
  readonly recipe: string
  readonly checksum: string
  readonly fingerprint: string
  readonly rows: number
  readonly from: string
  readonly to: string
  readonly synthetic: boolean
  /** The series it learned from that are; absent or empty in models of earlier versions. */
  readonly syntheticTickers?: readonly string[]
  /** What is odd about the data it learned from, as sentences. */
  readonly notes: readonly string[]
  readonly trainedAt: Date
}

export type ModelDescription = Omit<StoredModel, 'bytes'>

/** The models of deployments, all that were ever trained. */
export interface ModelStore {
  /** The models of one recipe, oldest first. */
  versions(deploymentId: number, recipe: string): Promise<ModelDescription[]>
  /** Whether it has a model at all, of whatever recipe. */
  hasAny(deploymentId: number): Promise<boolean>
  bytes(deploymentId: number, version: number): Promise<Uint8Array | undefined>
  /** Answers the new version; undefined where the recipe has a model of that window already. */
  add(deploymentId: number, model: Omit<StoredModel, 'version'>): Promise<number | undefined>
  remove(deploymentId: number, version: number): Promise<void>
}
