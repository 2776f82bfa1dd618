declare module 'quadprog' {
  /** The least of x'Dx / 2 - d'x where A'x >= b, the first `equalities` of them exactly. All arrays begin at 1. */
  function solveQP(
    D: number[][],
    d: number[],
    A: number[][],
    b: number[],
    equalities: number,
  ): { solution: number[]; message: string }
  const quadprog: { solveQP: typeof solveQP }
  export default quadprog
}
