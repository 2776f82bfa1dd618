/** 1 is Buy and any other value Hold; where nothing was predicted there is none. */
export function signalWord(signal: number | null): 'Buy' | 'Hold' | 'N/A' {
  if (signal === null) return 'N/A'
  return signal === 1 ? 'Buy' : 'Hold'
}
