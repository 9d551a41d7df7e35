import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { promisify } from "node:util"

/** A browser for tests, or why there is none. */
export type FoundChromium = { readonly path: string } | { readonly missing: string }

/** With what it starts: silent on the network but for the pages it is given, and also as root. */
export const chromiumArguments: ReadonlyArray<string> = [
  "--no-sandbox",
  "--headless",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync"
]

const debian = "/usr/bin/chromium"
const install = `test -x ${debian} || { apt-get update && apt-get install --yes --no-install-recommends chromium; }`

/**
 * The Chromium that `PARLEY_TEST_CHROMIUM` names, or Debian's, which is installed first where that can be done: as root, with
 * apt-get, one at a time.
 */
export const findChromium = async (): Promise<FoundChromium> => {
  const path = process.env.PARLEY_TEST_CHROMIUM || debian
  if (existsSync(path)) return { path }
  if (path !== debian) return { missing: `PARLEY_TEST_CHROMIUM names ${path}, which is not there` }
  const missing = `no Chromium at ${debian}; install it, or name one by PARLEY_TEST_CHROMIUM`
  if (process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return { missing }
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
    await promisify(execFile)("flock", ["/tmp/parley-chromium.lock", "sh", "-c", install], { env, maxBuffer: 2 ** 26 })
    return { path }
  } catch {
    return { missing: `${missing} (apt-get could not)` }
  }
}
