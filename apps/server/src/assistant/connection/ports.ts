export interface Connection {
  readonly sealedKey: Buffer
  readonly model: string
  readonly baseUrl: string | null
  readonly unverifiedReason: string | null
  readonly lastUsed: Date | null
}

/** At most one per user. */
export interface ConnectionStore {
  find(userId: number): Promise<Connection | undefined>
  save(userId: number, connection: Omit<Connection, 'lastUsed'>, at: Date): Promise<void>
  /** Answers whether there was one. */
  chooseModel(userId: number, model: string): Promise<boolean>
  /** A call has worked: the key is verified by that. */
  used(userId: number, at: Date): Promise<void>
  remove(userId: number): Promise<void>
}
