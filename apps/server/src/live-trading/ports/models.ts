export interface StoredModel {
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

export interface ModelStore {
  find(deploymentId: number): Promise<StoredModel | undefined>
  about(deploymentId: number): Promise<Omit<StoredModel, 'bytes'> | undefined>
  save(deploymentId: number, model: StoredModel): Promise<void>
  remove(deploymentId: number): Promise<void>
}
