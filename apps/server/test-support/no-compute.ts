/** For parts that never compute: a call fails with a sentence. */
export const noCompute = {
  run: () => Promise.reject(new Error('nothing is computed in this test')),
}
