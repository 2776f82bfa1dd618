/** Hands a text to the browser as a file. */
export const downloadText = (name: string, text: string, type: string): void =>
  downloadFile(name, new Blob([text], { type }))

export function downloadFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
