/** For what never computes: whoever asks is told so. */
export const noCompute = {
  run: () => Promise.reject(new Error('nothing is computed in this test')),
}
