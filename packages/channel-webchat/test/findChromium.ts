import { execFile } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const named = process.env.PARLEY_TEST_CHROMIUM
const hasPackagedChromium = process.platform === "linux" && process.arch === "x64"

/** Reason to skip the tests that need a browser, or null. */
export const browserMissing: string | null =
  named || hasPackagedChromium ? null : "set PARLEY_TEST_CHROMIUM to the path of a Chromium or Chrome"

const packaged = "@sparticuz/chromium"
const cache = fileURLToPath(new URL("../node_modules/.cache", import.meta.url))
const manifest = new URL(`../node_modules/${packaged}/package.json`, import.meta.url)
const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly version: string }
const home = join(cache, `chromium-${version}`)

/** Unpacks Chromium and its shared libraries, once per version: 4 s. Test files may do so side by side. */
const unpack = async (): Promise<void> => {
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, "unpacking-"))
  // The package unpacks into the temporary folder, and its shared libraries only on AWS Lambda.
  const env = { ...process.env, TMPDIR: folder, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" }
  const script = `const { default: chromium } = await import(${JSON.stringify(packaged)}); await chromium.executablePath()`
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: fileURLToPath(new URL("..", import.meta.url)),
    env
  })
  await rename(folder, home).catch(async (error) => {
    await rm(folder, { recursive: true })
    if (!existsSync(home)) throw error
  })
}

/** The Chromium of `PARLEY_TEST_CHROMIUM`, else the one of the npm package, as options of Playwright's `launch`. */
export const findChromium = async () => {
  if (named) return { executablePath: named }
  if (!existsSync(home)) await unpack()
  const libraries = join(home, "al2023/lib")
  return { executablePath: join(home, "chromium"), env: { ...process.env, LD_LIBRARY_PATH: libraries } }
}
