import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

interface ChromiumLaunch {
  executablePath: string
  args: string[]
}

const SYSTEM_PATHS = [
  // The stories run in two thirds of the time with the browser that has no window to draw.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The browser that CHROMIUM_PATH names, else the system's, else one that is brought here. */
export async function chromiumLaunch(): Promise<ChromiumLaunch> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? systemChromium()
  if (executablePath) return { executablePath, args: sandboxArgs() }
  if (process.platform === 'linux' && process.arch === 'x64') return packagedChromium()
  return { executablePath: debianChromium(), args: sandboxArgs() }
}

function systemChromium(): string | undefined {
  return SYSTEM_PATHS.find((path) => existsSync(path))
}

/** The package holds a browser for x64 alone; elsewhere Debian and its kin have one, for root to install. */
function debianChromium(): string {
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    spawnSync('apt-get', ['update'], { stdio: 'ignore', env: environment })
    for (const name of ['chromium-headless-shell', 'chromium']) {
      const { status } = spawnSync('apt-get', ['install', '-y', '--no-install-recommends', name], {
        stdio: 'ignore',
        env: environment,
      })
      if (status === 0) break
    }
  }
  const installed = systemChromium()
  if (!installed) throw new Error('No Chromium was found. Install one, or set CHROMIUM_PATH to it.')
  return installed
}

/** Chromium refuses its sandbox to root. */
function sandboxArgs(): string[] {
  return process.getuid?.() === 0 ? ['--no-sandbox'] : []
}

async function packagedChromium(): Promise<ChromiumLaunch> {
  // Made for AWS Lambda: it unpacks the libraries that a bare machine lacks only when it believes to be there.
  process.env['AWS_LAMBDA_JS_RUNTIME'] ??= 'nodejs22.x'
  const { default: chromium } = await import('@sparticuz/chromium')
  // WebGL would be drawn by the processor, and with it every page: a third of the stories' processor time.
  chromium.setGraphicsMode = false
  // One process for everything is for a single page at a time; stories use several.
  const args = chromium.args.filter(
    (arg) => !/^--(single-process|headless|in-process-gpu|ignore-gpu-blocklist)/.test(arg),
  )
  // Above its limit the browser keeps no spare process ready for a next page; every context still gets one of its own.
  const own = ['--disable-gpu', '--renderer-process-limit=1', ...sandboxArgs()]
  return { executablePath: await chromium.executablePath(), args: [...args, ...own] }
}
