/**
 * How much one strategy may hold. Forms, plans and passports check against the same numbers: a result that one of them let
 * through is refused by no other.
 */
export const strategyLimits = {
  /** A learner could take more, but the result would be unreadable. */
  features: 1000,
  trees: 5000,
  /** Stands for all columns, however many there are. */
  everyColumn: 1_000_000,
  /** No row count comes near it. */
  samples: 1_000_000_000,
  boostingRounds: 5000,
  boostingDepth: 16,
} as const
